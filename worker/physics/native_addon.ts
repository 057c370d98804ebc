import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { nativeFolder } from '../paths.ts';
import type { Contacts, ModelSizes, SimulationArrays } from './engine.ts';

/** What native/mujoco exports. */
export interface NativeAddon {
  readonly mujocoVersion: string;
  readonly Model: new (main: string, files: readonly (readonly [string, Uint8Array])[]) => NativeModel;
  readonly Simulation: new (model: NativeModel, arrays: SimulationArrays) => NativeSimulation;
}

export interface NativeModel {
  sizes(): ModelSizes;
  timestep(): number;
  setOptions(options: { timestep?: number; jacobian?: number }): void;
  field(name: string): Float64Array | Float32Array | Int32Array | Uint8Array | undefined;
  setField(name: string, values: Float64Array): void;
  dispose(): void;
}

export interface NativeSimulation {
  step(count: number): void;
  step1(): void;
  forward(): void;
  reset(): void;
  getState(into: Float64Array): void;
  setState(state: Float64Array): void;
  /** Returns how many contacts there are, which may be more than fitted. */
  contacts(into: Contacts): number;
  /** Seconds that `count` plain mj_step took, for the bench. */
  bareSteps(count: number): number;
  dispose(): void;
}

const file = join(nativeFolder, 'leash_mujoco.node');

/** The addon, or in words why there is none. */
export function findNativeAddon(): { addon: NativeAddon } | { missing: string } {
  if (!existsSync(file)) return { missing: 'the native MuJoCo engine is not built; `npm run setup` fetches libmujoco and builds it' };
  try {
    return { addon: createRequire(import.meta.url)(file) as NativeAddon };
  } catch (error) {
    return {
      missing: `the native MuJoCo engine does not load (${error instanceof Error ? error.message : String(error)}); run \`npm run setup\` again`,
    };
  }
}
