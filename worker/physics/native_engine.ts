import { allocateContacts } from './contact_buffer.ts';
import type { ArrayMemory, Engine, Model, ModelOptions, ModelSource, Simulation } from './engine.ts';
import { JACOBIAN } from './model_options.ts';
import type { NativeAddon, NativeModel } from './native_addon.ts';
import { ObjectNames } from './object_names.ts';
import { checkLength, checkStateLength, doesNotCompile, mujocoStopped, noField } from './physics_errors.ts';
import { allocateArrays } from './simulation_arrays.ts';
import { layOut } from './virtual_files.ts';

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
  const { main, files } = layOut(source);
  let native: NativeModel;
  try {
    native = new addon.Model(main, files);
  } catch (error) {
    throw doesNotCompile(source, main, error);
  }
  const field: Model['field'] = (name) => native.field(name) ?? noField(name);
  const names = new ObjectNames(field);
  const model: Model = {
    engine,
    sizes: native.sizes(),
    get timestep() {
      return native.timestep();
    },
    setOptions(options: ModelOptions) {
      const { jacobian, timestep } = options;
      native.setOptions({
        ...(timestep === undefined ? {} : { timestep }),
        ...(jacobian === undefined ? {} : { jacobian: JACOBIAN[jacobian] }),
      });
    },
    names: (type) => names.all(type),
    id: (type, name) => names.id(type, name),
    field,
    setField(name, values) {
      checkLength(name, field(name).length, values.length);
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
  let contacts = allocateContacts(64);
  const run = (call: () => void): void => {
    try {
      call();
    } catch (error) {
      throw error instanceof Error && error.message.startsWith('MuJoCo stopped') ? mujocoStopped(error) : error;
    }
  };
  return {
    model,
    ...arrays,
    step: (count) => run(() => native.step(count)),
    step1: () => run(() => native.step1()),
    forward: () => run(() => native.forward()),
    reset: () => native.reset(),
    getState(into) {
      checkStateLength(model.sizes.nstate, into.length);
      native.getState(into);
    },
    setState(state) {
      checkStateLength(model.sizes.nstate, state.length);
      native.setState(state);
    },
    contacts() {
      let count = native.contacts(contacts);
      if (count > contacts.distance.length) {
        contacts = allocateContacts(2 * count);
        count = native.contacts(contacts);
      }
      contacts.count = count;
      return contacts;
    },
    bareSteps(count) {
      let seconds = 0;
      run(() => {
        seconds = native.bareSteps(count);
      });
      return seconds;
    },
    dispose: () => native.dispose(),
  };
}
