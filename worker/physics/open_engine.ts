import { UserError } from '../user_error.ts';
import type { Engine, EngineKind } from './engine.ts';
import { findNativeAddon } from './native_addon.ts';
import { nativeEngine } from './native_engine.ts';
import { openWasmEngine } from './wasm_engine.ts';

export type EngineChoice = EngineKind | 'auto';
export const ENGINE_CHOICES: readonly EngineChoice[] = ['auto', 'native', 'wasm'];

/** Which engine a choice means on this machine: `auto` is native where it is built, else WebAssembly. */
export function resolveEngine(choice: EngineChoice): EngineKind {
  if (choice !== 'auto') return choice;
  return 'addon' in findNativeAddon() ? 'native' : 'wasm';
}

/**
 * Opens an engine for the calling thread.
 * @throws UserError when `native` is asked for and cannot be had; it never falls back by itself.
 */
export async function openEngine(choice: EngineChoice): Promise<Engine> {
  if (resolveEngine(choice) === 'wasm') return openWasmEngine();
  const found = findNativeAddon();
  if ('missing' in found) throw new UserError(`No native engine: ${found.missing}, or choose the engine wasm.`);
  return nativeEngine(found.addon);
}
