import { type LearnerOptions, NORMALIZER_CLIP, NORMALIZER_EPSILON, type NetworkSpec, type ParameterTensor, type RolloutBatch, type UpdateSettings } from '../../worker/training/learner.ts';

/**
 * PPO's loss in double precision, straight from its formula (Schulman et al. 2017, eq. 9): the independent source that
 * the learner's gradients are held against by central differences.
 */
export function referenceLoss(
  options: LearnerOptions,
  layout: readonly ParameterTensor[],
  parameters: Float64Array,
  batch: RolloutBatch,
  advantages: Float32Array,
  returns: Float32Array,
  settings: UpdateSettings,
): number {
  const { network, mirror } = options;
  const { observationSize: O, actionSize: A } = network;
  const count = batch.steps * batch.environments;
  const at = layout.find((tensor) => tensor.name === 'log_std')!.offset;
  const logStd = [...parameters.subarray(at, at + A)];
  let policyLoss = 0;
  let valueLoss = 0;
  let rows = 0;
  const row = (observation: number[], action: number[], i: number): void => {
    const seen = normalized(options, observation);
    const means = forward(network, 'policy', layout, parameters, seen);
    const [value] = forward(network, 'value', layout, parameters, seen);
    const logProb = action.reduce((sum, a, k) => sum - 0.5 * ((a - means[k]!) * Math.exp(-logStd[k]!)) ** 2 - logStd[k]! - 0.5 * Math.log(2 * Math.PI), 0);
    const ratio = Math.exp(logProb - batch.logProbs[i]!);
    const clipped = Math.min(Math.max(ratio, 1 - settings.clipRange), 1 + settings.clipRange);
    policyLoss -= Math.min(ratio * advantages[i]!, clipped * advantages[i]!);
    valueLoss += (value! - returns[i]!) ** 2;
    rows++;
  };
  for (let i = 0; i < count; i++) {
    const observation = [...batch.observations.subarray(i * O, (i + 1) * O)];
    const action = [...batch.actions.subarray(i * A, (i + 1) * A)];
    row(observation, action, i);
    if (!mirror) continue;
    row(
      observation.map((_, k) => mirror.observationSign[k]! * observation[mirror.observationIndex[k]!]!),
      action.map((_, k) => mirror.actionSign[k]! * action[mirror.actionIndex[k]!]!),
      i,
    );
  }
  const entropy = logStd.reduce((sum, s) => sum + s + 0.5 + 0.5 * Math.log(2 * Math.PI), 0);
  return policyLoss / rows + (settings.valueCoefficient * valueLoss) / rows - settings.entropyCoefficient * entropy;
}

function normalized(options: LearnerOptions, x: number[]): number[] {
  const n = x.length;
  const state = options.normalizer;
  if (!options.normalizeObservations || state[2 * n] === 0) return x;
  return x.map((value, i) => Math.min(Math.max((value - state[i]!) / Math.sqrt(state[n + i]! + NORMALIZER_EPSILON), -NORMALIZER_CLIP), NORMALIZER_CLIP));
}

/** Output of one perceptron for one input. */
export function forward(network: NetworkSpec, net: 'policy' | 'value', layout: readonly ParameterTensor[], parameters: ArrayLike<number>, input: number[]): number[] {
  const activate = network.activation === 'tanh' ? Math.tanh : (x: number) => (x > 0 ? x : Math.exp(x) - 1);
  const weights = layout.filter(({ name }) => name.startsWith(`${net}.`) && name.endsWith('.weight'));
  let x = input;
  weights.forEach(({ name, shape, offset }, index) => {
    const [out, size] = shape as [number, number];
    const bias = layout.find((tensor) => tensor.name === name.replace('weight', 'bias'))!.offset;
    const y = Array.from({ length: out }, (_, o) => {
      let sum = parameters[bias + o]!;
      for (let i = 0; i < size; i++) sum += parameters[offset + o * size + i]! * x[i]!;
      return sum;
    });
    x = index + 1 < weights.length ? y.map(activate) : y;
  });
  return x;
}
