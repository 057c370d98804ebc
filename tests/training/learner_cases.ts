import type { LearnerAddon, LearnerOptions, MirrorSpec, NetworkSpec, RolloutBatch, UpdateSettings } from '../../worker/training/learner.ts';
import { loadLearnerAddon } from '../../worker/training/learner_addon.ts';
import { parameterCount } from '../../worker/training/network_spec.ts';

/** Every addon that is built here; the same tests run on each. */
export const addons: readonly LearnerAddon[] = [loadLearnerAddon()];

/** A small generator of our own for test data (mulberry32), so that a failure can be repeated. */
export function testRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const smallNetwork: NetworkSpec = { observationSize: 5, actionSize: 3, policyHidden: [7, 6], valueHidden: [9], activation: 'tanh' };

export const smallMirror: MirrorSpec = {
  observationIndex: Int32Array.from([0, 2, 1, 3, 4]),
  observationSign: Float32Array.from([1, -1, -1, 1, -1]),
  actionIndex: Int32Array.from([1, 0, 2]),
  actionSign: Float32Array.from([-1, -1, 1]),
};

export const settings: UpdateSettings = {
  gamma: 0.97,
  lambda: 0.9,
  epochs: 2,
  minibatchSize: 8,
  learningRate: 1e-3,
  clipRange: 0.2,
  valueCoefficient: 0.7,
  entropyCoefficient: 0.01,
  maxGradientNorm: 1e9,
  normalizeAdvantages: false,
  targetKl: null,
  adaptiveRate: null,
};

export function learnerOptions(addon: LearnerAddon, change: Partial<LearnerOptions> = {}): LearnerOptions {
  const network = change.network ?? smallNetwork;
  const count = parameterCount(addon.parameterLayout(network));
  return {
    network,
    parameters: new Float32Array(new SharedArrayBuffer(4 * count)),
    normalizer: new Float64Array(new SharedArrayBuffer(8 * (2 * network.observationSize + 1))),
    normalizeObservations: false,
    threads: 2,
    seed: 3,
    initialLogStd: -0.4,
    minLogStd: -3,
    maxLogStd: 1,
    mirror: null,
    ...change,
  };
}

/** A batch of random numbers whose stored log-probabilities are off by up to ± `spread`, so that some ratios are clipped. */
export function randomBatch(network: NetworkSpec, steps: number, environments: number, spread: number, seed = 1): RolloutBatch {
  const random = testRandom(seed);
  const n = steps * environments;
  const fill = (count: number, low: number, high: number): Float32Array => Float32Array.from({ length: count }, () => low + (high - low) * random());
  return {
    steps,
    environments,
    observations: fill(n * network.observationSize, -2, 2),
    actions: fill(n * network.actionSize, -1, 1),
    logProbs: fill(n, -2.6 - spread, -2.6 + spread),
    values: fill(n, -1, 1),
    rewards: fill(n, -1, 1),
    terminated: Uint8Array.from({ length: n }, () => (random() < 0.15 ? 1 : 0)),
    truncated: Uint8Array.from({ length: n }, () => (random() < 0.15 ? 1 : 0)),
    terminalValues: fill(n, -1, 1),
    lastValues: fill(environments, -1, 1),
  };
}
