import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../worker/paths.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the real `leash` to its end. */
export function leash(args: readonly string[], env: Record<string, string> = {}): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin', 'leash.js'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', ...env },
    timeout: 170_000,
  });
  return { code: status, stdout, stderr };
}
