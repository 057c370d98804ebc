import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Tells one process from every other, also after its number was given to another one or the machine was restarted. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks from boot to the process's start (field 22 of /proc/<pid>/stat); null where there is no /proc. */
  readonly startTime: number | null;
  /** The kernel's own name of this boot; null where it has none. */
  readonly boot: string | null;
  readonly host: string;
}

export type Liveness = 'alive' | 'dead' | 'elsewhere';

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, startTime: startTimeOf(process.pid), boot: bootName(), host: hostname() };
}

/** Whether that very process still runs. `elsewhere`: it belongs to another machine, where nobody here can look. */
export function livenessOf(identity: ProcessIdentity): Liveness {
  const boot = bootName();
  // The boot name first: a machine may be renamed while it runs, and a copied folder may come from one of the same name.
  if (identity.boot !== null && boot !== null && identity.boot !== boot) return identity.host === hostname() ? 'dead' : 'elsewhere';
  if (identity.boot === null && identity.host !== hostname()) return 'elsewhere';
  if (!isRunning(identity.pid)) return 'dead';
  const startTime = startTimeOf(identity.pid);
  return identity.startTime !== null && startTime !== null && startTime !== identity.startTime ? 'dead' : 'alive';
}

/** True where a process of that number runs, whoever it is; a zombie (ended, not yet collected by its parent) does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs under another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const state = statFields(pid)?.[0];
  return state !== 'Z' && state !== 'X';
}

function startTimeOf(pid: number): number | null {
  const field = statFields(pid)?.[19];
  return field === undefined ? null : Number(field);
}

/** Fields 3 and on of /proc/<pid>/stat (field 2, the name, may hold spaces and brackets); null where there is none. */
function statFields(pid: number): string[] | null {
  const text = readOrNull(`/proc/${pid}/stat`);
  return text === null ? null : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function bootName(): string | null {
  return readOrNull('/proc/sys/kernel/random/boot_id')?.trim() ?? null;
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES') return null;
    throw error;
  }
}
