import { closeSync, existsSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { UserError } from '../user_error.ts';
import { asWriteError } from './disk_full.ts';

/**
 * JSON Lines that only grow: one line a value, each appended in one write. A line without its newline is torn (the writer
 * was killed): readers skip it, and a writer cuts it off before it goes on.
 */
export interface JsonLinesWriter {
  /**
   * Appends one line; numbers that are not finite become null.
   * @throws UserError when the disk is full; the file then ends with the line before.
   */
  append(value: object): void;
  /** Forces what was appended to the disk. */
  sync(): void;
  close(): void;
}

/** Opens for appending, and makes the file where there is none. A torn last line is cut off. */
export function openJsonLines(path: string): JsonLinesWriter {
  cutTornLine(path);
  const file = openSync(path, 'a');
  let length = fstatSync(file).size;
  return {
    append(value) {
      const line = Buffer.from(`${JSON.stringify(value)}\n`);
      try {
        const written = writeSync(file, line);
        // A full disk may take the first part of a line; the second write then says why.
        if (written < line.length) writeSync(file, line, written);
      } catch (error) {
        ftruncateSync(file, length);
        throw asWriteError(error, path, line.length);
      }
      length += line.length;
    },
    sync: () => fsyncSync(file),
    close: () => closeSync(file),
  };
}

/**
 * Reads every whole line; none where there is no file.
 * @throws UserError naming file and line when a line that is not the torn last one is no JSON.
 */
export function readJsonLines(path: string): unknown[] {
  return existsSync(path) ? wholeLines(readFileSync(path)).map((line, i) => parseLine(path, line.text, i + 1)) : [];
}

/** Cuts off a last line without a newline. @returns bytes cut */
export function cutTornLine(path: string): number {
  if (!existsSync(path)) return 0;
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end < bytes.length) truncateSync(path, end);
  return bytes.length - end;
}

/**
 * Cuts every line from the first whose `step` is greater than `step`, and a torn one: a run that resumes at `step`
 * continues there.
 * @returns lines cut
 */
export function cutAfterStep(path: string, step: number): number {
  cutTornLine(path);
  if (!existsSync(path)) return 0;
  const lines = wholeLines(readFileSync(path));
  const first = lines.findIndex((line, i) => stepOf(parseLine(path, line.text, i + 1)) > step);
  if (first === -1) return 0;
  truncateSync(path, lines[first]!.start);
  return lines.length - first;
}

function stepOf(value: unknown): number {
  const step = typeof value === 'object' && value !== null && 'step' in value ? value.step : undefined;
  return typeof step === 'number' ? step : Number.NEGATIVE_INFINITY;
}

function wholeLines(bytes: Buffer): { start: number; text: string }[] {
  const lines: { start: number; text: string }[] = [];
  let start = 0;
  for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, start)) {
    lines.push({ start, text: bytes.toString('utf8', start, end) });
    start = end + 1;
  }
  return lines;
}

function parseLine(path: string, text: string, number: number): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new UserError(
      `${path}, line ${number}: not a line of JSON (${text.slice(0, 40)}…); remove that line, or take the file from a backup.`,
      { cause: error },
    );
  }
}
