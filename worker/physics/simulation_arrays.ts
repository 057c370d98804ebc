import { type ArrayMemory, type ModelSizes, WARNINGS } from './engine.ts';

/** The arrays of a Simulation, made once in JavaScript memory; names and shapes as in engine.ts. */
export interface SimulationArrays {
  readonly time: Float64Array;
  readonly qpos: Float64Array;
  readonly qvel: Float64Array;
  readonly ctrl: Float64Array;
  readonly xfrc_applied: Float64Array;
  readonly mocap_pos: Float64Array;
  readonly mocap_quat: Float64Array;
  readonly xpos: Float64Array;
  readonly xquat: Float64Array;
  readonly xmat: Float64Array;
  readonly site_xpos: Float64Array;
  readonly qfrc_actuator: Float64Array;
  readonly sensordata: Float64Array;
  readonly warnings: Int32Array;
}

export function allocateArrays(sizes: ModelSizes, memory: ArrayMemory = 'private'): SimulationArrays {
  const buffer = (bytes: number): ArrayBufferLike => (memory === 'shared' ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
  const doubles = (count: number): Float64Array => new Float64Array(buffer(8 * count));
  return {
    time: doubles(1),
    qpos: doubles(sizes.nq),
    qvel: doubles(sizes.nv),
    ctrl: doubles(sizes.nu),
    xfrc_applied: doubles(6 * sizes.nbody),
    mocap_pos: doubles(3 * sizes.nmocap),
    mocap_quat: doubles(4 * sizes.nmocap),
    xpos: doubles(3 * sizes.nbody),
    xquat: doubles(4 * sizes.nbody),
    xmat: doubles(9 * sizes.nbody),
    site_xpos: doubles(3 * sizes.nsite),
    qfrc_actuator: doubles(sizes.nv),
    sensordata: doubles(sizes.nsensordata),
    warnings: new Int32Array(buffer(4 * WARNINGS.length)),
  };
}
