import type { UpdateSettings } from './learner.ts';
import { valueAt } from './schedule.ts';
import type { TrainingSettings } from './settings.ts';

/** PPO's figures at an environment step, from the run's schedules. */
export function updateSettingsAt(ppo: TrainingSettings['ppo'], step: number): UpdateSettings {
  return {
    gamma: ppo.gamma,
    lambda: ppo.lambda,
    epochs: ppo.epochs,
    minibatchSize: ppo.minibatchSize,
    learningRate: valueAt(ppo.learningRate, step),
    clipRange: ppo.clipRange,
    valueCoefficient: ppo.valueCoefficient,
    entropyCoefficient: valueAt(ppo.entropyCoefficient, step),
    maxGradientNorm: ppo.maxGradientNorm,
    normalizeAdvantages: ppo.normalizeAdvantages,
    targetKl: ppo.targetKl,
    adaptiveRate: ppo.adaptiveRate && {
      targetKl: ppo.adaptiveRate.targetKl,
      min: valueAt(ppo.adaptiveRate.min, step),
      max: valueAt(ppo.adaptiveRate.max, step),
    },
  };
}
