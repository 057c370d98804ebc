/** PPO's loss in double precision, written out from its formulas and independent of native/. */
import type { LearnerOptions, NetworkSpec, ParameterTensor, RolloutBatch, UpdateSettings } from '../../worker/training/learner.ts';

export interface ReferenceLoss {
  readonly loss: number;
  /** Share of the rows whose surrogate is cut off by the clip. */
  readonly cut: number;
  /** Mean of (r − 1) − log r over the samples, without mirror images. */
  readonly kl: number;
}

export interface LossInputs {
  readonly options: LearnerOptions;
  readonly layout: readonly ParameterTensor[];
  readonly batch: RolloutBatch;
  readonly advantages: Float32Array;
  readonly returns: Float32Array;
  readonly settings: UpdateSettings;
}

/** @param parameters flat, in double precision, so that small differences of them count */
export function referenceLoss(
  { options, layout, batch, advantages, returns, settings }: LossInputs,
  parameters: Float64Array,
): ReferenceLoss {
  const { network } = options;
  const { observationSize, actionSize } = network;
  const samples = batch.steps * batch.environments;
  const logStd = parameters.subarray(parameters.length - actionSize);
  const scaled = settings.normalizeAdvantages ? normalized(advantages) : Float64Array.from(advantages);
  let policyLoss = 0;
  let valueLoss = 0;
  let cut = 0;
  let kl = 0;
  const images = options.mirror ? [null, options.mirror] : [null];
  for (const mirror of images) {
    for (let s = 0; s < samples; s++) {
      const observation = part(batch.observations, s, observationSize, mirror?.observationIndex, mirror?.observationSign);
      const action = part(batch.actions, s, actionSize, mirror?.actionIndex, mirror?.actionSign);
      const input = options.normalizeObservations ? normalizedObservation(observation, options.normalizer) : observation;
      const mean = forward(network, 'policy', layout, parameters, input);
      const [value] = forward(network, 'value', layout, parameters, input) as [number];
      const logRatio = logDensity(action, mean, logStd) - batch.logProbs[s]!;
      const ratio = Math.exp(logRatio);
      const bounded = Math.min(Math.max(ratio, 1 - settings.clipRange), 1 + settings.clipRange);
      const advantage = scaled[s]!;
      policyLoss -= Math.min(ratio * advantage, bounded * advantage);
      if (bounded * advantage < ratio * advantage) cut++;
      if (mirror === null) kl += (ratio - 1 - logRatio) / samples;
      valueLoss += (value - returns[s]!) ** 2;
    }
  }
  const rows = samples * images.length;
  const entropy = logStd.reduce((sum, x) => sum + x + 0.5 * Math.log(2 * Math.PI * Math.E), 0);
  const loss = policyLoss / rows + (settings.valueCoefficient * valueLoss) / rows - settings.entropyCoefficient * entropy;
  return { loss, cut: cut / rows, kl };
}

function normalized(x: Float32Array): Float64Array {
  const mean = x.reduce((sum, a) => sum + a, 0) / x.length;
  const deviation = Math.sqrt(x.reduce((sum, a) => sum + (a - mean) ** 2, 0) / (x.length - 1));
  return Float64Array.from(x, (a) => (a - mean) / (deviation + 1e-8));
}

function part(all: Float32Array, row: number, size: number, index?: Int32Array, sign?: Float32Array): number[] {
  return Array.from({ length: size }, (_, i) => (index && sign ? sign[i]! * all[row * size + index[i]!]! : all[row * size + i]!));
}

export function normalizedObservation(x: readonly number[], normalizer: Float64Array): number[] {
  return x.map((value, i) => Math.min(Math.max((value - normalizer[i]!) / Math.sqrt(normalizer[x.length + i]! + 1e-8), -10), 10));
}

export function forward(
  network: NetworkSpec,
  name: 'policy' | 'value',
  layout: readonly ParameterTensor[],
  parameters: ArrayLike<number>,
  input: readonly number[],
): number[] {
  const layers = (name === 'policy' ? network.policyHidden : network.valueHidden).length + 1;
  let x = input;
  for (let layer = 0; layer < layers; layer++) {
    const weight = layout.find((tensor) => tensor.name === `${name}.${layer}.weight`)!;
    const bias = layout.find((tensor) => tensor.name === `${name}.${layer}.bias`)!;
    const before = x;
    x = Array.from({ length: bias.shape[0]! }, (_, o) => {
      let sum = parameters[bias.offset + o]!;
      for (let i = 0; i < before.length; i++) sum += parameters[weight.offset + o * before.length + i]! * before[i]!;
      if (layer + 1 === layers) return sum;
      return network.activation === 'tanh' ? Math.tanh(sum) : sum > 0 ? sum : Math.expm1(sum);
    });
  }
  return [...x];
}

export function logDensity(action: readonly number[], mean: readonly number[], logStd: ArrayLike<number>): number {
  return action.reduce(
    (sum, a, i) => sum - 0.5 * ((a - mean[i]!) / Math.exp(logStd[i]!)) ** 2 - logStd[i]! - 0.5 * Math.log(2 * Math.PI),
    0,
  );
}
