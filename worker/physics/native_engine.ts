import { allocateContacts } from './contact_buffer.ts';
import type { ArrayMemory, Engine, Model, ModelOptions, ModelSource, Simulation } from './engine.ts';
import { checkLength, doesNotCompile, noField } from './model_mistakes.ts';
import { JACOBIAN } from './model_options.ts';
import type { NativeAddon, NativeModel } from './native_addon.ts';
import { idOf } from './object_names.ts';
import { allocateArrays } from './simulation_arrays.ts';

/** MuJoCo as a native library. */
export function nativeEngine(addon: NativeAddon): Engine {
  const engine: Engine = {
    kind: 'native',
    mujocoVersion: addon.mujocoVersion,
    compile: (source) => compile(engine, addon, source),
  };
  return engine;
}

function compile(engine: Engine, addon: NativeAddon, source: ModelSource): Model {
  let native: NativeModel;
  try {
    native = new addon.Model(source.xml, [...source.files]);
  } catch (error) {
    throw doesNotCompile(source, error);
  }
  const names = new Map<string, string[]>();
  const model: Model = {
    engine,
    sizes: native.sizes(),
    get timestep() {
      return native.timestep();
    },
    setOptions(options: ModelOptions) {
      const { jacobian, timestep } = options;
      native.setOptions({ ...(timestep === undefined ? {} : { timestep }), ...(jacobian === undefined ? {} : { jacobian: JACOBIAN[jacobian] }) });
    },
    names(type) {
      const known = names.get(type) ?? native.names(type);
      names.set(type, known);
      return known;
    },
    id: (type, name) => idOf(model.names(type), type, name),
    field(name) {
      return native.field(name) ?? noField(name);
    },
    setField(name, values) {
      checkLength(name, model.field(name).length, values.length);
      native.setField(name, Float64Array.from(values));
    },
    newSimulation: (memory) => newSimulation(addon, model, native, memory),
    dispose: () => native.dispose(),
  };
  return model;
}

function newSimulation(addon: NativeAddon, model: Model, nativeModel: NativeModel, memory?: ArrayMemory): Simulation {
  const arrays = allocateArrays(model.sizes, memory);
  const native = new addon.Simulation(nativeModel, arrays);
  let buffer = allocateContacts(64);
  return {
    model,
    ...arrays,
    step: (count) => native.step(count),
    step1: () => native.step1(),
    forward: () => native.forward(),
    reset: () => native.reset(),
    getState: (into) => native.getState(into),
    setState: (state) => native.setState(state),
    contacts() {
      let count = native.contacts(buffer);
      if (count > buffer.distance.length) {
        buffer = allocateContacts(2 * count);
        count = native.contacts(buffer);
      }
      buffer.count = count;
      return buffer;
    },
    bareSteps: (count) => native.bareSteps(count),
    dispose: () => native.dispose(),
  };
}
