import type { RolloutBatch } from './learner.ts';

/** Sizes of a rollout: T control steps of N environments. */
export interface RolloutShape {
  readonly steps: number;
  readonly environments: number;
  readonly observationSize: number;
  readonly actionSize: number;
  readonly rewardTerms: number;
  /** Numbers in one environment's saved state. */
  readonly stateSize: number;
  /** Flat parameters of the network. */
  readonly parameters: number;
}

/**
 * What rollout threads and the learner share, all on SharedArrayBuffers: threads write their own environments' columns,
 * the learner reads once all are done.
 */
export interface SharedRollout {
  readonly shape: RolloutShape;
  /** [T, N, …] as the learner takes it. */
  readonly batch: RolloutBatch;
  /** [N, observationSize] what each environment sees now: where the next rollout starts. */
  readonly current: Float32Array;
  /** [N, stateSize] each environment as it stands after the last rollout. */
  readonly states: Float64Array;
  /** [N] control steps each environment has acted in this run; the counter of its action noise. */
  readonly counters: Uint32Array;
  /** [N, RANDOM_WORDS] each environment's generator, for resets and commands. */
  readonly randoms: BigUint64Array;
  /** [N] return so far of each environment's running episode. */
  readonly returns: Float64Array;
  /** [N] control steps so far of each environment's running episode. */
  readonly lengths: Uint32Array;
  /** [N, rewardTerms] sum of each weighted term over the rollout, before the step's reward is clipped. */
  readonly termSums: Float64Array;
  readonly network: { readonly parameters: Float32Array; readonly normalizer: Float64Array };
  /** [rewardTerms + 2] the reward in force: weights, linear kernel, yaw kernel. */
  readonly reward: Float64Array;
}

/** 64-bit words that hold a PCG64 generator: state high, low, increment high, low. */
export const RANDOM_WORDS = 4;

export function allocateRollout(shape: RolloutShape): SharedRollout {
  const { steps: T, environments: N, observationSize: O, actionSize: A } = shape;
  const f32 = (n: number): Float32Array => new Float32Array(new SharedArrayBuffer(4 * n));
  const f64 = (n: number): Float64Array => new Float64Array(new SharedArrayBuffer(8 * n));
  const u8 = (n: number): Uint8Array => new Uint8Array(new SharedArrayBuffer(n));
  return {
    shape,
    batch: {
      steps: T,
      environments: N,
      observations: f32(T * N * O),
      actions: f32(T * N * A),
      logProbs: f32(T * N),
      values: f32(T * N),
      rewards: f32(T * N),
      terminated: u8(T * N),
      truncated: u8(T * N),
      terminalValues: f32(T * N),
      lastValues: f32(N),
    },
    current: f32(N * O),
    states: f64(N * shape.stateSize),
    counters: new Uint32Array(new SharedArrayBuffer(4 * N)),
    randoms: new BigUint64Array(new SharedArrayBuffer(8 * RANDOM_WORDS * N)),
    returns: f64(N),
    lengths: new Uint32Array(new SharedArrayBuffer(4 * N)),
    termSums: f64(N * shape.rewardTerms),
    network: { parameters: f32(shape.parameters), normalizer: f64(2 * O + 1) },
    reward: f64(shape.rewardTerms + 2),
  };
}

/** Environments `[from, to)` of thread `index` of `threads`; the first threads take one more where it does not divide. */
export function share(environments: number, threads: number, index: number): { from: number; to: number } {
  const base = Math.floor(environments / threads);
  const rest = environments % threads;
  const from = index * base + Math.min(index, rest);
  return { from, to: from + base + (index < rest ? 1 : 0) };
}
