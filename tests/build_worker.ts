import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from '../worker/paths.ts';

/** Builds dist/ before any test: threads and processes that tests start run the built code (Node 20 runs no TypeScript). */
export default function buildWorker(): void {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: root, encoding: 'utf8' });
  if (status === 0) return;
  // 2: there are type errors, and the files were written all the same. `npm run check` is what refuses those.
  if (status !== 2) throw new Error(`The build of dist/ failed:\n${stdout}${stderr}`);
  console.warn(`dist/ was built in spite of type errors:\n${stdout}`);
}
