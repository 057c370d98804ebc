import { type ArrayMemory, type ModelSizes, type SimulationArrays, WARNINGS } from './engine.ts';

/** The arrays of a Simulation, made once. @param memory `shared`: on SharedArrayBuffers */
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
