import type { MetricsLine } from '../protocol/run.ts';
import { type EpisodeWindow, windowMeans } from './episode_statistics.ts';
import type { UpdateSettings, UpdateStats } from './learner.ts';

/** What is known after one iteration. */
export interface Iteration {
  /** Environment steps of the run so far, this iteration included. */
  readonly step: number;
  readonly iteration: number;
  /** Seconds this run has trained, over all its processes. */
  readonly elapsed: number;
  readonly rolloutSeconds: number;
  readonly updateSeconds: number;
  /** Environment steps of this iteration. */
  readonly batchSize: number;
  readonly window: EpisodeWindow;
  readonly stats: UpdateStats;
  /** The figures of this update. */
  readonly ppo: UpdateSettings;
  /** Mean a control step of each weighted reward term, by name, before the reward is clipped at zero. */
  readonly rewardTerms: Readonly<Record<string, number>>;
  /** Passes over a batch, of the run so far. */
  readonly epochs: number;
}

/** One line of metrics.jsonl; tags are Stable-Baselines3's where it has one. A figure that does not exist yet is left out. */
export function metricsLine(it: Iteration): MetricsLine {
  const { stats } = it;
  const means = windowMeans(it.window);
  const line: MetricsLine = {
    step: it.step,
    'time/iterations': it.iteration,
    'time/time_elapsed': it.elapsed,
    'time/fps': it.batchSize / (it.rolloutSeconds + it.updateSeconds),
    'time/rollout_seconds': it.rolloutSeconds,
    'time/update_seconds': it.updateSeconds,
    'time/total_timesteps': it.step,
    'episodes/total': it.window.total,
    'train/approx_kl': stats.approxKl,
    'train/clip_fraction': stats.clipFraction,
    'train/clip_range': it.ppo.clipRange,
    'train/entropy_loss': -stats.entropy,
    'train/explained_variance': stats.explainedVariance,
    'train/gradient_norm': stats.gradientNorm,
    'train/learning_rate': stats.learningRate,
    'train/loss': stats.policyLoss + it.ppo.valueCoefficient * stats.valueLoss - it.ppo.entropyCoefficient * stats.entropy,
    'train/n_updates': it.epochs,
    'train/policy_gradient_loss': stats.policyLoss,
    'train/std': stats.std,
    'train/value_loss': stats.valueLoss,
  };
  if (means) {
    line['rollout/ep_rew_mean'] = means.return;
    line['rollout/ep_len_mean'] = means.length;
    line['episodes/fall_rate'] = means.fallRate;
    line['episodes/unstable_rate'] = means.unstableRate;
  }
  for (const [term, value] of Object.entries(it.rewardTerms)) line[`reward_components/${term}`] = value;
  return line;
}
