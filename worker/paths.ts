import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The folder that holds Leash's package.json, whether the code runs from source or from dist/. */
export const root = findRoot(dirname(fileURLToPath(import.meta.url)));

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json')) && existsSync(join(folder, 'assets'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('The folder of Leash (with package.json and assets/) was not found above its code.');
  return findRoot(parent);
}

/** Where setup puts the addons it builds. */
export const nativeFolder = join(root, 'build', 'native');

/**
 * URL of a worker thread's or child process's entry. Node 20 cannot run TypeScript, so code that itself runs from
 * source (the tests) starts the built twin in dist/.
 * @param path from the repository's root, without an ending: `worker/training/rollout_thread`
 */
export function entryUrl(path: string): URL {
  return pathToFileURL(join(root, 'dist', `${path}.js`));
}
