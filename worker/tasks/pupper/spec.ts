/** The figures of `pupper-velocity-v1`. Changing one makes another task. SI units, radians. */

export const TASK = 'pupper-velocity-v1';

export const LEGS = ['front_r', 'front_l', 'back_r', 'back_l'] as const;
export const JOINT_NAMES: readonly string[] = LEGS.flatMap((leg) => [1, 2, 3].map((joint) => `leg_${leg}_${joint}`));
export const FOOT_SITES: readonly string[] = LEGS.map((leg) => `leg_${leg}_3_foot_site`);

const both = (half: readonly number[]): readonly number[] => [...half, ...half];
/** Joint positions at rest, and of action 0. */
export const DEFAULT_JOINTS = both([0.26, 0, -0.52, -0.26, 0, 0.52]);
export const LOWER_JOINTS = both([-1.22, -0.42, -2.79, -2.51, -3.14, -0.71]);
export const UPPER_JOINTS = both([2.51, 3.14, 0.71, 1.22, 0.42, 2.79]);

/** ctrl = clip(default + ACTION_SCALE·action, lower, upper), action clipped to ±1. */
export const ACTION_SCALE = 0.5;

export const PHYSICS_STEPS = 5;
/** Seconds between two actions: 5 physics steps of 0.004 s. */
export const CONTROL_PERIOD = 0.02;
/** Control steps after which an episode is truncated: 20 s. */
export const EPISODE_STEPS = 1000;

export const START_HEIGHT = 0.28;
/** Half width of the uniform offset of each joint at reset. */
export const START_JOINT_NOISE = 0.05;

/** A base lower than this (m) has fallen. */
export const FALL_HEIGHT = 0.1;
/** A base whose R[2][2] is below this has fallen. */
export const FALL_UPRIGHT = Math.cos(0.52);

export const OBSERVATION_CLIP = 100;
/** Observation terms in order, with their sizes. */
export const OBSERVATION_TERMS = [
  { name: 'base_lin_vel', size: 3 },
  { name: 'base_ang_vel', size: 3 },
  { name: 'projected_gravity', size: 3 },
  { name: 'command', size: 3 },
  { name: 'joint_pos', size: 12 },
  { name: 'joint_vel', size: 12 },
  { name: 'last_action', size: 12 },
] as const;
export const OBSERVATION_SIZE = 48;
export const ACTION_SIZE = 12;

/** A foot site lower than this touches the ground: radius 0.02 m and 1 mm of slack. */
export const CONTACT_HEIGHT = 0.02 + 1e-3;

/** Limits of vx (m/s), vy (m/s) and wz (rad/s): ± these. */
export const COMMAND_LIMITS = [0.75, 0.5, 2] as const;
export const ZERO_COMMAND_PROBABILITY = 0.1;

export const REWARD_WEIGHTS = {
  tracking_lin_vel: 2.5,
  tracking_ang_vel: 0.8,
  lin_vel_error: -0.5,
  lin_vel_z: -2,
  ang_vel_xy: -0.05,
  orientation: -5,
  torques: -2e-4,
  action_rate: -0.01,
  feet_air_time: 0.2,
  stand_still: -0.5,
  stand_still_joint_velocity: -0.05,
  termination: -100,
} as const;
export type RewardTerm = keyof typeof REWARD_WEIGHTS;
export const REWARD_TERMS = Object.keys(REWARD_WEIGHTS) as readonly RewardTerm[];

/** Widths of the tracking kernels: (m/s)² and (rad/s)². */
export const LINEAR_KERNEL = 0.1;
export const YAW_KERNEL = 0.25;
export const REWARD_MAX = 10_000;
