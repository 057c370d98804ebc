import type { Engine } from '../physics/engine.ts';
import type { FinishedEpisode } from './episode_statistics.ts';
import type { LearnerAddon } from './learner.ts';
import { RANDOM_WORDS } from './rollout_buffers.ts';
import type { RolloutThreadData } from './rollout_messages.ts';
import type { TrainingEnvironment, TrainingTask } from './training_tasks.ts';

export interface Rollout {
  /** Fills this thread's columns of the shared rollout; returns the episodes that ended meanwhile. */
  collect(): FinishedEpisode[];
  dispose(): void;
}

/**
 * One thread's environments under the shared network. Each keeps its own generator and noise counter, so what an
 * environment lives through depends on the seed alone, not on how environments are spread over threads.
 */
export function openRollout(data: RolloutThreadData, engine: Engine, addon: LearnerAddon, task: TrainingTask): Rollout {
  const { shared, from, to, network } = data;
  const { batch, shape } = shared;
  const { observationSize: O, actionSize: A, steps: T, environments: N, rewardTerms } = shape;
  const count = to - from;

  const actor = new addon.Actor({
    network,
    parameters: shared.network.parameters,
    normalizer: shared.network.normalizer,
    normalizeObservations: data.settings.network.normalizeObservations,
    seed: data.seed,
    minLogStd: data.settings.network.minLogStd,
    maxLogStd: data.settings.network.maxLogStd,
  });
  const world = task.open(engine, data.settings);
  const environments: TrainingEnvironment[] = [];
  for (let n = from; n < to; n++) {
    const environment = world.newEnvironment(shared.current.subarray(n * O, (n + 1) * O), data.seed, n);
    if (data.restore) environment.restore(shared.states.subarray(n * shape.stateSize), shared.randoms.subarray(n * RANDOM_WORDS));
    else environment.start();
    environments.push(environment);
  }

  // Views made once: the loop below allocates nothing.
  const streams = Uint32Array.from({ length: count }, (_, i) => from + i);
  const counters = shared.counters.subarray(from, to);
  const seen = shared.current.subarray(from * O, to * O);
  const column = <V extends { subarray(from: number, to: number): V }>(array: V, width: number): V[] =>
    Array.from({ length: T }, (_, t) => array.subarray((t * N + from) * width, (t * N + to) * width));
  const observations = column(batch.observations, O);
  const actions = column(batch.actions, A);
  const logProbs = column(batch.logProbs, 1);
  const values = column(batch.values, 1);
  const lastValues = batch.lastValues.subarray(from, to);
  const terminalValue = new Float32Array(1);

  function endEpisode(environment: TrainingEnvironment, n: number, finished: FinishedEpisode[]): void {
    finished.push({
      return: shared.returns[n]!,
      length: shared.lengths[n]!,
      fell: environment.terminated,
      unstable: environment.unstable,
    });
    shared.returns[n] = 0;
    shared.lengths[n] = 0;
    environment.reset();
  }

  function stepAll(t: number, finished: FinishedEpisode[]): void {
    const action = actions[t]!;
    for (let i = 0; i < count; i++) {
      const environment = environments[i]!;
      const n = from + i;
      const at = t * N + n;
      environment.step(action, i * A);
      batch.rewards[at] = environment.reward;
      shared.returns[n]! += environment.reward;
      shared.lengths[n]!++;
      const terms = environment.rewardTerms;
      for (let k = 0; k < rewardTerms; k++) shared.termSums[n * rewardTerms + k]! += terms[k]!;
      const truncated = environment.truncated && !environment.terminated;
      batch.terminated[at] = environment.terminated ? 1 : 0;
      batch.truncated[at] = truncated ? 1 : 0;
      if (truncated) {
        actor.value(environment.observation, terminalValue);
        batch.terminalValues[at] = terminalValue[0]!;
      }
      counters[i]!++;
      if (environment.terminated || truncated) endEpisode(environment, n, finished);
    }
  }

  return {
    collect() {
      const finished: FinishedEpisode[] = [];
      actor.refresh();
      world.setReward(shared.reward);
      shared.termSums.fill(0, from * rewardTerms, to * rewardTerms);
      for (let t = 0; t < T; t++) {
        observations[t]!.set(seen);
        actor.sample(observations[t]!, streams, counters, actions[t]!, logProbs[t]!, values[t]!);
        stepAll(t, finished);
      }
      actor.value(seen, lastValues);
      environments.forEach((environment, i) => {
        const n = from + i;
        environment.save(shared.states.subarray(n * shape.stateSize, (n + 1) * shape.stateSize), shared.randoms.subarray(n * RANDOM_WORDS));
      });
      return finished;
    },
    dispose() {
      actor.dispose();
      world.dispose();
    },
  };
}
