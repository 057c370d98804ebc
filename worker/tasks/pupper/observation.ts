import { ACTION_SIZE, DEFAULT_JOINTS, OBSERVATION_CLIP } from './spec.ts';

/**
 * Which base angular velocity a policy sees. A free joint's qvel[3:6] is body-frame already: `body` takes it as it is;
 * `rotated` turns it by Rᵀ once more, as the published environment does, for policies trained there.
 */
export type AngularVelocity = 'body' | 'rotated';

const clip = (x: number): number => Math.min(Math.max(x, -OBSERVATION_CLIP), OBSERVATION_CLIP);

/**
 * Writes the 48 numbers of the observation (OBSERVATION_TERMS in spec.ts), clipped to ±100.
 * @param linear [3] m/s, body frame  @param angular [3] rad/s  @param rotation [9] body to world, row-major
 */
export function writeObservation(
  into: Float32Array,
  linear: Float64Array,
  angular: Float64Array,
  rotation: Float64Array,
  command: Float64Array,
  qpos: Float64Array,
  qvel: Float64Array,
  action: Float64Array,
): void {
  for (let i = 0; i < 3; i++) {
    into[i] = clip(linear[i]!);
    into[3 + i] = clip(angular[i]!);
    // The world's down axis seen from the body: Rᵀ·(0, 0, −1).
    into[6 + i] = -rotation[6 + i]!;
    into[9 + i] = clip(command[i]!);
  }
  for (let i = 0; i < ACTION_SIZE; i++) {
    into[12 + i] = clip(qpos[7 + i]! - DEFAULT_JOINTS[i]!);
    into[24 + i] = clip(qvel[6 + i]!);
    into[36 + i] = clip(action[i]!);
  }
}
