import { numpyRandom } from '../tasks/numpy_random.ts';
import type { Cause, PupperEnvironment } from '../tasks/pupper/environment.ts';
import { ACTION_SIZE, CONTROL_PERIOD } from '../tasks/pupper/spec.ts';

/** Decides an action from an observation. May answer at once or later. */
export interface Controller {
  /** Called after reset, before the first action. */
  reset?(): void;
  /** @param observation [48]  @param action out [12] */
  act(observation: Float32Array, action: Float32Array): void | Promise<void>;
}

/** One episode to run. */
export interface EpisodeJob {
  readonly scenario: string;
  readonly seed: number;
  /** vx, vy (m/s), wz (rad/s); replaces the drawn one right after reset. */
  readonly command: readonly [number, number, number];
  /** Control steps at most. */
  readonly steps: number;
  /** Control steps before the velocities of `settled` are averaged. */
  readonly settleSteps: number;
}

/** What an episode measured. Velocities are in the body frame, by the published definition: Rᵀ·qvel[0:3] and Rᵀ·qvel[3:6]. */
export interface EpisodeResult {
  readonly scenario: string;
  readonly seed: number;
  readonly command: readonly [number, number, number];
  /** Control steps until it ended. */
  readonly steps: number;
  readonly survival_s: number;
  readonly survival_ratio: number;
  readonly completed: boolean;
  /** Why it ended early: the base too low, tilted too far, or a state or action that is not finite. */
  readonly cause: Exclude<Cause, 'time'> | null;
  readonly episode_return: number;
  readonly vx_mean: number;
  readonly vy_mean: number;
  readonly wz_mean: number;
  /** m/s */
  readonly linear_rmse: number;
  /** rad/s */
  readonly yaw_rmse: number;
  readonly tilt_deg: number;
  /** Mean vx, vy, wz after the settling time; null where it fell before. */
  readonly settled: readonly [number, number, number] | null;
}

/** Runs one episode. The first observation still holds the command that was drawn at reset. */
export async function runEpisode(environment: PupperEnvironment, controller: Controller, job: EpisodeJob): Promise<EpisodeResult> {
  environment.reset(numpyRandom(job.seed));
  environment.setCommand(...job.command);
  controller.reset?.();
  const action = new Float32Array(ACTION_SIZE);
  const { command, rotation } = environment;
  const { qvel } = environment.simulation;
  const velocity = new Float64Array(3);
  const sum = new Float64Array(3);
  const settled = new Float64Array(3);
  let linearSquares = 0;
  let yawSquares = 0;
  let tilt = 0;
  let total = 0;
  let steps = 0;
  let settledSteps = 0;
  while (steps < job.steps && !environment.terminated) {
    const answer = controller.act(environment.observation, action);
    if (answer) await answer;
    environment.step(action);
    steps++;
    const unstable = environment.cause === 'unstable';
    velocity[0] = rotation[0]! * qvel[0]! + rotation[3]! * qvel[1]! + rotation[6]! * qvel[2]!;
    velocity[1] = rotation[1]! * qvel[0]! + rotation[4]! * qvel[1]! + rotation[7]! * qvel[2]!;
    velocity[2] = rotation[2]! * qvel[3]! + rotation[5]! * qvel[4]! + rotation[8]! * qvel[5]!;
    // A state that is not finite has no velocity; the step counts as not moving, so that no figure is lost to it.
    if (unstable) velocity.fill(0);
    linearSquares += (velocity[0]! - command[0]!) ** 2 + (velocity[1]! - command[1]!) ** 2;
    yawSquares += (velocity[2]! - command[2]!) ** 2;
    tilt += Math.acos(Math.min(Math.max(rotation[8]!, -1), 1));
    total += environment.reward;
    const counts = steps > job.settleSteps && !unstable;
    if (counts) settledSteps++;
    for (let i = 0; i < 3; i++) {
      sum[i]! += velocity[i]!;
      if (counts) settled[i]! += velocity[i]!;
    }
  }
  const { cause } = environment;
  return {
    scenario: job.scenario,
    seed: job.seed,
    command: [command[0]!, command[1]!, command[2]!],
    steps,
    survival_s: steps * CONTROL_PERIOD,
    survival_ratio: steps / job.steps,
    completed: !environment.terminated,
    cause: cause === 'time' ? null : cause,
    episode_return: total,
    vx_mean: sum[0]! / steps,
    vy_mean: sum[1]! / steps,
    wz_mean: sum[2]! / steps,
    linear_rmse: Math.sqrt(linearSquares / steps),
    yaw_rmse: Math.sqrt(yawSquares / steps),
    tilt_deg: ((tilt / steps) * 180) / Math.PI,
    settled: settledSteps > 0 ? [settled[0]! / settledSteps, settled[1]! / settledSteps, settled[2]! / settledSteps] : null,
  };
}
