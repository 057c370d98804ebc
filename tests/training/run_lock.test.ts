import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRun } from '../../worker/training/run_directory.ts';
import { temporaryFolder } from '../temporary_folder.ts';
import { exampleConfig } from './example_config.ts';
import { firstLine, start } from './processes.ts';

const RACERS = 5;

describe('of several processes at the same moment', () => {
  it.each([1, 2])('exactly one makes the run (round %i)', async () => {
    const path = join(temporaryFolder(), 'walk');
    const answers = await race(path, JSON.stringify(exampleConfig));
    const refused = answers.filter((answer) => answer !== 'got it');
    expect(refused.length).toBe(RACERS - 1);
    for (const answer of refused) expect(answer).toMatch(/^UserError: .*walk (is in use by process \d+;|holds a run already;)/);
  });

  it.each([1, 2])('exactly one takes over from a dead one (round %i)', async () => {
    const path = join(temporaryFolder(), 'walk');
    const dead = start('run_writer.mjs', path, JSON.stringify(exampleConfig));
    await firstLine(dead);
    dead.kill('SIGKILL');
    await once(dead, 'exit');
    const refused = (await race(path, 'open')).filter((answer) => answer !== 'got it');
    expect(refused.length).toBe(RACERS - 1);
    for (const answer of refused) expect(answer).toMatch(/^UserError: .*walk is in use by process \d+;/);
  });
});

async function race(path: string, config: string): Promise<string[]> {
  const moment = String(Date.now() + 1200);
  const children = Array.from({ length: RACERS }, () => start('lock_racer.mjs', path, moment, config));
  const answers = await Promise.all(children.map(firstLine));
  for (const child of children) child.stdin!.end();
  for (const child of children) if (child.exitCode === null) await once(child, 'exit');
  return answers;
}

describe('a lock file', () => {
  /** A run whose last holder reads as given. */
  async function heldBy(holder: object | string): Promise<string> {
    const path = join(temporaryFolder(), 'walk');
    const own = await formerHolder(path);
    writeFileSync(join(path, '.lock', '2'), typeof holder === 'string' ? holder : JSON.stringify({ ...own, ...holder }));
    return path;
  }
  /** Makes the run in a process of its own, which is killed, and returns what its lock file says. */
  async function formerHolder(path: string): Promise<object> {
    const child = start('run_writer.mjs', path, JSON.stringify(exampleConfig));
    await firstLine(child);
    child.kill('SIGKILL');
    await once(child, 'exit');
    return JSON.parse(readFileSync(join(path, '.lock', '1'), 'utf8')) as object;
  }

  it('of a process that took a dead one’s number is no hindrance', async () => {
    // Our own number, but started at another time.
    const run = openRun(await heldBy({ pid: process.pid, startTime: 1 }));
    expect(run.config.seed).toBe(42);
    run.release();
  });

  it('of another machine is respected, and says what to do if that is gone', async () => {
    const path = await heldBy({ host: 'workstation', boot: '00000000-0000-0000-0000-000000000000' });
    expect(() => openRun(path)).toThrow(
      /is in use by process \d+ on the machine "workstation"; stop it there, or delete .*\.lock if that machine no longer runs\.$/,
    );
  });

  it('left empty by a power failure is no hindrance', async () => {
    const run = openRun(await heldBy(''));
    expect(run.config.seed).toBe(42);
    run.release();
  });
});
