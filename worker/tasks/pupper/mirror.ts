import type { MirrorSpec } from '../mirror_spec.ts';

/**
 * The left–right reflection (y → −y). Right and left legs change places; every leg joint's axis flips with them, which
 * the ranges show: right [lower, upper] is left [−upper, −lower].
 */
const JOINT_INDEX = [3, 4, 5, 0, 1, 2, 9, 10, 11, 6, 7, 8];
const vector = (at: number, signs: readonly number[]): { index: number[]; sign: number[] } => ({
  index: [at, at + 1, at + 2],
  sign: [...signs],
});
const joints = (at: number): { index: number[]; sign: number[] } => ({
  index: JOINT_INDEX.map((j) => at + j),
  sign: JOINT_INDEX.map(() => -1),
});

const POLAR = [1, -1, 1];
const AXIAL = [-1, 1, -1];
const parts = [
  vector(0, POLAR),
  vector(3, AXIAL),
  vector(6, POLAR),
  { index: [9, 10, 11], sign: [1, -1, -1] },
  joints(12),
  joints(24),
  joints(36),
];

export const pupperMirror: MirrorSpec = {
  observationIndex: Int32Array.from(parts.flatMap((part) => part.index)),
  observationSign: Float32Array.from(parts.flatMap((part) => part.sign)),
  actionIndex: Int32Array.from(JOINT_INDEX),
  actionSign: Float32Array.from(JOINT_INDEX, () => -1),
};
