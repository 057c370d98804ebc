import type { Engine } from '../physics/engine.ts';
import type { RunConfig } from '../protocol/run.ts';
import type { MirrorSpec } from './learner.ts';
import { pupperTraining } from './pupper_training.ts';
import type { TrainingSettings } from './settings.ts';

/** One environment as a rollout sees it. What a step changes lies in buffers made once. */
export interface TrainingEnvironment {
  /** [observationSize] the view that it was made with. */
  readonly observation: Float32Array;
  readonly reward: number;
  /** [terms] weighted, as in the task's table. */
  readonly rewardTerms: Float64Array;
  readonly terminated: boolean;
  readonly truncated: boolean;
  /** Ended because the simulation broke down. */
  readonly unstable: boolean;
  /** First reset of a run: like {@link reset}, but part of the episode counts as over, so that time limits do not fall together. */
  start(): void;
  reset(): void;
  step(actions: Float32Array, offset: number): void;
  /** Everything that decides how it goes on, generator included; {@link restore} continues to the last bit. */
  save(state: Float64Array, random: BigUint64Array): void;
  restore(state: Float64Array, random: BigUint64Array): void;
}

/** The environments of one thread: one compiled model. */
export interface TrainingWorld {
  /** @param observation view that the environment writes what it sees into */
  newEnvironment(observation: Float32Array, seed: number, index: number): TrainingEnvironment;
  /** The reward in force from now on, as `SharedRollout.reward` lays it out. */
  setReward(reward: Float64Array): void;
  dispose(): void;
}

/** What PPO must know about a task. */
export interface TrainingTask {
  readonly name: string;
  readonly observationSize: number;
  readonly actionSize: number;
  /** The task's own weights, by term, in order. */
  readonly rewardWeights: Readonly<Record<string, number>>;
  readonly mirror: MirrorSpec;
  /** What a policy trained here declares of observation and action. */
  readonly policy: RunConfig['policy'];
  /** Numbers in one environment's saved state. */
  stateSize(engine: Engine): number;
  /** Of what the model's physics depends on; the same from both engines. */
  modelHash(engine: Engine): string;
  open(engine: Engine, settings: TrainingSettings): TrainingWorld;
}

const tasks: Readonly<Record<string, TrainingTask>> = { pupper: pupperTraining };

export const trainingTaskNames = Object.keys(tasks);

/** @throws RangeError naming the tasks there are. */
export function trainingTask(name: string): TrainingTask {
  const task = tasks[name];
  if (!task) throw new RangeError(`No task "${name}"; there is ${trainingTaskNames.join(', ')}.`);
  return task;
}
