import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '../user_error.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'your disk quota is used up',
  EFBIG: 'the file would be larger than this system allows',
  EIO: 'the disk reported an input/output error',
  EROFS: 'the file system is read-only',
};

/**
 * What to throw for an error met while writing `path`: for a full or failing disk a sentence with the file, how much was
 * wanted and how much is free; any other error as it is.
 * @param wanted bytes
 */
export function asWriteError(error: unknown, path: string, wanted: number): unknown {
  const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ''];
  if (reason === undefined) return error;
  return new UserError(
    `${path} was not written: ${reason} (${size(wanted)} wanted${freeSpace(path)}); free some space or choose another folder, then run it again.`,
    {
      cause: error,
    },
  );
}

function freeSpace(path: string): string {
  const folder = dirname(path);
  // The folder may be one that was being written and is not there.
  if (!existsSync(folder)) return folder === path ? '' : freeSpace(folder);
  const { bavail, bsize } = statfsSync(folder);
  return `, ${size(bavail * bsize)} free`;
}

function size(bytes: number): string {
  if (bytes < 1e3) return `${bytes} bytes`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
