import type {
  Activation,
  ActorOptions,
  LearnerAddon,
  LearnerOptions,
  MirrorSpec,
  NetworkSpec,
  RolloutBatch,
  UpdateSettings,
} from '../../worker/training/learner.ts';
import { randomNumbers } from '../policies/plain_forward.ts';

/** Odd widths, so that no vector of any instruction set fits. */
export function smallNetwork(activation: Activation = 'elu'): NetworkSpec {
  return { observationSize: 7, actionSize: 3, policyHidden: [9, 6], valueHidden: [5], activation };
}

export function parameterCount(addon: LearnerAddon, network: NetworkSpec): number {
  const last = addon.parameterLayout(network).at(-1)!;
  return last.offset + last.shape.reduce((product, size) => product * size, 1);
}

/** Swaps and flips parts, as a left-right mirror does; made for smallNetwork. */
export const smallMirror: MirrorSpec = {
  observationIndex: Int32Array.of(0, 1, 2, 4, 3, 6, 5),
  observationSign: Float32Array.of(1, -1, 1, -1, -1, 1, 1),
  actionIndex: Int32Array.of(1, 0, 2),
  actionSign: Float32Array.of(-1, -1, 1),
};

export function learnerOptions(addon: LearnerAddon, network: NetworkSpec, changes: Partial<LearnerOptions> = {}): LearnerOptions {
  const parameters = new Float32Array(parameterCount(addon, network));
  const normalizer = new Float64Array(2 * network.observationSize + 1).fill(1, network.observationSize, 2 * network.observationSize);
  return {
    network,
    parameters,
    normalizer,
    normalizeObservations: true,
    threads: 2,
    seed: 5,
    initialLogStd: -0.4,
    minLogStd: -3,
    maxLogStd: 1,
    mirror: null,
    ...changes,
  };
}

export function actorOptions(
  { network, parameters, normalizer, normalizeObservations, minLogStd, maxLogStd }: LearnerOptions,
  seed = 11,
): ActorOptions {
  return { network, parameters, normalizer, normalizeObservations, minLogStd, maxLogStd, seed };
}

/** Parameters and a normalizer that make every layer matter. */
export function fillParameters(options: LearnerOptions, seed = 3): void {
  const random = randomNumbers(seed);
  const { parameters, normalizer } = options;
  const { observationSize, actionSize } = options.network;
  for (let i = 0; i < parameters.length; i++) parameters[i] = 0.6 * random();
  for (let i = parameters.length - actionSize; i < parameters.length; i++) parameters[i] = -0.5 + 0.3 * random();
  for (let i = 0; i < observationSize; i++) {
    normalizer[i] = 0.5 * random();
    normalizer[observationSize + i] = 1 + 0.5 * random();
  }
  normalizer[2 * observationSize] = 1000;
}

/** A batch sampled by an actor of these options, with rewards, falls and time limits that a seed decides. */
export function sampleBatch(addon: LearnerAddon, options: LearnerOptions, steps: number, environments: number, seed = 17): RolloutBatch {
  const random = randomNumbers(seed);
  const size = steps * environments;
  const { observationSize, actionSize } = options.network;
  const fill = (length: number): Float32Array => Float32Array.from({ length }, () => 2 * random());
  const batch = {
    steps,
    environments,
    observations: fill(size * observationSize),
    actions: new Float32Array(size * actionSize),
    logProbs: new Float32Array(size),
    values: new Float32Array(size),
    rewards: fill(size),
    terminated: Uint8Array.from({ length: size }, () => Number(random() > 0.8)),
    truncated: Uint8Array.from({ length: size }, () => Number(random() > 0.8)),
    terminalValues: fill(size),
    lastValues: fill(environments),
  };
  const actor = new addon.Actor(actorOptions(options));
  const streams = Uint32Array.from({ length: size }, (_, i) => i % environments);
  const counters = Uint32Array.from({ length: size }, (_, i) => Math.floor(i / environments));
  actor.sample(batch.observations, streams, counters, batch.actions, batch.logProbs, batch.values);
  actor.dispose();
  return batch;
}

export const plainSettings: UpdateSettings = {
  gamma: 0.97,
  lambda: 0.95,
  epochs: 1,
  minibatchSize: 1_000_000,
  learningRate: 1e-3,
  clipRange: 0.2,
  valueCoefficient: 0.7,
  entropyCoefficient: 0.01,
  maxGradientNorm: 1e9,
  normalizeAdvantages: false,
  targetKl: null,
  adaptiveRate: null,
};
