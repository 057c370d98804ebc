import {
  ACTION_SIZE,
  CONTROL_PERIOD,
  DEFAULT_JOINTS,
  LINEAR_KERNEL,
  REWARD_MAX,
  REWARD_TERMS,
  REWARD_WEIGHTS,
  type RewardTerm,
  YAW_KERNEL,
} from './spec.ts';

/** What the reward of one control step looks at. Arrays are the environment's own. */
export interface RewardInputs {
  /** [3] base velocity in the body frame, m/s. */
  readonly linearVelocity: Float64Array;
  /** [3] base angular velocity in the body frame, rad/s. */
  readonly angularVelocity: Float64Array;
  /** [9] base rotation, row-major, body to world. */
  readonly rotation: Float64Array;
  /** [19], [18] */
  readonly qpos: Float64Array;
  readonly qvel: Float64Array;
  /** [18] N·m; the free joint's six are zero. */
  readonly qfrc_actuator: Float64Array;
  /** [12] clipped. */
  readonly action: Float64Array;
  readonly previousAction: Float64Array;
  /** [4] seconds each foot has been off the ground, this step included. */
  readonly airTime: Float64Array;
  /** [4] 1 where a foot touches down in this step. */
  readonly firstContact: Uint8Array;
  /** [3] vx, vy (m/s), wz (rad/s). */
  readonly command: Float64Array;
  fell: boolean;
}

/** The reward in force; a training may change it between steps, the benchmark never does. */
export interface RewardSettings {
  /** [12] in the order of REWARD_TERMS. */
  readonly weights: Float64Array;
  /** (m/s)² */
  linearKernel: number;
  /** (rad/s)² */
  yawKernel: number;
}

export function taskReward(): RewardSettings {
  return { weights: Float64Array.from(REWARD_TERMS, (term) => REWARD_WEIGHTS[term]), linearKernel: LINEAR_KERNEL, yawKernel: YAW_KERNEL };
}

type Term = (s: RewardInputs, settings: RewardSettings) => number;

const square = (x: number): number => x * x;
const speed = (s: RewardInputs): number => Math.hypot(s.command[0]!, s.command[1]!, s.command[2]!);
const linearError = (s: RewardInputs): number =>
  square(s.linearVelocity[0]! - s.command[0]!) + square(s.linearVelocity[1]! - s.command[1]!);

const TERMS: Readonly<Record<RewardTerm, Term>> = {
  /** exp(−e/kernel), e = (vx − vx*)² + (vy − vy*)² */
  tracking_lin_vel: (s, settings) => Math.exp(-linearError(s) / settings.linearKernel),
  /** exp(−(wz − wz*)²/kernel) */
  tracking_ang_vel: (s, settings) => Math.exp(-square(s.angularVelocity[2]! - s.command[2]!) / settings.yawKernel),
  /** e, m²/s² */
  lin_vel_error: linearError,
  /** vz², m²/s² */
  lin_vel_z: (s) => square(s.linearVelocity[2]!),
  /** wx² + wy², rad²/s² */
  ang_vel_xy: (s) => square(s.angularVelocity[0]!) + square(s.angularVelocity[1]!),
  /** ux² + uy² of the body's up axis in the world */
  orientation: (s) => square(s.rotation[2]!) + square(s.rotation[5]!),
  /** Σ τ², (N·m)² */
  torques(s) {
    let sum = 0;
    for (let i = 6; i < s.qfrc_actuator.length; i++) sum += square(s.qfrc_actuator[i]!);
    return sum;
  },
  /** Σ (a − a_previous)² */
  action_rate(s) {
    let sum = 0;
    for (let i = 0; i < ACTION_SIZE; i++) sum += square(s.action[i]! - s.previousAction[i]!);
    return sum;
  },
  /** Σ over feet that touch down of (time in the air − 0.1 s), while commanded to move */
  feet_air_time(s) {
    if (speed(s) <= 0.05) return 0;
    let sum = 0;
    for (let foot = 0; foot < 4; foot++) if (s.firstContact[foot]) sum += s.airTime[foot]! - 0.1;
    return sum;
  },
  /** Σ |q − default|, rad, while commanded to stand */
  stand_still(s) {
    if (speed(s) >= 0.1) return 0;
    let sum = 0;
    for (let i = 0; i < ACTION_SIZE; i++) sum += Math.abs(s.qpos[7 + i]! - DEFAULT_JOINTS[i]!);
    return sum;
  },
  /** Σ |q̇|, rad/s, while commanded to stand */
  stand_still_joint_velocity(s) {
    if (speed(s) >= 0.1) return 0;
    let sum = 0;
    for (let i = 0; i < ACTION_SIZE; i++) sum += Math.abs(s.qvel[6 + i]!);
    return sum;
  },
  /** 1 on a fall */
  termination: (s) => (s.fell ? 1 : 0),
};
const TABLE: readonly Term[] = REWARD_TERMS.map((term) => TERMS[term]);

/**
 * Reward of a step, clip(0.02·Σ weight·term, 0, 10000).
 * @param terms out [12]: each weight·term
 */
export function reward(inputs: RewardInputs, settings: RewardSettings, terms: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < TABLE.length; i++) {
    const value = settings.weights[i]! * TABLE[i]!(inputs, settings);
    terms[i] = value;
    sum += value;
  }
  return Math.min(Math.max(CONTROL_PERIOD * sum, 0), REWARD_MAX);
}
