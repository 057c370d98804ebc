import type { TrainedPolicy } from '../../worker/policies/policy_files.ts';
import type { Activation, NetworkSpec } from '../../worker/protocol/network.ts';
import { pupperPolicySpec } from '../../worker/tasks/pupper/policy_spec.ts';
import { layoutOf, randomNumbers } from './plain_forward.ts';

export const SIZE = 48;

export interface RandomPolicyOptions {
  readonly activation?: Activation;
  readonly normalize?: boolean;
  readonly hidden?: readonly number[];
  readonly step?: number;
}

/** A policy for the Pupper with random weights, scaled so that actions spread over [−1, 1] and some are clipped. */
export function randomPolicy(seed: number, options: RandomPolicyOptions = {}): TrainedPolicy {
  const hidden = options.hidden ?? [64, 32];
  const network: NetworkSpec = {
    observationSize: SIZE,
    actionSize: 12,
    policyHidden: hidden,
    valueHidden: hidden,
    activation: options.activation ?? 'elu',
  };
  const { layout, count } = layoutOf(network);
  const random = randomNumbers(seed);
  const parameters = new Float32Array(count);
  for (const { name, shape, offset } of layout) {
    const fanIn = name.endsWith('weight') ? shape[1]! : 4;
    const length = shape.reduce((product, size) => product * size, 1);
    for (let i = 0; i < length; i++) parameters[offset + i] = random() / Math.sqrt(fanIn);
  }
  const normalizer = new Float64Array(2 * SIZE + 1);
  for (let i = 0; i < SIZE; i++) {
    normalizer[i] = 0.5 * random();
    // From nearly constant to wide, so that the clip after normalizing is reached too.
    normalizer[SIZE + i] = i === 0 ? 0 : 10 ** (2 * random() - 1);
  }
  normalizer[2 * SIZE] = 1000;
  return {
    name: 'random',
    spec: pupperPolicySpec,
    network,
    parameters,
    layout,
    normalizer: options.normalize === false ? null : normalizer,
    training: { leash: '0.1.0', step: options.step ?? 1000, seed },
  };
}

/** [n, 48]; every sixteenth number is far outside, so that clips matter. */
export function randomObservations(seed: number, n: number): Float32Array {
  const random = randomNumbers(seed);
  return Float32Array.from({ length: n * SIZE }, (_, i) => (i % 16 === 3 ? 300 : 2) * random());
}
