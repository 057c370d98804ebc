import type { PolicySpec } from '../protocol/policy.ts';

/** A policy that can be asked for actions. */
export interface Policy {
  readonly spec: PolicySpec;
  /** The network's file, links resolved. */
  readonly path: string;
  /** Of that file, in hex. */
  readonly sha256: string;
  /**
   * @param observations [n, observationSize] raw, terms in the spec's order
   * @returns [n, actionSize] clipped as the network file says; a new array
   * @throws UserError when an action is not a finite number.
   */
  run(observations: Float32Array, n: number): Promise<Float32Array>;
  /** One observation. The last bits may differ from the same row in a larger batch. */
  runOne(observation: Float32Array): Promise<Float32Array>;
  dispose(): Promise<void>;
}
