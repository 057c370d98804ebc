import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isLeftover } from '../../worker/formats/atomic_file.ts';
import { latestPolicy } from '../../worker/policies/latest_policy.ts';
import { openRun } from '../../worker/training/run_directory.ts';
import { listCheckpoints, readMetrics, readStatus } from '../../worker/training/run_files.ts';
import { temporaryFolder } from '../temporary_folder.ts';
import { exampleConfig } from './example_config.ts';
import { firstLine, start } from './processes.ts';

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The step that a folder's three files hold; throws where they are not all of one step or not whole. */
function stepOf(folder: string): number {
  const texts = ['policy.onnx', 'policy.json', 'learner.safetensors'].map((name) => readFileSync(join(folder, name), 'utf8'));
  const [first] = texts as [string, string, string];
  const step = Number(first.split(' ')[0]);
  if (texts.some((text) => text !== `${step} `.repeat(20_000))) throw new Error(`${folder} is torn or mixed.`);
  return step;
}

describe('a trainer killed (−9) in the middle of writing', () => {
  // Milliseconds between its first word and its death: the moments differ from machine to machine, and all must do.
  it.each([3, 17, 40, 75, 110, 160])('after %i ms leaves only whole things, and the next goes on', async (delay) => {
    const path = join(temporaryFolder(), 'walk');
    const child = start('run_writer.mjs', path, JSON.stringify(exampleConfig));
    expect(await firstLine(child)).toBe('ready');
    await sleep(delay);
    child.kill('SIGKILL');
    await once(child, 'exit');

    for (const checkpoint of listCheckpoints(path)) expect(stepOf(checkpoint.path)).toBe(checkpoint.step);
    const latest = latestPolicy(path);
    const newest = latest === null ? 0 : stepOf(latest);
    const lines = readMetrics(path);
    expect(lines).toEqual(lines.map((_, i) => ({ step: i + 1, loss: i + 1 })));
    // A line is written before its policy: at most one is ahead.
    expect(lines.length - newest).toBeGreaterThanOrEqual(0);
    expect(lines.length - newest).toBeLessThanOrEqual(1);
    expect(readStatus(path)?.alive ?? false).toBe(false);

    const next = openRun(path);
    next.metrics.append({ step: lines.length + 1 });
    next.writeCheckpoint(lines.length + 1, new Map([['policy.onnx', 'x']]));
    next.release();
    expect(readMetrics(path).length).toBe(lines.length + 1);
    const left = ['.', 'checkpoints', '.latest']
      .filter((folder) => existsSync(join(path, folder)))
      .flatMap((folder) => readdirSync(join(path, folder)));
    expect(left.filter(isLeftover)).toEqual([]);
  });
});

it('a reader beside a writing trainer always finds a whole newest policy', async () => {
  const path = join(temporaryFolder(), 'walk');
  const child = start('run_writer.mjs', path, JSON.stringify(exampleConfig));
  await firstLine(child);
  while (latestPolicy(path) === null) await sleep(1);
  const seen = new Set<number>();
  // Bounded by what is seen, not by time.
  while (seen.size < 40) {
    seen.add(readLatest(path));
    await sleep(0);
  }
  expect(seen.size).toBe(40);
});

/** Resolves the link and reads; again where the trainer has dropped that folder meanwhile, as loadPolicy's callers would. */
function readLatest(path: string): number {
  for (;;) {
    const folder = latestPolicy(path);
    if (folder === null) throw new Error('latest vanished.');
    try {
      return stepOf(folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || latestPolicy(path) === folder) throw error;
    }
  }
}
