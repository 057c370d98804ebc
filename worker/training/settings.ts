import type { Activation } from './learner.ts';
import type { Schedule } from './schedule.ts';

/** Everything that decides what a run learns, besides the seed. Recorded whole in run_config.json. */
export interface TrainingSettings {
  readonly preset: string;
  readonly network: {
    readonly policyHidden: readonly number[];
    readonly valueHidden: readonly number[];
    readonly activation: Activation;
    readonly normalizeObservations: boolean;
    /** log σ of the untrained policy, and its bounds. */
    readonly initialLogStd: number;
    readonly minLogStd: number;
    readonly maxLogStd: number;
  };
  readonly rollout: {
    /** Environments over all threads. */
    readonly environments: number;
    /** Control steps an environment makes in one iteration. */
    readonly steps: number;
  };
  readonly ppo: {
    readonly gamma: number;
    readonly lambda: number;
    readonly epochs: number;
    /** Samples, mirror images not counted. */
    readonly minibatchSize: number;
    /** Of Adam. With `adaptiveRate` the value at step 0 is where it starts. */
    readonly learningRate: Schedule;
    /** Let the rate follow the KL between `min` and `max`. */
    readonly adaptiveRate: { readonly targetKl: number; readonly min: Schedule; readonly max: Schedule } | null;
    readonly clipRange: number;
    readonly valueCoefficient: number;
    readonly entropyCoefficient: Schedule;
    readonly maxGradientNorm: number;
    readonly normalizeAdvantages: boolean;
    /** Stop an update before the step whose approximate KL exceeds 1.5 times this. */
    readonly targetKl: number | null;
    /** Each sample counts together with its left–right mirror image. */
    readonly mirror: boolean;
  };
  readonly reward: {
    /** Weights that differ from the task's own, by term. */
    readonly weights: Readonly<Record<string, Schedule>>;
    /** Width of exp(−e/width) in tracking_lin_vel, (m/s)². */
    readonly linearKernel: Schedule;
    /** Width in tracking_ang_vel, (rad/s)². */
    readonly yawKernel: Schedule;
  };
  readonly commands: {
    /** Chance that a command is zero. */
    readonly zeroProbability: number;
    /** Chance that a command is drawn from a tenth to half of its range. */
    readonly lowSpeedProbability: number;
    /** Chance that only one of vx, vy, wz is not zero. */
    readonly singleAxisProbability: number;
    /** Seconds after which an episode gets a new command; null: never. */
    readonly resampleSeconds: number | null;
  };
}
