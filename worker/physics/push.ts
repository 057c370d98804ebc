import type { Simulation } from './engine.ts';

/** Three numbers in the world frame. */
export type Vector = readonly [number, number, number];

/**
 * Adds a push on a body to its `xfrc_applied`: it acts in every step until {@link releaseBody} takes it away.
 * The place of the body is the one of the last step's start, as in `xpos`.
 * @param body id
 * @param force N, world frame
 * @param point where it acts, m, world frame; the body's centre of mass if left out
 */
export function pushBody(simulation: Simulation, body: number, force: Vector, point?: Vector): void {
  const { xfrc_applied } = simulation;
  const centre = centreOfMass(simulation, body);
  const lever = (point ?? centre).map((value, i) => value - centre[i]!) as unknown as Vector;
  const wrench = [...force, ...cross(lever, force)];
  for (let i = 0; i < 6; i++) xfrc_applied[6 * body + i]! += wrench[i]!;
}

/** Takes every push away from a body. */
export function releaseBody(simulation: Simulation, body: number): void {
  simulation.xfrc_applied.fill(0, 6 * body, 6 * body + 6);
}

/** Centre of mass of one body, m, world frame: xpos + xmat · body_ipos. */
function centreOfMass({ model, xpos, xmat }: Simulation, body: number): Vector {
  const inBody = model.field('body_ipos').subarray(3 * body, 3 * body + 3);
  const rotation = xmat.subarray(9 * body, 9 * body + 9);
  const at = (i: number): number =>
    xpos[3 * body + i]! + rotation[3 * i]! * inBody[0]! + rotation[3 * i + 1]! * inBody[1]! + rotation[3 * i + 2]! * inBody[2]!;
  return [at(0), at(1), at(2)];
}

const cross = (a: Vector, b: Vector): Vector => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
