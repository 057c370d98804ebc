import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { isLeftover } from '../formats/atomic_file.ts';
import { readJsonLines } from '../formats/json_lines.ts';
import { parseVersionedText } from '../formats/versioned_json.ts';
import {
  type MetricsLine,
  metricsLineSchema,
  RUN_FORMAT,
  type RunConfig,
  type RunControl,
  type RunStatus,
  type RunSummary,
  runConfigSchema,
  runControlSchema,
  runStatusSchema,
  runSummarySchema,
} from '../protocol/run.ts';
import { RUN_FILES } from '../protocol/run_layout.ts';
import { UserError } from '../user_error.ts';
import { lockHolder } from './run_lock.ts';

/** Reading a run directory. Needs no lock: every file is there whole or not at all. */

export { CHECKPOINT_FILES, RUN_FILES } from '../protocol/run_layout.ts';

export const isRun = (run: string): boolean => existsSync(join(run, RUN_FILES.config));

/** @throws UserError when the folder is no run, or its run_config.json is damaged or from a newer Leash. */
export function readRunConfig(run: string): RunConfig {
  const path = join(run, RUN_FILES.config);
  if (!existsSync(path)) {
    throw new UserError(
      existsSync(run)
        ? `${run} is no run directory: it has no ${RUN_FILES.config}; give the folder that \`leash train --out\` made.`
        : `There is no folder ${run}; check the path.`,
    );
  }
  return parseVersionedText(runConfigSchema, readFileSync(path, 'utf8'), path, RUN_FORMAT);
}

export interface ReadStatus extends RunStatus {
  /** Whether the process that wrote it still holds the run. A run that says `running` and is not alive was killed. */
  readonly alive: boolean;
}

/** null where the run has not written one yet. */
export function readStatus(run: string): ReadStatus | null {
  const path = join(run, RUN_FILES.status);
  const text = textOf(path);
  if (!text) return null;
  return { ...parseVersionedText(runStatusSchema, text, path, RUN_FORMAT), alive: lockHolder(run) !== null };
}

/** null where nobody has asked for anything. */
export function readControl(run: string): RunControl | null {
  const path = join(run, RUN_FILES.control);
  const text = textOf(path);
  return text ? parseVersionedText(runControlSchema, text, path, RUN_FORMAT) : null;
}

/** Every whole line, oldest first. @throws UserError naming the line that is no metrics line. */
export function readMetrics(run: string): MetricsLine[] {
  const path = join(run, RUN_FILES.metrics);
  return readJsonLines(path).map((value, i) => {
    const result = v.safeParse(metricsLineSchema, value);
    if (!result.success)
      throw new UserError(`${path}, line ${i + 1}: ${result.issues[0].message}; remove that line, or take the file from a backup.`);
    return result.output as MetricsLine;
  });
}

export function readSummary(run: string): RunSummary | null {
  const path = join(run, RUN_FILES.summary);
  const text = textOf(path);
  return text ? (parseVersionedText(runSummarySchema, text, path, RUN_FORMAT) as RunSummary) : null;
}

export interface Checkpoint {
  readonly step: number;
  /** Of its folder: the step in twelve digits. */
  readonly name: string;
  readonly path: string;
}

export const checkpointName = (step: number): string => String(step).padStart(12, '0');

/** All of them, oldest first. */
export function listCheckpoints(run: string): Checkpoint[] {
  const folder = join(run, RUN_FILES.checkpoints);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^\d{12,}$/.test(name) && !isLeftover(name))
    .map((name) => ({ step: Number(name), name, path: join(folder, name) }))
    .toSorted((a, b) => a.step - b.step);
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
