import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { asWriteError } from './disk_full.ts';
import { isRunning } from './process_identity.ts';

/**
 * Writes that are there whole or not at all, whenever the process is killed or the power fails. Everything is written
 * beside its place under a name `.<name>.tmp-<pid>-<token>` and then renamed; {@link sweepLeftovers} removes what killed
 * writers left.
 */

export type FileData = string | Uint8Array;

export interface AtomicOptions {
  /**
   * Force the data to the disk before it takes its name (default). Without it a killed process still leaves the old or
   * the new file, but a power failure may leave an older one: for a heartbeat that is written every second.
   */
  readonly durable?: boolean;
}

/** Tells this process's temporary names from those of a killed one that had the same number. */
const token = Math.random().toString(36).slice(2, 10);
let counter = 0;

const LEFTOVER = /^\.(.+)\.(tmp|old)-(\d+)-([0-9a-z]+)-\d+$/;

function asideName(path: string, kind: 'tmp' | 'old'): string {
  return join(dirname(path), `.${basename(path)}.${kind}-${process.pid}-${token}-${counter++}`);
}

/**
 * Writes or replaces a file. A reader finds the old content or the new one, never a part.
 * @throws UserError when the disk is full, naming the file and how much was wanted; the old file then stays.
 */
export function writeFileAtomic(path: string, data: FileData, options: AtomicOptions = {}): void {
  const durable = options.durable ?? true;
  const temporary = asideName(path, 'tmp');
  try {
    writeWhole(temporary, path, data, durable);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  if (durable) syncFolder(dirname(path));
}

/**
 * Writes a folder of files (names without folders). It appears under its name whole. Where one of that name stands it is
 * moved aside first: killed between the two renames, only the aside name is left, and {@link sweepLeftovers} puts it back.
 * For a place that readers look at all the time use {@link pointLink} instead, which has no such moment.
 * @throws UserError when the disk is full, naming the file and how much was wanted; what stood there stays.
 */
export function writeFolderAtomic(path: string, files: ReadonlyMap<string, FileData>): void {
  const temporary = asideName(path, 'tmp');
  const old = asideName(path, 'old');
  try {
    mkdirSync(temporary);
    for (const [name, data] of files) writeWhole(join(temporary, name), join(path, name), data, true);
    syncFolder(temporary);
    if (existsSync(path)) renameSync(path, old);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    if (existsSync(old) && !existsSync(path)) renameSync(old, path);
    throw error;
  }
  syncFolder(dirname(path));
  rmSync(old, { recursive: true, force: true });
}

/**
 * Makes `path` a symbolic link to `target` (relative to the link's folder), in one rename: at every moment readers find
 * the old target or the new one. A reader of several files must resolve the link once (`realpath`) and read from there.
 * @throws Error when something that is no link stands at `path`.
 */
export function pointLink(path: string, target: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === false) {
    throw new Error(`${path} is no symbolic link and was not replaced; move it away.`);
  }
  const temporary = asideName(path, 'tmp');
  try {
    symlinkSync(target, temporary);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw asWriteError(error, path, target.length);
  }
  syncFolder(dirname(path));
}

/**
 * Removes what killed writers left in a folder, and puts a folder that was being replaced back where its successor never
 * came. Leftovers of processes that still run stay: they are at work.
 * @returns the names that were removed or put back
 */
export function sweepLeftovers(folder: string): string[] {
  const swept: string[] = [];
  for (const name of readdirSync(folder)) {
    const match = LEFTOVER.exec(name);
    if (!match) continue;
    const [, original, kind, pid, owner] = match;
    if (owner === token || (Number(pid) !== process.pid && isRunning(Number(pid)))) continue;
    const home = join(folder, original!);
    if (kind === 'old' && !existsSync(home)) renameSync(join(folder, name), home);
    else rmSync(join(folder, name), { recursive: true, force: true });
    swept.push(name);
  }
  return swept;
}

/** True for a temporary name of this module: what a reader of a folder should not look at. */
export function isLeftover(name: string): boolean {
  return LEFTOVER.test(name);
}

function writeWhole(temporary: string, path: string, data: FileData, durable: boolean): void {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  let file: number | null = null;
  try {
    file = openSync(temporary, 'wx');
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    if (durable) fsyncSync(file);
  } catch (error) {
    throw asWriteError(error, path, bytes.length);
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** Forces a folder's list of names to the disk, so that a rename outlives a power failure. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
