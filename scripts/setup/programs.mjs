import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Whether a program of that name is in PATH. */
export function hasProgram(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    if (folder === '') return false;
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false; // Not in this folder of PATH.
    }
  });
}

/** Runs a program in the root with its output on the terminal. @returns whether it ended with 0 */
export function run(program, args, env = {}) {
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  return status === 0;
}

/** Runs a program in the root and keeps its output. @returns { done: it ended with 0, stdout, output: standard output and error } */
export function ask(program, args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
  return { done: status === 0, stdout: stdout ?? '', output: `${stdout ?? ''}${stderr ?? ''}${error ? String(error.message) : ''}` };
}
