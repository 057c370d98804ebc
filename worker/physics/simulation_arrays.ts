import type { ModelSizes } from './engine.ts';

/** Kinds of warnings that MuJoCo counts (mjNWARNING). */
export const WARNING_KINDS = 7;

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

export function allocateArrays(sizes: ModelSizes): SimulationArrays {
  return {
    time: new Float64Array(1),
    qpos: new Float64Array(sizes.nq),
    qvel: new Float64Array(sizes.nv),
    ctrl: new Float64Array(sizes.nu),
    xfrc_applied: new Float64Array(6 * sizes.nbody),
    mocap_pos: new Float64Array(3 * sizes.nmocap),
    mocap_quat: new Float64Array(4 * sizes.nmocap),
    xpos: new Float64Array(3 * sizes.nbody),
    xquat: new Float64Array(4 * sizes.nbody),
    xmat: new Float64Array(9 * sizes.nbody),
    site_xpos: new Float64Array(3 * sizes.nsite),
    qfrc_actuator: new Float64Array(sizes.nv),
    sensordata: new Float64Array(sizes.nsensordata),
    warnings: new Int32Array(WARNING_KINDS),
  };
}
