import type { MainModule, MjModel } from '@mujoco/mujoco';
import type { Engine, Model, ModelOptions, ModelSizes, ModelSource, ObjectType } from './engine.ts';
import { JACOBIAN } from './model_options.ts';
import { idOf } from './object_names.ts';
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

/** mjtObj and the size of mjModel that counts each kind. */
const OBJECTS: Record<ObjectType, readonly [type: string, count: string]> = {
  body: ['mjOBJ_BODY', 'nbody'],
  joint: ['mjOBJ_JOINT', 'njnt'],
  geom: ['mjOBJ_GEOM', 'ngeom'],
  site: ['mjOBJ_SITE', 'nsite'],
  actuator: ['mjOBJ_ACTUATOR', 'nu'],
  sensor: ['mjOBJ_SENSOR', 'nsensor'],
  camera: ['mjOBJ_CAMERA', 'ncam'],
  light: ['mjOBJ_LIGHT', 'nlight'],
  tendon: ['mjOBJ_TENDON', 'ntendon'],
  mesh: ['mjOBJ_MESH', 'nmesh'],
  keyframe: ['mjOBJ_KEY', 'nkey'],
};

type Fields = Record<string, unknown>;

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
  const fields = native as unknown as Fields;
  const { opt } = native;
  opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET.value;
  opt.delete();
  const names = new Map<ObjectType, string[]>();
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
    names(type) {
      const known = names.get(type) ?? namesOf(mujoco, native, type);
      names.set(type, known);
      return known;
    },
    id: (type, name) => idOf(model.names(type), type, name),
    field: (name) => fieldView(fields, name).slice(),
    setField(name, values) {
      const view = fieldView(fields, name);
      checkLength(name, view.length, values.length);
      view.set(values);
    },
    newSimulation: (memory) => newWasmSimulation(module, native, model, memory),
    dispose() {
      if (!native.isDeleted()) native.delete();
    },
  };
  return model;
}

function fieldView(fields: Fields, name: string): Float64Array | Float32Array | Int32Array | Uint8Array {
  const view = fields[name];
  if (view instanceof Float64Array || view instanceof Float32Array || view instanceof Int32Array || view instanceof Uint8Array) return view;
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

function namesOf(mujoco: MainModule, native: MjModel, type: ObjectType): string[] {
  const [kind, count] = OBJECTS[type];
  const value = (mujoco.mjtObj as unknown as Record<string, { value: number }>)[kind]!.value;
  const length = (native as unknown as Record<string, number>)[count]!;
  return Array.from({ length }, (_, id) => mujoco.mj_id2name(native, value, id) ?? '');
}
