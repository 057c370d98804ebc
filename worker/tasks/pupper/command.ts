import type { NumpyRandom } from '../numpy_random.ts';
import { COMMAND_LIMITS, ZERO_COMMAND_PROBABILITY } from './spec.ts';

/** How commands are drawn. The task's own is {@link taskCommands}; a training may draw more of what is hard. */
export interface CommandSampling {
  readonly zeroProbability: number;
  /** Chance of a command scaled into a tenth to half of its range. */
  readonly lowSpeedProbability: number;
  /** Chance that only one of vx, vy, wz is not zero. */
  readonly singleAxisProbability: number;
  /** Seconds after which an episode gets a new command; null: never. */
  readonly resampleSeconds: number | null;
}

export const taskCommands: CommandSampling = {
  zeroProbability: ZERO_COMMAND_PROBABILITY,
  lowSpeedProbability: 0,
  singleAxisProbability: 0,
  resampleSeconds: null,
};

/**
 * Draws vx, vy (m/s), wz (rad/s) into `command`. With the task's own sampling the draws are exactly NumPy's: the zero
 * test, then vx, vy, wz; the rest draws more only where it is switched on. Values are float32, as published.
 */
export function drawCommand(random: NumpyRandom, sampling: CommandSampling, command: Float64Array): void {
  command.fill(0);
  if (random.random() < sampling.zeroProbability) return;
  for (let axis = 0; axis < 3; axis++) command[axis] = Math.fround(random.uniform(-COMMAND_LIMITS[axis]!, COMMAND_LIMITS[axis]!));
  if (sampling.singleAxisProbability > 0 && random.random() < sampling.singleAxisProbability) {
    const kept = Math.floor(3 * random.random());
    for (let axis = 0; axis < 3; axis++) if (axis !== kept) command[axis] = 0;
  }
  if (sampling.lowSpeedProbability > 0 && random.random() < sampling.lowSpeedProbability) {
    const scale = random.uniform(0.1, 0.5);
    for (let axis = 0; axis < 3; axis++) command[axis] = Math.fround(command[axis]! * scale);
  }
}
