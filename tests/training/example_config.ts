import { pupperPolicySpec } from '../../worker/tasks/pupper/policy_spec.ts';
import { REWARD_WEIGHTS } from '../../worker/tasks/pupper/spec.ts';
import { presets } from '../../worker/training/presets.ts';
import type { createRun } from '../../worker/training/run_directory.ts';

/** What a run could have been started with. */
export const exampleConfig: Parameters<typeof createRun>[1] = {
  versions: { leash: '0.1.0', mujoco: '3.14.0', node: '20.0.0' },
  engine: 'native',
  modelHash: 'b5d4045c3f466fa91fe2cc6abe79232a1a57cdf104f7a26e716e0a1e2789df78',
  task: 'pupper',
  policy: pupperPolicySpec,
  rewardWeights: REWARD_WEIGHTS,
  settings: presets['default']!,
  seed: 42,
  steps: 10_000_000,
  checkpointEvery: 1_000_000,
  threads: { rollout: 2, learner: 2 },
  device: 'cpu',
  simd: 'avx2',
  gpuName: null,
  hipVersion: null,
  parentCheckpoint: null,
};
