/**
 * What a native learner addon offers. One addon a device (`leash_learner_cpu.node`, later `leash_learner_hip.node`),
 * all with these exports. JavaScript allocates every buffer (plain or shared); an addon only takes views of them.
 */

import type { NetworkSpec, ParameterTensor } from '../protocol/network.ts';
import type { MirrorSpec } from '../tasks/mirror_spec.ts';

export { type Activation, type NetworkSpec, NORMALIZER_CLIP, NORMALIZER_EPSILON, type ParameterTensor } from '../protocol/network.ts';
export type { MirrorSpec } from '../tasks/mirror_spec.ts';

export interface NetworkBuffers {
  readonly network: NetworkSpec;
  /** Flat parameters [P]; on a SharedArrayBuffer so that the actors of other threads see the learner's updates. */
  readonly parameters: Float32Array;
  /** [2·observationSize + 1], see above. */
  readonly normalizer: Float64Array;
  /** Without it the normalizer is neither applied nor updated. */
  readonly normalizeObservations: boolean;
}

export interface LearnerOptions extends NetworkBuffers {
  /** Worker threads of the addon; the same seed and count give the same bits. */
  readonly threads: number;
  /** For initialization (orthogonal, gains √2 hidden, 0.01 policy output, 1 value output) and the order of minibatches. */
  readonly seed: number;
  readonly initialLogStd: number;
  readonly minLogStd: number;
  readonly maxLogStd: number;
  readonly mirror: MirrorSpec | null;
}

/** [T, N] is time-major: index t·N + n. Observations are raw (not normalized); actions as sampled (not clipped). */
export interface RolloutBatch {
  readonly steps: number;
  readonly environments: number;
  /** [T, N, observationSize] */
  readonly observations: Float32Array;
  /** [T, N, actionSize] */
  readonly actions: Float32Array;
  /** [T, N] */
  readonly logProbs: Float32Array;
  readonly values: Float32Array;
  readonly rewards: Float32Array;
  /** 1 where the step ended in a true terminal state (a fall); wins over truncated. */
  readonly terminated: Uint8Array;
  /** 1 where the time limit ended it. */
  readonly truncated: Uint8Array;
  /** [T, N] value of the terminal observation where truncated, else unused. */
  readonly terminalValues: Float32Array;
  /** [N] value of the observation after the last step. */
  readonly lastValues: Float32Array;
}

export interface UpdateSettings {
  readonly gamma: number;
  readonly lambda: number;
  readonly epochs: number;
  /** Samples in a minibatch, mirror images not counted. */
  readonly minibatchSize: number;
  readonly learningRate: number;
  readonly clipRange: number;
  readonly valueCoefficient: number;
  readonly entropyCoefficient: number;
  readonly maxGradientNorm: number;
  readonly normalizeAdvantages: boolean;
  /** Stop the update before the step of a minibatch whose approximate KL exceeds 1.5 times this. null: never. */
  readonly targetKl: number | null;
  /** Before each step: rate ·1.5 where the minibatch’s KL < target/2, /1.5 where it is > 2·target, within bounds. null: fixed rate. */
  readonly adaptiveRate: { readonly targetKl: number; readonly min: number; readonly max: number } | null;
}

export interface UpdateStats {
  /** Mean over the minibatches that were stepped. */
  readonly policyLoss: number;
  readonly valueLoss: number;
  readonly entropy: number;
  /** Of the samples alone: their mirror images differ by the policy's asymmetry before the first step already. */
  readonly approxKl: number;
  readonly clipFraction: number;
  readonly gradientNorm: number;
  readonly explainedVariance: number;
  /** exp(log σ), mean over the actions. */
  readonly std: number;
  /** At the end of the update. */
  readonly learningRate: number;
  readonly gradientSteps: number;
  readonly epochsDone: number;
  readonly stoppedByKl: boolean;
  /** The first loss or gradient that was not finite, in words; the parameters are then those before that step. */
  readonly notFinite: string | null;
}

export interface LearnerState {
  /** Adam's first and second moments [P] and step count. */
  readonly adamMean: Float32Array;
  readonly adamVariance: Float32Array;
  readonly adamStep: number;
  /** State of the generator that shuffles minibatches. */
  readonly random: BigUint64Array;
  /** The adaptive rate as it stands; negative before the first update with one. */
  readonly learningRate: number;
}

export interface Learner {
  /** One PPO update off the JavaScript thread: advantages, epochs of minibatches, then the normalizer from this batch. */
  update(batch: RolloutBatch, settings: UpdateSettings): Promise<UpdateStats>;
  exportState(): LearnerState;
  /** @throws when sizes differ. */
  importState(state: LearnerState): void;
  dispose(): void;
}

/** Acts with a network's shared buffers; one a thread. */
export interface Actor {
  /** Takes in the parameters and normalizer as they are now (repacks weights); call after each update. */
  refresh(): void;
  /**
   * Samples actions. Noise is a pure function of (seed, stream, counter): it does not depend on batching or threads.
   * @param observations [n, observationSize] raw
   * @param streams [n] one number an environment
   * @param counters [n] control steps that environment has acted in this run
   * @param actions out [n, actionSize] not clipped  @param logProbs out [n]  @param values out [n]
   */
  sample(
    observations: Float32Array,
    streams: Uint32Array,
    counters: Uint32Array,
    actions: Float32Array,
    logProbs: Float32Array,
    values: Float32Array,
  ): void;
  /** Mean actions, out [n, actionSize], not clipped. */
  mean(observations: Float32Array, actions: Float32Array): void;
  /** out [n] */
  value(observations: Float32Array, values: Float32Array): void;
  dispose(): void;
}

export interface ActorOptions extends NetworkBuffers {
  /** Of the action noise. */
  readonly seed: number;
  readonly minLogStd: number;
  readonly maxLogStd: number;
}

export interface LossAndGradient {
  readonly loss: number;
  readonly gradient: Float32Array;
}

export interface LearnerAddon {
  readonly device: string;
  /** Instruction set in use, for example `avx512f`. */
  readonly simd: string;
  parameterLayout(network: NetworkSpec): ParameterTensor[];
  readonly Learner: new (options: LearnerOptions) => Learner;
  readonly Actor: new (options: ActorOptions) => Actor;
  /** Generalized advantage estimation alone; out arrays are [T, N]. */
  advantages(batch: RolloutBatch, gamma: number, lambda: number, advantages: Float32Array, returns: Float32Array): void;
  /** For tests: the whole loss of one minibatch and its gradient before clipping, from given advantages and returns. */
  lossAndGradient(
    options: LearnerOptions,
    batch: RolloutBatch,
    advantages: Float32Array,
    returns: Float32Array,
    settings: UpdateSettings,
  ): LossAndGradient;
  /** out = a·bᵀ for the bench: a [m, k], b [n, k], repeated. Returns seconds. */
  timeMatrixProduct(m: number, n: number, k: number, repeats: number, threads: number): number;
  /** For the bench: floating-point operations a second of multiply-adds that wait for no memory. */
  arithmeticPeak(threads: number): number;
}
