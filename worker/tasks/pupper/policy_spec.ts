import type { PolicySpec } from '../../protocol/policy.ts';
import {
  ACTION_SCALE,
  ACTION_SIZE,
  CONTROL_PERIOD,
  DEFAULT_JOINTS,
  JOINT_NAMES,
  LOWER_JOINTS,
  OBSERVATION_CLIP,
  OBSERVATION_TERMS,
  TASK,
  UPPER_JOINTS,
} from './spec.ts';

/** What a policy trained on this task declares of its observation and action. */
export const pupperPolicySpec: Pick<PolicySpec, 'task' | 'controlPeriod' | 'observation' | 'action'> = {
  task: TASK,
  controlPeriod: CONTROL_PERIOD,
  observation: OBSERVATION_TERMS.map(({ name, size }) => ({
    name,
    variant: name === 'base_ang_vel' ? 'body' : null,
    size,
    scale: 1,
    clip: [-OBSERVATION_CLIP, OBSERVATION_CLIP],
    history: 1,
  })),
  action: {
    size: ACTION_SIZE,
    jointNames: JOINT_NAMES,
    clip: [-1, 1],
    scale: ACTION_SCALE,
    offset: DEFAULT_JOINTS,
    lower: LOWER_JOINTS,
    upper: UPPER_JOINTS,
  },
};
