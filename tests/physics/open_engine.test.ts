import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { root } from '../../worker/paths.ts';
import { openEngine, resolveEngine } from '../../worker/physics/open_engine.ts';
import { temporaryFolder } from '../temporary_folder.ts';
import { engineOf } from './each_engine.ts';

/** A copy of Leash as it is before the native addons are built; `addon` is what lies in their place, if anything. */
function leashWithout(addon?: string): string {
  const folder = temporaryFolder();
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  cpSync(join(root, 'dist', 'worker'), join(folder, 'dist', 'worker'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const part of ['assets', 'build/native']) mkdirSync(join(folder, part), { recursive: true });
  if (addon !== undefined) writeFileSync(join(folder, 'build', 'native', 'leash_mujoco.node'), addon);
  return folder;
}

/** What opening that engine there comes to. */
async function openThere(folder: string, choice: string): Promise<string> {
  const code = `
    import { openEngine } from './dist/worker/physics/open_engine.js';
    const say = (error) => error.name + ': ' + error.message;
    console.log(await openEngine('${choice}').then(({ kind, mujocoVersion }) => kind + ' ' + mujocoVersion, say));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], { cwd: folder });
  return stdout.trim();
}

it('the native engine that is not built is refused with the mend, and auto means WebAssembly then', async () => {
  const folder = leashWithout();
  expect(await openThere(folder, 'native')).toBe(
    'UserError: No native engine: the native MuJoCo engine is not built; `npm run setup` fetches libmujoco and builds it, or choose the engine wasm.',
  );
  expect(await openThere(folder, 'auto')).toBe('wasm 3.14.0');
});

it('an addon that does not load is refused with the reason', async () => {
  const folder = leashWithout('not a library');
  expect(await openThere(folder, 'native')).toMatch(
    /^UserError: No native engine: .* does not load \(.+\); run `npm run setup` again, or choose the engine wasm\.$/,
  );
  expect(await openThere(folder, 'auto')).toBe('wasm 3.14.0');
});

it('both engines are the same MuJoCo, and auto prefers the native one', async (context) => {
  const native = await engineOf(context, 'native');
  expect(native.mujocoVersion).toBe((await openEngine('wasm')).mujocoVersion);
  expect(resolveEngine('auto')).toBe('native');
  expect((await openEngine('auto')).kind).toBe('native');
});
