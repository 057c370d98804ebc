import type { EpisodeResult } from './episode.ts';
import { SCENARIO_NAMES, TRANSLATIONS } from './protocol.ts';
import { mean } from './statistics.ts';

export interface ScenarioSummary {
  readonly episodes: number;
  readonly completed: number;
  readonly survival_ratio: number;
  readonly completion_rate: number;
  readonly episode_return: number;
  /** m/s */
  readonly linear_rmse: number;
  /** rad/s */
  readonly yaw_rmse: number;
  readonly tilt_deg: number;
  /** Mean of the episodes' mean velocities, m/s and rad/s. */
  readonly vx_mean: number;
  readonly vy_mean: number;
  readonly wz_mean: number;
}

export interface BenchmarkSummary {
  /** 100·(0.40·S + 0.30·exp(−L/0.25) + 0.20·exp(−W/0.5) + 0.10·exp(−T/15)) */
  readonly score: number;
  /** S: mean over all episodes. */
  readonly survival_ratio: number;
  readonly completion_rate: number;
  readonly episode_return: number;
  /** L: mean linear RMSE of forward, backward and lateral, m/s. */
  readonly translation_rmse: number;
  /** W: mean yaw RMSE of the yaw scenario, rad/s. */
  readonly yaw_command_rmse: number;
  /** Over all episodes, m/s. */
  readonly linear_rmse: number;
  /** Over all episodes, rad/s. */
  readonly yaw_rmse: number;
  /** T: mean over all episodes. */
  readonly tilt_deg: number;
  readonly by_scenario: Readonly<Record<string, ScenarioSummary>>;
}

export function summarizeScenario(episodes: readonly EpisodeResult[]): ScenarioSummary {
  const average = (value: (episode: EpisodeResult) => number): number => mean(episodes.map(value));
  const completed = episodes.filter((episode) => episode.completed).length;
  return {
    episodes: episodes.length,
    completed,
    survival_ratio: average((e) => e.survival_ratio),
    completion_rate: completed / episodes.length,
    episode_return: average((e) => e.episode_return),
    linear_rmse: average((e) => e.linear_rmse),
    yaw_rmse: average((e) => e.yaw_rmse),
    tilt_deg: average((e) => e.tilt_deg),
    vx_mean: average((e) => e.vx_mean),
    vy_mean: average((e) => e.vy_mean),
    wz_mean: average((e) => e.wz_mean),
  };
}

/** The benchmark's figures from its 15 episodes. */
export function summarize(episodes: readonly EpisodeResult[]): BenchmarkSummary {
  const by = (names: readonly string[]): EpisodeResult[] => episodes.filter((episode) => names.includes(episode.scenario));
  const { vx_mean, vy_mean, wz_mean, episodes: count, completed, ...all } = summarizeScenario(episodes);
  const translation = mean(by(TRANSLATIONS).map((e) => e.linear_rmse));
  const yaw = mean(by(['yaw']).map((e) => e.yaw_rmse));
  return {
    score:
      100 *
      (0.4 * all.survival_ratio + 0.3 * Math.exp(-translation / 0.25) + 0.2 * Math.exp(-yaw / 0.5) + 0.1 * Math.exp(-all.tilt_deg / 15)),
    ...all,
    translation_rmse: translation,
    yaw_command_rmse: yaw,
    by_scenario: Object.fromEntries(SCENARIO_NAMES.map((name) => [name, summarizeScenario(by([name]))])),
  };
}
