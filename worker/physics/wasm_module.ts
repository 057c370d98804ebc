import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import loadMujoco, { type MainModule } from '@mujoco/mujoco';
import { passBooleanArrays } from './wasm_boolean_views.ts';

/** An instance of MuJoCo in WebAssembly, for one thread. */
export interface WasmModule {
  readonly mujoco: MainModule;
  /**
   * Runs calls into MuJoCo. Its fatal errors arrive as exceptions thrown straight through C code, which leaves C's stack
   * where it was; left so, a dozen of them end in corrupt memory. Here the stack is put back, and the error thrown on.
   */
  guarded<T>(call: () => T): T;
}

/** What emscripten calls itself when it saves and restores C's stack pointer. */
interface StackExports {
  emscripten_stack_get_current(): number;
  _emscripten_stack_restore(pointer: number): void;
}

/** The part of the WebAssembly API used here; TypeScript declares it only among the browser's types, which the worker goes without. */
interface WebAssemblyApi {
  compile(bytes: Uint8Array): Promise<object>;
  readonly Instance: new (module: object, imports: object) => { readonly exports: StackExports };
}
const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi };

/** Loads a fresh instance; nothing is shared with others, in this thread or elsewhere. */
export async function loadWasmModule(): Promise<WasmModule> {
  const binary = await readFile(createRequire(import.meta.url).resolve('@mujoco/mujoco/mujoco.wasm'));
  const module = await WebAssembly.compile(new Uint8Array(binary));
  let stack: StackExports | undefined;
  const mujoco: MainModule = await loadMujoco({
    // Warnings are counted in mjData and errors are thrown: nothing of MuJoCo's belongs on a person's terminal.
    print: () => undefined,
    printErr: () => undefined,
    instantiateWasm(imports: object, receive: (instance: object, module: object) => void) {
      passBooleanArrays(imports);
      const instance = new WebAssembly.Instance(module, imports);
      stack = instance.exports;
      receive(instance, module);
      return instance.exports;
    },
  });
  const { emscripten_stack_get_current: top, _emscripten_stack_restore: restore } = stack!;
  return {
    mujoco,
    guarded(call) {
      const before = top();
      try {
        return call();
      } catch (error) {
        restore(before);
        throw error;
      }
    },
  };
}
