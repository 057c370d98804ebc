/** How an observation and an action look in a mirror: `mirrored[i] = sign[i] · x[index[i]]`. */
export interface MirrorSpec {
  readonly observationIndex: Int32Array;
  readonly observationSign: Float32Array;
  readonly actionIndex: Int32Array;
  readonly actionSign: Float32Array;
}
