import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { ModelSource } from './engine.ts';

/** A model as MuJoCo's virtual file system takes it. */
export interface VirtualFiles {
  /** Path of the model's own text. */
  readonly main: string;
  readonly files: readonly (readonly [path: string, bytes: Uint8Array])[];
}

/**
 * Gives a model's files a folder of their own, named for their content. MuJoCo keeps the meshes and textures that it has
 * decoded by path alone, so that a changed file under an old name would go unnoticed; and it follows includes of includes
 * dependably only from an absolute path.
 */
export function layOut(source: ModelSource): VirtualFiles {
  const paths = [...source.files.keys()].map((path) => posix.normalize(path));
  // Deep enough that a file beside or above the model's folder still lies under the folder named for the content.
  const depth = Math.max(0, ...paths.map((path) => path.split('/').filter((step) => step === '..').length));
  const folder = `/model-${contentHash(source)}${'/in'.repeat(depth)}`;
  const place = (path: string): string => (posix.isAbsolute(path) ? path : posix.join(folder, path));
  const main = place('leash_main_file.xml');
  const files = [...source.files].map(([path, bytes]) => [place(path), bytes] as const);
  return { main, files: [[main, new TextEncoder().encode(source.xml)], ...files] };
}

function contentHash(source: ModelSource): string {
  const hash = createHash('sha256');
  for (const [path, bytes] of source.files) hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  return hash.digest('hex').slice(0, 16);
}
