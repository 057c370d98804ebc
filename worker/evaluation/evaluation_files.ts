import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../formats/atomic_file.ts';
import type { BenchmarkResult } from './benchmark.ts';
import type { GridResult } from './command_grid.ts';

/** Version of the files' layout. */
export const EVALUATION_FORMAT = 1;

/** What was measured, on what. */
export interface EvaluationRecord {
  /** As it was named on the command line. */
  readonly policy: string;
  /** SHA-256 of the network file. */
  readonly policy_sha256: string;
  /** Environment steps it was trained for; null: unknown. */
  readonly step: number | null;
  readonly engine: string;
  readonly versions: { readonly leash: string; readonly mujoco: string; readonly node: string };
}

/**
 * Writes eval_info.json (summary and record) and episodes.jsonl (a line an episode) of a benchmark, and grid_<axis>.json of
 * each sweep, into a folder that is made where absent.
 */
export function writeEvaluation(
  folder: string,
  record: EvaluationRecord,
  benchmark: BenchmarkResult | null,
  still: BenchmarkResult | null,
  grids: readonly GridResult[],
): void {
  mkdirSync(folder, { recursive: true });
  const json = (value: object): string =>
    `${JSON.stringify({ format: EVALUATION_FORMAT, ...record, created: new Date().toISOString(), ...value }, null, 2)}\n`;
  if (benchmark) {
    const { episodes, ...summary } = benchmark;
    writeFileAtomic(join(folder, 'episodes.jsonl'), episodes.map((episode) => `${JSON.stringify(episode)}\n`).join(''));
    writeFileAtomic(
      join(folder, 'eval_info.json'),
      json({ ...summary, never_moves_score: still?.score ?? null, n_episodes: episodes.length }),
    );
  }
  for (const grid of grids) writeFileAtomic(join(folder, `grid_${grid.axis}.json`), json(grid));
}
