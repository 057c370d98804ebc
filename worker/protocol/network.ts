/** Shape of a policy's network: what the learner trains, a checkpoint holds and an ONNX file is written from. */

export type Activation = 'tanh' | 'elu';

/** Two multilayer perceptrons, policy and value apart, and a state-independent log σ. */
export interface NetworkSpec {
  readonly observationSize: number;
  readonly actionSize: number;
  /** Widths of the hidden layers. */
  readonly policyHidden: readonly number[];
  readonly valueHidden: readonly number[];
  readonly activation: Activation;
}

/** One tensor inside the flat parameter vector; weights are [out, in], row-major. */
export interface ParameterTensor {
  /** `policy.0.weight`, `policy.0.bias`, …, `value.2.bias`, `log_std`; layers are counted 0, 1, 2, the last is the output. */
  readonly name: string;
  readonly shape: readonly number[];
  /** Position of its first number in the flat vector. */
  readonly offset: number;
}

/** Parts of a running normalizer, in one Float64Array: mean [n], variance [n], count [1]. `(x − mean)/√(var + 1e-8)`, then clipped to ±10. */
export const NORMALIZER_EPSILON = 1e-8;
export const NORMALIZER_CLIP = 10;
