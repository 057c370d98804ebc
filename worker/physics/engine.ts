/**
 * One interface over the two MuJoCo builds (WebAssembly and native, same version).
 *
 * SI units, radians. Quaternions are w x y z. A free joint's `qvel` is world-frame linear velocity
 * followed by body-frame angular velocity.
 */

import { UserError } from '../user_error.ts';

export type EngineKind = 'wasm' | 'native';

export interface Engine {
  readonly kind: EngineKind;
  /** MuJoCo's own version, for example `3.14.0`. */
  readonly mujocoVersion: string;
  /** @throws ModelError when MuJoCo refuses the model; the message holds MuJoCo's own text with the XML line. */
  compile(source: ModelSource): Model;
}

/** A model as text, with every file it includes or refers to, by path relative to the XML's folder. */
export interface ModelSource {
  /** What to call it in messages: usually the path. */
  readonly name: string;
  readonly xml: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** The model does not compile, or a file that it needs is missing. */
export class ModelError extends UserError {
  override name = 'ModelError';
}

export type ObjectType = 'body' | 'joint' | 'geom' | 'site' | 'actuator' | 'sensor' | 'camera' | 'light' | 'tendon' | 'mesh' | 'keyframe';

export interface ModelSizes {
  readonly nq: number;
  readonly nv: number;
  readonly nu: number;
  readonly nbody: number;
  readonly njnt: number;
  readonly ngeom: number;
  readonly nsite: number;
  readonly nmocap: number;
  readonly nsensordata: number;
  /** Numbers in a full state (mjSTATE_INTEGRATION). */
  readonly nstate: number;
}

/** Where the arrays of a simulation live. */
export type ArrayMemory = 'private' | 'shared';

/** Simulation options that can be changed after compiling; each is MuJoCo's field of that name in `mjOption`. */
export interface ModelOptions {
  timestep?: number;
  /** mjtJacobian */
  jacobian?: 'dense' | 'sparse' | 'auto';
}

/** MuJoCo's warnings (mjtWarning) in the order in which {@link Simulation.warnings} counts them. */
export const WARNINGS = ['inertia', 'contactfull', 'cnstrfull', 'badqpos', 'badqvel', 'badqacc', 'badctrl'] as const;

/**
 * A compiled model. Shared by all its simulations; owned by whoever compiled it.
 * MuJoCo's automatic reset is off in it (mjDSBL_AUTORESET), so a state that holds NaN stays as it is and shows in the warnings.
 */
export interface Model {
  readonly engine: Engine;
  readonly sizes: ModelSizes;
  /** Seconds. */
  readonly timestep: number;
  setOptions(options: ModelOptions): void;
  /** @throws RangeError when the model has no such name; the message lists the names there are. */
  id(type: ObjectType, name: string): number;
  /** Names in order of id; '' for an object without one. */
  names(type: ObjectType): string[];
  /** A copy of a field of `mjModel` by MuJoCo's name (`body_mass`, `jnt_range`, `actuator_gainprm`, …), row-major. */
  field(name: string): Float64Array | Float32Array | Int32Array | Uint8Array;
  /**
   * Overwrites a field of `mjModel`; constants that MuJoCo derived from it when it compiled stay as they were.
   * @throws RangeError when there is no such field or the length differs from what {@link field} returns.
   */
  setField(name: string, values: ArrayLike<number>): void;
  /** @param memory `shared` puts the arrays on a SharedArrayBuffer, so that another thread can watch them. */
  newSimulation(memory?: ArrayMemory): Simulation;
  /** Frees the model. Dispose its simulations first. */
  dispose(): void;
}

/** The arrays of a {@link Simulation}. */
export interface SimulationArrays {
  // State and inputs: read and written by the caller, handed to MuJoCo at each step() and forward().
  /** [1] seconds. */
  readonly time: Float64Array;
  /** [nq] */
  readonly qpos: Float64Array;
  /** [nv] */
  readonly qvel: Float64Array;
  /** [nu] */
  readonly ctrl: Float64Array;
  /** [nbody, 6] world-frame force (N) and torque (N·m) at each body's centre of mass; stays until overwritten. */
  readonly xfrc_applied: Float64Array;
  /** [nmocap, 3] and [nmocap, 4] */
  readonly mocap_pos: Float64Array;
  readonly mocap_quat: Float64Array;

  // Outputs: as the last mj_step or mj_forward left them.
  /** [nbody, 3] */
  readonly xpos: Float64Array;
  /** [nbody, 4] */
  readonly xquat: Float64Array;
  /** [nbody, 9] */
  readonly xmat: Float64Array;
  /** [nsite, 3] */
  readonly site_xpos: Float64Array;
  /** [nv] */
  readonly qfrc_actuator: Float64Array;
  /** [nsensordata] */
  readonly sensordata: Float64Array;
  /** [7] how often each of MuJoCo's warnings (mjtWarning) was raised since the last reset. */
  readonly warnings: Int32Array;
}

/**
 * One `mjData`. The arrays are made once, in JavaScript memory, and hold the same objects for the simulation's life:
 * write the inputs, call {@link step} or {@link forward}, read the outputs. Never transfer their buffers to another thread.
 *
 * When MuJoCo itself gives up (out of its arena's memory, say), the call throws an Error with MuJoCo's words and the
 * simulation is as after {@link reset}.
 */
export interface Simulation extends SimulationArrays {
  readonly model: Model;

  /** `mj_step`, count times; nothing is recomputed afterwards, so derived outputs belong to the start of the last physics step. */
  step(count: number): void;
  /** `mj_step1` (positions, velocities and contacts of the present state). */
  step1(): void;
  /** `mj_forward`. */
  forward(): void;
  /** `mj_resetData`; all arrays above follow. */
  reset(): void;
  /** Writes the full state (mjSTATE_INTEGRATION) into `into` [nstate]. */
  getState(into: Float64Array): void;
  /** Restores a full state. Derived outputs are stale until the next step or forward. */
  setState(state: Float64Array): void;
  /** Contacts of the present state, in a buffer that the next call overwrites. */
  contacts(): Contacts;
  /** Plain `mj_step` in a loop without our bookkeeping, for the bench. Returns its seconds. */
  bareSteps(count: number): number;
  dispose(): void;
}

export interface Contacts {
  count: number;
  /** [count, 2] */
  geoms: Int32Array;
  /** [count, 3] world frame, metres. */
  position: Float64Array;
  /** [count, 9] contact frame, rows: normal (from geom 1 to geom 2), two tangents. */
  frame: Float64Array;
  /** [count] metres, negative when penetrating. */
  distance: Float64Array;
  /** [count, 6] `mj_contactForce`: force (normal first, N) and torque (N·m) in the contact frame. */
  force: Float64Array;
}
