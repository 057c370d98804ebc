import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../worker/paths.ts';
import { temporaryFolder } from '../temporary_folder.ts';

/** Runs the build where nothing but the named programs is installed; each of them fails with words of its own. */
function buildWith(...programs: string[]): { code: number | null; output: string } {
  const folder = temporaryFolder();
  for (const name of programs) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho "${name} was asked"\nexit 3\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const env = { PATH: folder };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/build_native.mjs'], { cwd: root, env, encoding: 'utf8' });
  return { code: status, output: stdout + stderr };
}

describe('building the native addons', () => {
  it.each<[string, string[], string]>([
    ['cmake', ['make', 'c++'], 'cmake is not installed; install it (Debian, Ubuntu: sudo apt install cmake)'],
    ['make and ninja', ['cmake', 'c++'], 'neither make nor ninja is installed; install it (Debian, Ubuntu: sudo apt install make)'],
    ['a compiler', ['cmake', 'make'], 'a C++ compiler is not installed; install it (Debian, Ubuntu: sudo apt install g++)'],
  ])('without %s fails with one sentence that names the package', (_, programs, sentence) => {
    const { code, output } = buildWith(...programs);
    expect(code).toBe(1);
    expect(output.trim()).toBe(`native addons: ${sentence}, then run \`npm run setup\` again.`);
  });
});
