import type { EvaluationOptions } from './benchmark.ts';
import type { EpisodeJob, EpisodeResult } from './episode.ts';
import type { ControllerChoice } from './episode_messages.ts';
import { runEpisodes } from './episode_pool.ts';
import { InvalidGrid } from './invalid_grid.ts';
import { BENCHMARK_STEPS, SEEDS } from './protocol.ts';
import { mean, sampleDeviation } from './statistics.ts';

export const AXES = ['vx', 'vy', 'wz'] as const;
export type Axis = (typeof AXES)[number];

/** Commands along one axis, the other two zero. */
export interface CommandGrid {
  readonly axis: Axis;
  /** m/s, or rad/s for wz. */
  readonly values: readonly number[];
}

/** Control steps before measuring: 2 s to get going. */
export const SETTLE_STEPS = 100;
const MOST_VALUES = 200;

/** Parses `vx=-0.6:0.6:0.1` (from, to, step) or `vx=0.2` or `vx=0.1,0.2,0.4`. @throws InvalidGrid saying how it is written. */
export function parseGrid(text: string): CommandGrid {
  const [name, spec, ...rest] = text.split('=');
  const axis = AXES.find((known) => known === name?.trim());
  if (!axis || spec === undefined || rest.length > 0)
    throw new InvalidGrid(`"${text}" is no grid; write one of ${AXES.join(', ')} with from:to:step, such as vx=-0.6:0.6:0.1.`);
  const values = spec.includes(':') ? range(text, spec) : spec.split(',').map(Number);
  if (values.some((value) => !Number.isFinite(value)) || spec.trim() === '')
    throw new InvalidGrid(`"${text}" holds something that is no number; write it like vx=-0.6:0.6:0.1.`);
  return { axis, values };
}

function range(text: string, spec: string): number[] {
  const parts = spec.split(':').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [from, to, step] = parts;
  if (parts.length !== 3 || parts.some((part) => !Number.isFinite(part)) || step! <= 0 || to! < from!) {
    throw new InvalidGrid(`"${text}" is no range; write from:to:step with from ≤ to and a step above 0, such as vx=-0.6:0.6:0.1.`);
  }
  const count = Math.floor((to! - from!) / step! + 1e-9) + 1;
  if (count > MOST_VALUES)
    throw new InvalidGrid(`"${text}" has ${count} commands; at most ${MOST_VALUES} make sense, so take a larger step.`);
  // Rounded, so that 0.1 + 0.2 reads 0.3 and the middle of a symmetric range is 0 and not −1e−17.
  return Array.from({ length: count }, (_, i) => Number((from! + i * step!).toFixed(10)) + 0);
}

export interface GridPoint {
  readonly commanded: number;
  /** Mean over the seeds of the velocity along the axis after 2 s; null where no episode lasted so long. */
  readonly measured: number | null;
  /** Between seeds. */
  readonly deviation: number | null;
  readonly episodes: number;
  readonly completed: number;
  /** What ended each episode that fell. */
  readonly causes: readonly string[];
}

export interface GridResult {
  readonly axis: Axis;
  readonly unit: 'm/s' | 'rad/s';
  readonly seeds: readonly number[];
  readonly points: readonly GridPoint[];
  readonly episodes: readonly EpisodeResult[];
}

/** Commanded against measured velocity, 10 s an episode, each command from every seed. */
export async function runGrid(
  controller: ControllerChoice,
  grid: CommandGrid,
  options: EvaluationOptions,
  seeds: readonly number[] = SEEDS,
): Promise<GridResult> {
  const axis = AXES.indexOf(grid.axis);
  const jobs: EpisodeJob[] = grid.values.flatMap((value) =>
    seeds.map((seed) => {
      const command: [number, number, number] = [0, 0, 0];
      command[axis] = value;
      return { scenario: `${grid.axis}=${value}`, seed, command, steps: BENCHMARK_STEPS, settleSteps: SETTLE_STEPS };
    }),
  );
  const { engine, threads, onProgress } = options;
  const episodes = await runEpisodes({ engine, controller }, jobs, threads, (done) => onProgress?.(done, jobs.length));
  const points = grid.values.map((commanded, i): GridPoint => {
    const own = episodes.slice(i * seeds.length, (i + 1) * seeds.length);
    const measured = own.flatMap((episode) => (episode.settled ? [episode.settled[axis]!] : []));
    return {
      commanded,
      measured: measured.length > 0 ? mean(measured) : null,
      deviation: measured.length > 0 ? sampleDeviation(measured) : null,
      episodes: own.length,
      completed: own.filter((episode) => episode.completed).length,
      causes: own.flatMap((episode) => (episode.cause ? [episode.cause] : [])),
    };
  });
  return { axis: grid.axis, unit: grid.axis === 'wz' ? 'rad/s' : 'm/s', seeds, points, episodes };
}
