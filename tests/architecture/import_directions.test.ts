import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { root } from '../../worker/paths.ts';

/** Runs the check over a tree of the given files. */
function check(files: Record<string, string>): { code: number | null; stderr: string } {
  const folder = mkdtempSync(join(tmpdir(), 'leash-imports-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts', 'check_imports.mjs'), folder], { encoding: 'utf8' });
  return { code: status, stderr };
}

it('lets imports follow the arrows', () => {
  const { code, stderr } = check({
    'worker/paths.ts': "import { join } from 'node:path';",
    'worker/physics/engine.ts': "import { root } from '../paths.ts';\nimport { other } from './other.ts';",
    'worker/training/loop.ts':
      "import type { Engine } from '../physics/engine.ts';\nimport {\n  a,\n  b,\n} from '../tasks/pupper/reward.ts';",
    'worker/cli/train.ts': "const { train } = await import('../training/loop.ts');",
  });
  expect(stderr).toBe('');
  expect(code).toBe(0);
});

it.each([
  ['physics', "import { reward } from '../tasks/pupper/reward.ts';", 'physics may not import tasks'],
  ['tasks', "import type { Spec } from '../training/learner.ts';", 'tasks may not import training'],
  ['training', "export { table } from '../evaluation/table.ts';", 'training may not import evaluation'],
  ['policies', "const { train } = await import('../training/loop.ts');", 'policies may not import training'],
  ['evaluation', "import {\n  a,\n  b,\n} from '../cli/main.ts';", 'evaluation may not import cli'],
  ['protocol', "import { root } from '../paths.ts';", 'protocol may not import worker/paths.ts'],
  ['physics', "import '../tasks/register.ts';", 'physics may not import tasks'],
  ['physics', "import { build } from '../../scripts/build.mjs';", 'worker/ may not import scripts/build.mjs'],
  ['training', "import { app } from 'electron';", 'worker/ may not import electron'],
  ['attic', "import { root } from '../physics/engine.ts';", 'room attic has no row'],
])('refuses in %s: %s', (room, text, complaint) => {
  const { code, stderr } = check({ [`worker/${room}/file.ts`]: `\n${text}\n` });
  expect(code).toBe(1);
  expect(stderr).toContain(`worker/${room}/file.ts:2: `);
  expect(stderr).toContain(complaint);
});
