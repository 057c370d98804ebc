import { CommanderError } from 'commander';
import { UsageError, UserError } from '../user_error.ts';
import { EXIT, type ExitCode } from './exit_code.ts';

export interface Failure {
  readonly exitCode: ExitCode;
  /** What goes to standard error; empty where commander has printed it already. */
  readonly text: string;
}

/** Errors of the operating system that a person can mend, by their `code`. */
const systemErrors: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space and run it again',
  EDQUOT: 'your disk quota is used up; free some space and run it again',
  EACCES: 'no permission; check who owns it',
  EPERM: 'not permitted; check who owns it',
  EROFS: 'the file system is read-only; choose another folder',
  ENOENT: 'there is no such file or folder; check the path',
  EISDIR: 'it is a folder, and a file is needed',
  ENOTDIR: 'a part of the path is a file, and a folder is needed',
  EMFILE: 'too many open files; raise the limit with `ulimit -n 4096`',
};

/** Turns whatever a command threw into what the person sees and the exit code. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CommanderError) return { exitCode: error.exitCode === 0 ? EXIT.done : EXIT.wrongUse, text: '' };
  if (error instanceof UsageError) return { exitCode: EXIT.wrongUse, text: `leash: ${error.message}\n` };
  if (error instanceof UserError) return { exitCode: EXIT.failed, text: `leash: ${error.message}\n` };
  const system = systemSentence(error);
  if (system !== null) return { exitCode: EXIT.failed, text: `leash: ${system}\n` };
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    exitCode: EXIT.failed,
    text: `leash: unexpected error\n${stack}\nThis is a mistake in Leash. Please report it with the lines above and the output of \`npx leash doctor\`.\n`,
  };
}

function systemSentence(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, path } = error as NodeJS.ErrnoException;
  const mend = code === undefined ? undefined : systemErrors[code];
  // Without a path the sentence would not say what is meant; the stack then helps more.
  if (mend === undefined || (path === undefined && code !== 'ENOSPC')) return null;
  return path === undefined ? `${mend}.` : `${path}: ${mend}.`;
}
