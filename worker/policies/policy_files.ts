import { createHash } from 'node:crypto';
import { writePolicyOnnx } from '../formats/onnx_writer.ts';
import { type NetworkSpec, NORMALIZER_CLIP, NORMALIZER_EPSILON, type ParameterTensor } from '../protocol/network.ts';
import { observationSize, POLICY_FORMAT, type PolicySpec } from '../protocol/policy.ts';
import { CHECKPOINT_FILES } from '../protocol/run_layout.ts';

/** A trained network and what its numbers mean. */
export interface TrainedPolicy {
  readonly name: string;
  /** What policy.json says of task, observation and action (RunConfig's `policy`). */
  readonly spec: Pick<PolicySpec, 'task' | 'controlPeriod' | 'observation' | 'action'>;
  readonly network: NetworkSpec;
  /** Flat parameters [P] with their layout. */
  readonly parameters: Float32Array;
  readonly layout: readonly ParameterTensor[];
  /** [2·observationSize + 1]; null: observations are not normalized. */
  readonly normalizer: Float64Array | null;
  readonly training: { readonly leash: string; readonly step: number; readonly seed: number | null };
}

/** The spec inside policy.onnx, as JSON. */
export const SPEC_METADATA_KEY = 'leash_policy';

/**
 * policy.onnx and policy.json of a trained network. Terms with a clip and no scale are clipped inside the graph, so the
 * file takes raw observations.
 * @throws RangeError when spec, network and parameters do not fit each other.
 */
export function policyFiles(policy: TrainedPolicy): Map<string, string | Uint8Array> {
  const { network } = policy;
  const spec = specOf(policy, null);
  if (observationSize(spec) !== network.observationSize || spec.action.size !== network.actionSize) {
    throw new RangeError(
      `The spec has ${observationSize(spec)} observations and ${spec.action.size} actions, but the network ${network.observationSize} and ${network.actionSize}.`,
    );
  }
  const onnx = writePolicyOnnx({
    network,
    parameters: policy.parameters,
    layout: policy.layout,
    normalizer: policy.normalizer,
    observationClip: commonClip(spec),
    actionClip: actionLimit(spec),
    inputName: spec.network.input,
    outputName: spec.network.output,
    producerVersion: policy.training.leash,
    metadata: metadata(policy, spec),
  });
  const sha256 = createHash('sha256').update(onnx).digest('hex');
  return new Map<string, string | Uint8Array>([
    [CHECKPOINT_FILES.policy, onnx],
    [CHECKPOINT_FILES.spec, `${JSON.stringify(specOf(policy, sha256), null, 2)}\n`],
  ]);
}

function specOf(policy: TrainedPolicy, sha256: string | null): PolicySpec {
  return {
    format: POLICY_FORMAT,
    name: policy.name,
    ...policy.spec,
    normalizer: policy.normalizer && {
      inGraph: true,
      epsilon: NORMALIZER_EPSILON,
      clip: NORMALIZER_CLIP,
      count: policy.normalizer[2 * policy.network.observationSize]!,
    },
    hiddenState: null,
    network: { file: CHECKPOINT_FILES.policy, sha256, input: 'obs', output: 'actions' },
    training: policy.training,
  };
}

/** The one clip that all terms share, which the graph then repeats; null where they have none or differ. */
function commonClip(spec: PolicySpec): number | null {
  const limit = spec.observation[0]!.clip?.[1] ?? null;
  return limit !== null && spec.observation.every((term) => term.clip?.[1] === limit && term.clip[0] === -limit) ? limit : null;
}

function actionLimit(spec: PolicySpec): number {
  const [low, high] = spec.action.clip ?? [Number.NaN, Number.NaN];
  if (low !== -high) throw new RangeError('A trained policy clips its actions to ± one number; the spec says otherwise.');
  return high;
}

/** The whole spec under our own key, and the keys that other programs of the field look for. */
function metadata(policy: TrainedPolicy, spec: PolicySpec): Record<string, string> {
  const list = (value: number | readonly number[]): string => (typeof value === 'number' ? [value] : value).join(',');
  return {
    [SPEC_METADATA_KEY]: JSON.stringify(spec),
    task: spec.task,
    observation_names: spec.observation.map((term) => term.name).join(','),
    joint_names: spec.action.jointNames.join(','),
    default_joint_pos: list(spec.action.offset),
    action_scale: list(spec.action.scale),
    control_dt: String(spec.controlPeriod),
    leash_version: policy.training.leash,
    step: String(policy.training.step),
  };
}
