import type { MainModule, MjData, MjModel } from '@mujoco/mujoco';
import { allocateContacts } from './contact_buffer.ts';
import { type ArrayMemory, type Contacts, type Model, type Simulation, WARNINGS } from './engine.ts';
import { checkStateLength, mujocoStopped } from './physics_errors.ts';
import { allocateArrays } from './simulation_arrays.ts';
import type { WasmModule } from './wasm_module.ts';

const INPUTS = ['qpos', 'qvel', 'ctrl', 'xfrc_applied', 'mocap_pos', 'mocap_quat'] as const;
const OUTPUTS = ['xpos', 'xquat', 'xmat', 'site_xpos', 'qfrc_actuator', 'sensordata'] as const;
type Mirrored = (typeof INPUTS)[number] | (typeof OUTPUTS)[number];
const MIRRORED: readonly Mirrored[] = [...INPUTS, ...OUTPUTS];

/**
 * One mjData in WebAssembly memory, mirrored in plain arrays: inputs are copied in before each step, outputs out after it.
 * Views into that memory are taken once, and again only when it has grown (which leaves old views empty).
 */
export function newWasmSimulation(module: WasmModule, nativeModel: MjModel, model: Model, memory?: ArrayMemory): Simulation {
  const { mujoco } = module;
  const data: MjData = module.guarded(() => new mujoco.MjData(nativeModel));
  const arrays = allocateArrays(model.sizes, memory);
  const integration = mujoco.mjtState.mjSTATE_INTEGRATION.value;
  const stateBuffer = new mujoco.DoubleBuffer(model.sizes.nstate);
  const forceBuffer = new mujoco.DoubleBuffer(6);
  // This list is part of `data` and follows it; deleting it would free the same memory twice. Its elements are copies.
  const warningList = data.warning;

  let views = takeViews();
  function takeViews(): Record<Mirrored, Float64Array> {
    return Object.fromEntries(MIRRORED.map((name) => [name, data[name] as Float64Array])) as Record<Mirrored, Float64Array>;
  }
  /** @throws Error when disposed. */
  const live = (): Record<Mirrored, Float64Array> => {
    if (disposed) throw new Error('This simulation is disposed.');
    if (views.xpos.byteLength === 0) views = takeViews();
    return views;
  };
  function push(): void {
    const inside = live();
    data.time = arrays.time[0]!;
    for (const name of INPUTS) inside[name].set(arrays[name]);
  }
  function pull(): void {
    const inside = live();
    arrays.time[0] = data.time;
    for (const name of MIRRORED) arrays[name].set(inside[name]);
    for (let i = 0; i < WARNINGS.length; i++) {
      const warning = warningList.get(i)!;
      arrays.warnings[i] = warning.number;
      warning.delete();
    }
  }
  function run(call: () => void): void {
    push();
    try {
      module.guarded(call);
    } catch (error) {
      mujoco.mj_resetData(nativeModel, data);
      pull();
      throw mujocoStopped(error);
    }
    pull();
  }
  let disposed = false;
  let contacts = allocateContacts(64);
  pull();

  return {
    model,
    ...arrays,
    step: (count) =>
      run(() => {
        for (let i = 0; i < count; i++) mujoco.mj_step(nativeModel, data);
      }),
    step1: () => run(() => mujoco.mj_step1(nativeModel, data)),
    forward: () => run(() => mujoco.mj_forward(nativeModel, data)),
    reset() {
      live();
      mujoco.mj_resetData(nativeModel, data);
      pull();
    },
    getState(into) {
      checkStateLength(model.sizes.nstate, into.length);
      push();
      mujoco.mj_getState(nativeModel, data, stateBuffer, integration);
      into.set(stateBuffer.GetView() as Float64Array);
    },
    setState(state) {
      checkStateLength(model.sizes.nstate, state.length);
      live();
      // Embind takes any array-like here; its declaration says number[].
      mujoco.mj_setState(nativeModel, data, state as unknown as number[], integration);
      pull();
    },
    contacts() {
      live();
      const count = data.ncon;
      if (count > contacts.distance.length) contacts = allocateContacts(2 * count);
      contacts.count = count;
      readContacts(mujoco, nativeModel, data, forceBuffer, contacts);
      return contacts;
    },
    bareSteps(count) {
      let seconds = 0;
      run(() => {
        const start = performance.now();
        for (let i = 0; i < count; i++) mujoco.mj_step(nativeModel, data);
        seconds = (performance.now() - start) / 1e3;
      });
      return seconds;
    },
    dispose() {
      if (disposed) return;
      disposed = true;
      stateBuffer.delete();
      forceBuffer.delete();
      data.delete();
    },
  };
}

type ForceBuffer = InstanceType<MainModule['DoubleBuffer']>;

function readContacts(mujoco: MainModule, nativeModel: MjModel, data: MjData, forceBuffer: ForceBuffer, into: Contacts): void {
  const list = data.contact;
  for (let i = 0; i < into.count; i++) {
    const contact = list.get(i)!;
    into.geoms[2 * i] = contact.geom1;
    into.geoms[2 * i + 1] = contact.geom2;
    into.position.set(contact.pos as Float64Array, 3 * i);
    into.frame.set(contact.frame as Float64Array, 9 * i);
    into.distance[i] = contact.dist;
    mujoco.mj_contactForce(nativeModel, data, i, forceBuffer);
    into.force.set(forceBuffer.GetView() as Float64Array, 6 * i);
    contact.delete();
  }
  list.delete();
}
