/** MuJoCo's numbers for `opt.jacobian` (mjtJacobian). */
export const JACOBIAN = { dense: 0, sparse: 1, auto: 2 } as const;
