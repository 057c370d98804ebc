/** How episodes ended lately: what Stable-Baselines3 calls rollout/ep_*_mean, over the last 100 finished ones. */

export interface FinishedEpisode {
  /** Sum of the rewards that the learner saw. */
  readonly return: number;
  /** Control steps. */
  readonly length: number;
  /** False where the time limit ended it. */
  readonly fell: boolean;
  /** The simulation broke down (NaN or a MuJoCo warning). */
  readonly unstable: boolean;
}

export const WINDOW = 100;

export interface EpisodeWindow {
  /** Newest last, at most {@link WINDOW}. */
  readonly episodes: readonly FinishedEpisode[];
  /** Finished since the run began. */
  readonly total: number;
}

export const emptyWindow: EpisodeWindow = { episodes: [], total: 0 };

export function withEpisodes(window: EpisodeWindow, finished: readonly FinishedEpisode[]): EpisodeWindow {
  return { episodes: [...window.episodes, ...finished].slice(-WINDOW), total: window.total + finished.length };
}

/** Means over the window; null before any episode has finished, so that a curve has a gap there and no zero. */
export function windowMeans(window: EpisodeWindow): { return: number; length: number; fallRate: number; unstableRate: number } | null {
  const n = window.episodes.length;
  if (n === 0) return null;
  const mean = (value: (episode: FinishedEpisode) => number): number =>
    window.episodes.reduce((sum, episode) => sum + value(episode), 0) / n;
  return {
    return: mean((episode) => episode.return),
    length: mean((episode) => episode.length),
    fallRate: mean((episode) => Number(episode.fell)),
    unstableRate: mean((episode) => Number(episode.unstable)),
  };
}
