import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { asWriteError } from '../formats/disk_full.ts';
import { livenessOf, ownIdentity, type ProcessIdentity } from '../formats/process_identity.ts';
import { UserError } from '../user_error.ts';

/**
 * One writer a run directory. `.lock/` holds one small file for each process that ever held it, numbered 1, 2, 3, …; the
 * highest number holds it, unless that file is empty (released) or its process is dead. Numbers are never given back, and a
 * number is taken by linking a finished file to it, which exactly one of several processes can do: nobody can remove a
 * lock that was taken over in the meantime.
 */
const FOLDER = '.lock';

const holderSchema = v.object({
  pid: v.number(),
  startTime: v.nullable(v.number()),
  boot: v.nullable(v.string()),
  host: v.string(),
});

export interface RunLock {
  /** Lets the next process have it. A process that dies without this is found dead by the next. */
  release(): void;
}

/** Who holds a run directory and still runs (or runs on another machine, where nobody here can look); null: nobody. */
export function lockHolder(run: string): ProcessIdentity | null {
  const number = highest(run);
  const holder = number === 0 ? null : readHolder(run, number);
  return holder && livenessOf(holder) !== 'dead' ? holder : null;
}

/**
 * Takes the lock of a run directory, which must exist.
 * @throws UserError naming the process that has it.
 */
export function acquireLock(run: string): RunLock {
  mkdirSync(join(run, FOLDER), { recursive: true });
  const own = ownIdentity();
  for (;;) {
    const number = highest(run);
    const holder = number === 0 ? null : readHolder(run, number);
    if (holder) refuseLiving(run, holder);
    if (take(run, number + 1, own)) return { release: () => release(lockPath(run, number + 1)) };
  }
}

/** Emptying a file works on a full disk too. Where someone deleted the whole run there is nothing left to release. */
function release(path: string): void {
  try {
    truncateSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function refuseLiving(run: string, holder: ProcessIdentity): void {
  const liveness = livenessOf(holder);
  if (liveness === 'alive') {
    throw new UserError(
      `${run} is in use by process ${holder.pid}; wait for it, stop it with Ctrl-C or \`kill ${holder.pid}\`, or choose another folder.`,
    );
  }
  if (liveness === 'elsewhere') {
    throw new UserError(
      `${run} is in use by process ${holder.pid} on the machine "${holder.host}"; stop it there, or delete ${join(run, FOLDER)} if that machine no longer runs.`,
    );
  }
}

/** True where this process got the number; false where another was faster. */
function take(run: string, number: number, own: ProcessIdentity): boolean {
  const path = lockPath(run, number);
  const candidate = join(run, FOLDER, `.${own.pid}-${Math.random().toString(36).slice(2)}`);
  try {
    writeFileSync(candidate, text(own), { flag: 'wx' });
    linkSync(candidate, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw asWriteError(error, path, text(own).length);
  } finally {
    rmSync(candidate, { force: true });
  }
}

const lockPath = (run: string, number: number): string => join(run, FOLDER, String(number));
const text = (own: ProcessIdentity): string => `${JSON.stringify(own)}
`;

/** 0 where nobody ever held it. */
function highest(run: string): number {
  let names: string[];
  try {
    names = readdirSync(join(run, FOLDER));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
  return names.reduce((most, name) => (/^[1-9]\d*$/.test(name) ? Math.max(most, Number(name)) : most), 0);
}

/** null where the file is empty: released, or lost in a power failure, and then its process is gone too. */
function readHolder(run: string, number: number): v.InferOutput<typeof holderSchema> | null {
  try {
    const result = v.safeParse(holderSchema, JSON.parse(readFileSync(lockPath(run, number), 'utf8')));
    return result.success ? result.output : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
