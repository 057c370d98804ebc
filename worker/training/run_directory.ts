import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type FileData, isLeftover, pointLink, sweepLeftovers, writeFileAtomic, writeFolderAtomic } from '../formats/atomic_file.ts';
import { cutAfterStep, type JsonLinesWriter, openJsonLines } from '../formats/json_lines.ts';
import { RUN_FORMAT, type RunConfig, type RunControl, type RunStatus, type RunSummary } from '../protocol/run.ts';
import { RUN_FILES } from '../protocol/run_layout.ts';
import { UserError } from '../user_error.ts';
import { checkpointName, isRun, listCheckpoints, readControl, readRunConfig } from './run_files.ts';
import { acquireLock, type RunLock } from './run_lock.ts';

/** Where policies between two checkpoints lie; `latest` is a link to one of them or to a checkpoint. */
const POLICIES = '.latest';

/** A run directory as its one writer holds it. */
export interface RunDirectory {
  readonly path: string;
  readonly config: RunConfig;
  /** metrics.jsonl */
  readonly metrics: JsonLinesWriter;
  /** Replaces status.json; pid, heartbeat and format are filled in. Cheap enough for every iteration. */
  writeStatus(status: Pick<RunStatus, 'state' | 'step' | 'totalSteps' | 'why'>): void;
  /** What people want of the run now. A control.json that cannot be read counts as no wish, and `problem` says why. */
  pollControl(): { readonly control: RunControl; readonly problem: string | null };
  /** Writes checkpoints/<step>/ whole or not at all and points `latest` at it; one of that step that is there stays. @returns the folder */
  writeCheckpoint(step: number, files: ReadonlyMap<string, FileData>): string;
  /** Makes a policy (policy.onnx, policy.json) the newest, without a checkpoint. The one before stays for who is reading it. */
  publishPolicy(step: number, files: ReadonlyMap<string, FileData>): void;
  writeSummary(summary: Omit<RunSummary, 'format'>): void;
  /** Closes metrics.jsonl and lets others have the directory. */
  release(): void;
}

/**
 * Makes a run directory (and the folders above it) and locks it.
 * @throws UserError when the folder is a run already, holds something else, or is in use by another process.
 */
