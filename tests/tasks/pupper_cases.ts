import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { root } from '../../worker/paths.ts';
import type { EngineKind } from '../../worker/physics/engine.ts';
import { openEngine, resolveEngine } from '../../worker/physics/open_engine.ts';
import { loadPupper, type PupperModel } from '../../worker/tasks/pupper/model.ts';

/** The engines that are built here: WebAssembly always, native where libmujoco is at hand. */
export const engines: readonly EngineKind[] = resolveEngine('auto') === 'native' ? ['wasm', 'native'] : ['wasm'];

export async function openPupper(kind: EngineKind): Promise<PupperModel> {
  return loadPupper(await openEngine(kind));
}

/** Path of the published model without meshes; skips the test where it is not beside the repository. */
export function referenceModel(context: TestContext): string {
  const path = join(root, '..', 'shared', 'reference', 'pupper_v3', 'pupper_v3_nomesh.xml');
  context.skip(!existsSync(path), 'the published Pupper model (shared/reference beside the repository) is not here');
  return path;
}
