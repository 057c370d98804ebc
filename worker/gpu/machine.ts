import { spawn } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What a program did. Its output is cut at 4 MB. */
export type ProgramResult =
  | { readonly outcome: 'not found' }
  | { readonly outcome: 'timed out'; readonly output: string }
  | { readonly outcome: 'ended'; readonly exitCode: number | null; readonly output: string };

/** The parts of a computer that the doctor looks at; tests hand in a folder that plays the computer. */
export interface Machine {
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ids of the user and groups that this process runs with. */
  readonly uid: number;
  readonly groups: readonly number[];
  /** The file's text, or null where it is absent or unreadable. */
  readText(path: string): string | null;
  /** Names in a folder, sorted; empty where it is absent or unreadable. */
  list(folder: string): string[];
  exists(path: string): boolean;
  /** Whether this process may open it for reading and writing. */
  canOpen(path: string): boolean;
  /** Id of the group that owns it, or null where it is absent. */
  groupOf(path: string): number | null;
  /** Bytes that this user can still write there, or null. */
  freeBytes(path: string): number | null;
  /** Runs a program by name (looked up in PATH) or path; standard output and error come as one text. */
  run(program: string, args: readonly string[], timeoutSeconds: number): Promise<ProgramResult>;
}

/**
 * A machine whose absolute paths lie under `root`; the real one has root `/`.
 * @param env the real environment by default; PATH decides which programs are found
 */
export function openMachine(root = '/', env: Machine['env'] = process.env): Machine {
  const real = (path: string): string => (root === '/' ? path : join(root, path));
  const attempt = <T>(read: () => T): T | null => {
    try {
      return read();
    } catch (error) {
      if (error instanceof Error && 'code' in error) return null;
      throw error;
    }
  };
  return {
    env,
    uid: process.getuid?.() ?? -1,
    groups: process.getgroups?.() ?? [],
    readText: (path) => attempt(() => readFileSync(real(path), 'utf8')),
    list: (folder) => attempt(() => readdirSync(real(folder)).toSorted()) ?? [],
    exists: (path) => attempt(() => statSync(real(path))) !== null,
    canOpen: (path) => attempt(() => accessSync(real(path), constants.R_OK | constants.W_OK)) !== null,
    groupOf: (path) => attempt(() => statSync(real(path)).gid),
    freeBytes: (path) =>
      attempt(() => {
        const { bavail, bsize } = statfsSync(real(path));
        return bavail * bsize;
      }),
    run: (program, args, timeoutSeconds) => {
      const file = program.includes('/') ? real(program) : findProgram(program, env['PATH'] ?? '');
      return file === null ? Promise.resolve({ outcome: 'not found' }) : runProgram(file, args, env, timeoutSeconds);
    },
  };
}

function findProgram(name: string, path: string): string | null {
  for (const folder of path.split(delimiter)) {
    if (folder === '') continue;
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder of PATH; the next one may have it.
    }
  }
  return null;
}

const outputLimit = 4 * 1024 * 1024;

function runProgram(file: string, args: readonly string[], env: Machine['env'], timeoutSeconds: number): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    // A process group of its own, so that what the program started ends with it and cannot hold the pipes open.
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...env }, detached: true });
    let output = '';
    let timedOut = false;
    const take = (chunk: string): void => {
      if (output.length < outputLimit) output += chunk;
    };
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    const timer = setTimeout(() => {
      timedOut = true;
      killGroup(child.pid);
      // A program stuck in the driver does not die even of SIGKILL: stop waiting for it.
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
      resolve({ outcome: 'timed out', output });
    }, timeoutSeconds * 1000);
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      if (error.code === 'ENOENT' || error.code === 'EACCES') resolve({ outcome: 'not found' });
      else reject(error);
    });
    child.on('close', (exitCode) => {
      clearTimeout(timer);
      if (!timedOut) resolve({ outcome: 'ended', exitCode, output });
    });
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
