import type { MainModule, MjModel } from '@mujoco/mujoco';
import type { Engine, Model, ModelOptions, ModelSizes, ModelSource } from './engine.ts';
import { JACOBIAN } from './model_options.ts';
import { ObjectNames } from './object_names.ts';
import { checkLength, doesNotCompile, noField } from './physics_errors.ts';
import { layOut } from './virtual_files.ts';
import { loadWasmModule, type WasmModule } from './wasm_module.ts';
import { newWasmSimulation } from './wasm_simulation.ts';

/** MuJoCo in WebAssembly: an instance of its own, so one a thread. */
export async function openWasmEngine(): Promise<Engine> {
  const module = await loadWasmModule();
  const engine: Engine = {
    kind: 'wasm',
    mujocoVersion: module.mujoco.mj_versionString(),
    compile: (source) => compile(engine, module, source),
  };
  return engine;
}

function compile(engine: Engine, module: WasmModule, source: ModelSource): Model {
  const { mujoco } = module;
  const vfs = new mujoco.MjVFS();
  const { main, files } = layOut(source);
  let native: MjModel;
  try {
    for (const [path, bytes] of files) vfs.addBuffer(path, bytes);
    native = module.guarded(() => mujoco.MjModel.from_xml_path(main, vfs));
  } catch (error) {
    throw doesNotCompile(source, main, error);
  } finally {
    vfs.delete();
  }
  const { opt } = native;
  opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET.value;
  opt.delete();
  const field: Model['field'] = (name) => fieldView(native, name).slice();
  const names = new ObjectNames(field);
  const model: Model = {
    engine,
    sizes: sizesOf(mujoco, native),
    get timestep() {
      const option = native.opt;
      const { timestep } = option;
      option.delete();
      return timestep;
    },
    setOptions({ timestep, jacobian }: ModelOptions) {
      const option = native.opt;
      if (timestep !== undefined) option.timestep = timestep;
      if (jacobian !== undefined) option.jacobian = JACOBIAN[jacobian];
      option.delete();
    },
    names: (type) => names.all(type),
    id: (type, name) => names.id(type, name),
    field,
    setField(name, values) {
      const view = fieldView(native, name);
      checkLength(name, view.length, values.length);
      view.set(values);
    },
    newSimulation(memory) {
      if (native.isDeleted()) throw new Error('This model is disposed.');
      return newWasmSimulation(module, native, model, memory);
    },
    dispose() {
      if (!native.isDeleted()) native.delete();
    },
  };
  return model;
}

function fieldView(native: MjModel, name: string): Float64Array | Float32Array | Int32Array | Uint8Array {
  if (native.isDeleted()) throw new Error('This model is disposed.');
  const view = (native as unknown as Record<string, unknown>)[name];
  if (view instanceof Float64Array || view instanceof Float32Array || view instanceof Int32Array || view instanceof Uint8Array) return view;
  if (view instanceof Int8Array) return new Uint8Array(view.buffer, view.byteOffset, view.length);
  return noField(name);
}

function sizesOf(mujoco: MainModule, native: MjModel): ModelSizes {
  const { nq, nv, nu, nbody, njnt, ngeom, nsite, nmocap, nsensordata } = native;
  return {
    nq,
    nv,
    nu,
    nbody,
    njnt,
    ngeom,
    nsite,
    nmocap,
    nsensordata,
    nstate: mujoco.mj_stateSize(native, mujoco.mjtState.mjSTATE_INTEGRATION.value),
  };
}
