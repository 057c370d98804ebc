import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { RUN_FILES } from '../protocol/run_layout.ts';

/** Folder of a run's newest policy, link resolved: it stays as it is while a newer one takes its place. null: none yet. */
export function latestPolicy(run: string): string | null {
  const link = join(run, RUN_FILES.latest);
  return existsSync(link) ? realpathSync(link) : null;
}
