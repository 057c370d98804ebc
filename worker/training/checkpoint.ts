import { join } from 'node:path';
import { encodeSafetensors, readSafetensors, type Safetensors, tensor, tensorOf } from '../formats/safetensors.ts';
import { UserError } from '../user_error.ts';
import { type EpisodeWindow, emptyWindow } from './episode_statistics.ts';
import type { LearnerState } from './learner.ts';
import { RANDOM_WORDS, type SharedRollout } from './rollout_buffers.ts';
import { CHECKPOINT_FILES } from './run_files.ts';

/** How far a run has come. */
export interface Progress {
  /** Environment steps. */
  readonly step: number;
  readonly iteration: number;
  /** Seconds trained, over all processes. */
  readonly elapsed: number;
  /** Passes over a batch so far, as Stable-Baselines3 counts updates. */
  readonly epochs: number;
  readonly window: EpisodeWindow;
}

export const noProgress: Progress = { step: 0, iteration: 0, elapsed: 0, epochs: 0, window: emptyWindow };

/** learner.safetensors: all that a run needs to go on as if it had never stopped, as bytes taken now. */
export function encodeCheckpoint(shared: SharedRollout, learner: LearnerState, progress: Progress): Uint8Array {
  const { shape, network } = shared;
  const N = shape.environments;
  const episodes = progress.window.episodes;
  const window = Float64Array.from(episodes.flatMap((e) => [e.return, e.length, Number(e.fell), Number(e.unstable)]));
  return encodeSafetensors(
    {
      parameters: tensor(network.parameters),
      normalizer: tensor(network.normalizer),
      adam_mean: tensor(learner.adamMean),
      adam_variance: tensor(learner.adamVariance),
      learner_random: tensor(learner.random),
      observations: tensor(shared.current, [N, shape.observationSize]),
      environment_states: tensor(shared.states, [N, shape.stateSize]),
      environment_randoms: tensor(shared.randoms, [N, RANDOM_WORDS]),
      noise_counters: tensor(shared.counters),
      episode_returns: tensor(shared.returns),
      episode_lengths: tensor(shared.lengths),
      finished_episodes: tensor(window, [episodes.length, 4]),
    },
    {
      step: String(progress.step),
      iteration: String(progress.iteration),
      elapsed: String(progress.elapsed),
      epochs: String(progress.epochs),
      episodes_total: String(progress.window.total),
      adam_step: String(learner.adamStep),
      learning_rate: String(learner.learningRate),
    },
  );
}

/**
 * Restores a checkpoint into the shared buffers.
 * @param folder the checkpoint's
 * @throws UserError when a file is missing, damaged, or of another observation, action, network or number of environments
 *   (the message names both sides).
 */
export function restoreCheckpoint(folder: string, shared: SharedRollout): { learner: LearnerState; progress: Progress } {
  const path = join(folder, CHECKPOINT_FILES.learner);
  return fill(readSafetensors(path), shared);
}

function fill(file: Safetensors, shared: SharedRollout): { learner: LearnerState; progress: Progress } {
  const { shape, network } = shared;
  const { environments: N, observationSize: O, parameters: P } = shape;
  network.parameters.set(tensorOf(file, 'parameters', 'F32', [P]));
  network.normalizer.set(tensorOf(file, 'normalizer', 'F64', [2 * O + 1]));
  shared.current.set(tensorOf(file, 'observations', 'F32', [N, O]));
  shared.states.set(tensorOf(file, 'environment_states', 'F64', [N, shape.stateSize]));
  shared.randoms.set(tensorOf(file, 'environment_randoms', 'U64', [N, RANDOM_WORDS]));
  shared.counters.set(tensorOf(file, 'noise_counters', 'U32', [N]));
  shared.returns.set(tensorOf(file, 'episode_returns', 'F64', [N]));
  shared.lengths.set(tensorOf(file, 'episode_lengths', 'U32', [N]));
  const figure = (key: string): number => {
    const value = Number(file.metadata[key] ?? Number.NaN);
    if (!Number.isFinite(value))
      throw new UserError(`${file.name} says nothing of "${key}"; it is no checkpoint of Leash's trainer, or damaged.`);
    return value;
  };
  const rows = file.tensors.get('finished_episodes')?.shape[0] ?? 0;
  const window = tensorOf(file, 'finished_episodes', 'F64', [rows, 4]);
  return {
    learner: {
      adamMean: tensorOf(file, 'adam_mean', 'F32', [P]),
      adamVariance: tensorOf(file, 'adam_variance', 'F32', [P]),
      adamStep: figure('adam_step'),
      random: tensorOf(file, 'learner_random', 'U64', [4]),
      learningRate: figure('learning_rate'),
    },
    progress: {
      step: figure('step'),
      iteration: figure('iteration'),
      elapsed: figure('elapsed'),
      epochs: figure('epochs'),
      window: {
        total: figure('episodes_total'),
        episodes: Array.from({ length: rows }, (_, i) => ({
          return: window[4 * i]!,
          length: window[4 * i + 1]!,
          fell: window[4 * i + 2] === 1,
          unstable: window[4 * i + 3] === 1,
        })),
      },
    },
  };
}
