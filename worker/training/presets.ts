import type { TrainingSettings } from './settings.ts';

/** The published Stable-Baselines3 settings on the task's own reward and commands. */
const published: TrainingSettings = {
  preset: 'published',
  network: {
    policyHidden: [256, 256],
    valueHidden: [256, 256],
    activation: 'tanh',
    normalizeObservations: false,
    initialLogStd: -0.5,
    minLogStd: -20,
    maxLogStd: 2,
  },
  rollout: { environments: 8, steps: 2048 },
  ppo: {
    gamma: 0.97,
    lambda: 0.95,
    epochs: 4,
    minibatchSize: 512,
    learningRate: 1e-4,
    adaptiveRate: null,
    clipRange: 0.2,
    valueCoefficient: 0.5,
    entropyCoefficient: 1e-3,
    maxGradientNorm: 0.5,
    normalizeAdvantages: true,
    targetKl: 0.02,
    mirror: false,
  },
  reward: { weights: {}, linearKernel: 0.1, yawKernel: 0.25 },
  commands: { zeroProbability: 0.1, lowSpeedProbability: 0, singleAxisProbability: 0, resampleSeconds: null },
};

const M = 1e6;

/**
 * Ours. Wide tracking kernels and a large air-time weight lead away from standing still, which is a strong local
 * optimum of the task's own reward; the kernels then narrow to the task's. The rate's floor falls late, so that the
 * gait settles.
 */
const standard: TrainingSettings = {
  preset: 'default',
  network: {
    policyHidden: [256, 256],
    valueHidden: [256, 256],
    activation: 'elu',
    normalizeObservations: true,
    initialLogStd: -0.2,
    minLogStd: -3,
    maxLogStd: 0.5,
  },
  rollout: { environments: 128, steps: 48 },
  ppo: {
    gamma: 0.98,
    lambda: 0.95,
    epochs: 5,
    minibatchSize: 768,
    learningRate: 1e-3,
    adaptiveRate: {
      targetKl: 0.015,
      min: [
        [0, 1e-4],
        [5.5 * M, 1e-4],
        [9 * M, 1e-5],
      ],
      max: [
        [0, 1e-3],
        [5.5 * M, 1e-3],
        [9 * M, 1e-4],
      ],
    },
    clipRange: 0.2,
    valueCoefficient: 1,
    entropyCoefficient: [
      [0, 0.002],
      [5 * M, 0.002],
      [8 * M, 0],
    ],
    maxGradientNorm: 1,
    normalizeAdvantages: true,
    targetKl: null,
    mirror: true,
  },
  reward: {
    weights: { feet_air_time: 2, tracking_ang_vel: 2 },
    linearKernel: [
      [0, 0.6],
      [6 * M, 0.1],
      [9 * M, 0.06],
    ],
    yawKernel: [
      [0, 1.5],
      [6 * M, 0.25],
      [9 * M, 0.12],
    ],
  },
  commands: { zeroProbability: 0.1, lowSpeedProbability: 0.17, singleAxisProbability: 0.33, resampleSeconds: 10 },
};

export const presets: Readonly<Record<string, TrainingSettings>> = { default: standard, published };