export function createRun(path: string, config: Omit<RunConfig, 'format' | 'created' | 'name'>): RunDirectory {
  refuseForeign(path);
  mkdirSync(path, { recursive: true });
  const lock = acquireLock(path);
  try {
    // Another process may have made a run here, and ended, since the first look.
    refuseForeign(path);
    sweepLeftovers(path);
    const whole: RunConfig = { format: RUN_FORMAT, created: new Date().toISOString(), name: basename(resolve(path)), ...config };
    mkdirSync(join(path, RUN_FILES.checkpoints), { recursive: true });
    writeControl(path, IDLE);
    writeFileAtomic(join(path, RUN_FILES.config), json(whole));
    return hold(path, whole, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Locks an existing run to go on with it. What killed writers left is swept; earlier wishes in control.json are void.
 * @throws UserError when it is no run, is in use by another process, is damaged, or was written by a newer Leash.
 */
export function openRun(path: string): RunDirectory {
  readRunConfig(path);
  const lock = acquireLock(path);
  try {
    for (const folder of ['.', RUN_FILES.checkpoints, POLICIES]) if (existsSync(join(path, folder))) sweepLeftovers(join(path, folder));
    writeControl(path, IDLE);
    return hold(path, readRunConfig(path), lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Makes a run end at `step`, to go on from its checkpoint there: later lines of metrics.jsonl go, later checkpoints are
 * moved to superseded/, and `latest` is that checkpoint.
 */
export function cutRunAfter(run: RunDirectory, step: number): void {
  const { path } = run;
  cutAfterStep(join(path, RUN_FILES.metrics), step);
  for (const checkpoint of listCheckpoints(path).filter((later) => later.step > step)) {
    const aside = join(path, RUN_FILES.superseded, checkpoint.name);
    mkdirSync(join(path, RUN_FILES.superseded), { recursive: true });
    rmSync(aside, { recursive: true, force: true });
    renameSync(checkpoint.path, aside);
  }
  const relative = join(RUN_FILES.checkpoints, checkpointName(step));
  if (!existsSync(join(path, relative))) return;
  pointLink(join(path, RUN_FILES.latest), relative);
  rmSync(join(path, POLICIES), { recursive: true, force: true });
}

/** Changes what is wanted of a run, from any process: `{ wish: 'pause' }`. `checkpoint` asks for one now. */
export function askRun(path: string, change: { readonly wish?: RunControl['wish']; readonly checkpoint?: boolean }): void {
  const before = readControl(path) ?? IDLE;
  writeControl(path, {
    ...before,
    wish: change.wish ?? before.wish,
    checkpointRequests: before.checkpointRequests + (change.checkpoint ? 1 : 0),
  });
}

const IDLE: RunControl = { format: RUN_FORMAT, wish: 'run', checkpointRequests: 0 };
const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
const writeControl = (path: string, control: RunControl): void => writeFileAtomic(join(path, RUN_FILES.control), json(control));

function hold(path: string, config: RunConfig, lock: RunLock): RunDirectory {
  const metrics = openJsonLines(join(path, RUN_FILES.metrics));
  return {
    path,
    config,
    metrics,
    writeStatus(status) {
      const whole: RunStatus = { format: RUN_FORMAT, ...status, pid: process.pid, heartbeat: new Date().toISOString() };
      writeFileAtomic(join(path, RUN_FILES.status), json(whole), { durable: status.state !== 'running' });
    },
    pollControl() {
      try {
        return { control: readControl(path) ?? IDLE, problem: null };
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        return { control: IDLE, problem: error.message };
      }
    },
    writeCheckpoint(step, files) {
      metrics.sync();
      return publish(path, RUN_FILES.checkpoints, step, files);
    },
    publishPolicy(step, files) {
      mkdirSync(join(path, POLICIES), { recursive: true });
      publish(path, POLICIES, step, files);
    },
    writeSummary(summary) {
      writeFileAtomic(join(path, RUN_FILES.summary), json({ format: RUN_FORMAT, ...summary }));
    },
    release() {
      metrics.close();
      lock.release();
    },
  };
}

/**
 * Writes <parent>/<step>/ and points `latest` at it, then drops all policies between checkpoints but the newest two:
 * someone may be reading the one before. A folder of that step that is there already stays: a step has one state.
 */
function publish(path: string, parent: string, step: number, files: ReadonlyMap<string, FileData>): string {
  const relative = join(parent, checkpointName(step));
  if (!existsSync(join(path, relative))) writeFolderAtomic(join(path, relative), files);
  pointLink(join(path, RUN_FILES.latest), relative);
  const policies = join(path, POLICIES);
  if (existsSync(policies)) {
    const names = readdirSync(policies).filter((name) => !isLeftover(name));
    for (const name of names.toSorted().slice(0, -2)) rmSync(join(policies, name), { recursive: true });
  }
  return join(path, relative);
}

/** @throws UserError unless the path is free for a new run: absent, empty, or only claimed by a process that died at once. */
function refuseForeign(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isDirectory()) throw new UserError(`${path} is a file, and a folder for the run is wanted; choose another --out.`);
  if (isRun(path)) throw new UserError(`${path} holds a run already; go on with it by \`--resume ${path}\`, or choose another --out.`);
  const names = readdirSync(path).filter((name) => !isLeftover(name));
  // With a lock and no config: a process that died while it made the run.
  const ours = new Set<string>(names.includes('.lock') ? ['.lock', RUN_FILES.checkpoints, RUN_FILES.control] : []);
  const foreign = names.filter((name) => !ours.has(name));
  if (foreign.length === 0) return;
  throw new UserError(
    `${path} is not empty and no run (it holds ${foreign.slice(0, 3).join(', ')}${foreign.length > 3 ? ', …' : ''}); choose another --out.`,
  );
}
