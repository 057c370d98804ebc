import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { root } from '../worker/paths.ts';

/** Path of a file made by another program; skips the test where that collection is not beside the repository. */
export function fixture(context: TestContext, ...parts: string[]): string {
  const folder = join(root, '..', 'shared', 'reference', 'fixtures');
  context.skip(!existsSync(folder), 'the collection of reference files (shared/reference beside the repository) is not here');
  return join(folder, ...parts);
}
