import { describe, type TestContext } from 'vitest';
import type { Engine, EngineKind, Model, Simulation } from '../../worker/physics/engine.ts';
import { modelFromString } from '../../worker/physics/model_source.ts';
import { findNativeAddon } from '../../worker/physics/native_addon.ts';
import { openEngine } from '../../worker/physics/open_engine.ts';

export const KINDS: readonly EngineKind[] = ['wasm', 'native'];

/** Makes the same claims about both engines. */
export const describeEachEngine = describe.each(KINDS.map((kind) => ({ kind })));

const opened = new Map<EngineKind, Promise<Engine>>();

/** One engine of that kind for the whole file; skips the test where the native one is not built. */
export async function engineOf(context: TestContext, kind: EngineKind): Promise<Engine> {
  const native = findNativeAddon();
  context.skip(kind === 'native' && 'missing' in native, 'missing' in native ? native.missing : '');
  const engine = opened.get(kind) ?? openEngine(kind);
  opened.set(kind, engine);
  return engine;
}

/** Compiles and starts a model; both go with the test. */
export async function simulate(context: TestContext, kind: EngineKind, xml: string): Promise<{ model: Model; simulation: Simulation }> {
  const model = (await engineOf(context, kind)).compile(modelFromString(xml));
  const simulation = model.newSimulation();
  context.onTestFinished(() => {
    simulation.dispose();
    model.dispose();
  });
  return { model, simulation };
}
