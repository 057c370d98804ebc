import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { leash } from './leash_process.ts';

/** A path for a run that must not come into being. */
function untouched(): string {
  const folder = mkdtempSync(join(tmpdir(), 'leash-use-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'run');
}

it.each([
  [['train', 'pupper', '--steps', 'abc'], "argument 'abc' is invalid. Write a whole number of steps such as 10M, 250k or 1e6."],
  [['train', 'pupper', '--steps', '-5'], "argument '-5' is invalid."],
  [['train', 'pupper', '--steps', '1M', '--seed', '1.5'], "argument '1.5' is invalid. Write a whole number from 0"],
  [['train', 'pupper', '--steps', '1M', '--threads', '0'], "argument '0' is invalid."],
  [['train', 'pupper', '--steps', '1M', '--preset', 'fast'], 'Allowed choices are'],
  [['train', 'pupper', '--steps', '1M', '--device', 'gpu'], 'write cpu or hip:0'],
  [['train', 'pupper', '--steps', '1M', '--set', 'ppo.gama=0.9'], 'There is no setting "ppo.gama"'],
  [['train', 'pupper', '--steps', '1M', '--set', 'rollout.environments=1000000000'], 'at most 4000000 are possible'],
  [['train', 'pupper', '--steps', '1M', '--set', 'network.valueHidden=[100000]'], 'at most 4096 are possible'],
  [['train', 'pupper', '--steps', '1M', '--set', 'ppo.epochs=0'], '--set ppo.epochs'],
  [['train', 'puper', '--steps', '1M'], 'There is no task "puper"'],
  [['train', 'pupper'], 'Say how long to train'],
  [['train'], "missing required argument 'task'"],
])('leash %j is wrong use, and begins no run', (args, sentence) => {
  const out = untouched();
  const { code, stdout, stderr } = leash([...args, '--out', out]);
  expect(stderr).toMatch(/^leash: /);
  expect(stderr).toContain(sentence);
  expect(stdout).toBe('');
  expect(code).toBe(2);
  expect(existsSync(out)).toBe(false);
});

it('refuses a GPU that it cannot use instead of training on something else', () => {
  const out = untouched();
  const { code, stderr } = leash(['train', 'pupper', '--steps', '1M', '--device', 'hip:0', '--out', out]);
  expect(stderr).toMatch(/^leash: hip:0 cannot be used: .*--device cpu\.\n$/);
  expect(code).toBe(1);
  expect(existsSync(out)).toBe(false);
});

it.each([
  ['bench', 'runs/nowhere'],
  ['train', 'pupper', '--resume', 'runs/nowhere'],
])('leash %s names the path that does not exist, in one sentence', (...args) => {
  const { code, stderr } = leash(args);
  expect(stderr).toMatch(/^leash: [^\n]*runs\/nowhere[^\n]*\n$/);
  expect(code).toBe(1);
});

it('refuses options that a resumed run would ignore', () => {
  const { code, stderr } = leash(['train', 'pupper', '--resume', 'runs/nowhere', '--seed', '3', '--threads', '1']);
  expect(stderr).toBe('leash: A resumed run keeps what it was begun with; leave out --seed, --threads, or begin a new run with --out.\n');
  expect(code).toBe(2);
});
