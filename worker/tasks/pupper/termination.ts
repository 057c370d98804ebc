import { FALL_HEIGHT, FALL_UPRIGHT } from './spec.ts';

/**
 * Whether the robot has fallen, and how; too low counts before too tilted.
 * @param height of the base, m  @param upright R[2][2]: cosine of the tilt
 */
export function fallCause(height: number, upright: number): 'height' | 'tilt' | null {
  if (height < FALL_HEIGHT) return 'height';
  return upright < FALL_UPRIGHT ? 'tilt' : null;
}

/** Positions in WARNINGS of what MuJoCo raises for a number that is not finite: badqpos, badqvel, badqacc, badctrl. */
const NOT_FINITE = [3, 4, 5, 6] as const;

/** Whether a number that is not finite, from physics or from a policy, has got into the simulation. */
export function brokeDown(warnings: Int32Array, qpos: Float64Array, qvel: Float64Array): boolean {
  for (const kind of NOT_FINITE) if (warnings[kind]! > 0) return true;
  // MuJoCo looks at the start of each physics step; what the last one made is ours to look at.
  let sum = 0;
  for (let i = 0; i < qpos.length; i++) sum += qpos[i]!;
  for (let i = 0; i < qvel.length; i++) sum += qvel[i]!;
  return !Number.isFinite(sum);
}
