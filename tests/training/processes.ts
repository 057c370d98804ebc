import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { entryUrl, root } from '../../worker/paths.ts';

/** Arguments of `node` that run a script of tests/training/processes/ on the built run directory. */
export function nodeArguments(script: string, ...args: string[]): string[] {
  return [join(root, 'tests', 'training', 'processes', script), entryUrl('worker/training/run_directory').href, ...args];
}

/** Starts such a process; it ends with the test at the latest. */
export function start(script: string, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, nodeArguments(script, ...args), { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** What a process says first. */
export async function firstLine(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout!) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  return text.split('\n')[0]!;
}
