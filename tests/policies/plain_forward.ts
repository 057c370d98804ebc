import type { NetworkSpec, ParameterTensor } from '../../worker/protocol/network.ts';

/** Numbers between −1 and 1 that a seed decides (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}

/** The flat layout of learner.ts, written out again: policy, value, log σ. */
export function layoutOf(network: NetworkSpec): { layout: ParameterTensor[]; count: number } {
  const layout: ParameterTensor[] = [];
  let offset = 0;
  const add = (name: string, shape: number[]): void => {
    layout.push({ name, shape, offset });
    offset += shape.reduce((product, size) => product * size, 1);
  };
  for (const [part, hidden, out] of [
    ['policy', network.policyHidden, network.actionSize],
    ['value', network.valueHidden, 1],
  ] as const) {
    const widths = [network.observationSize, ...hidden, out];
    for (let layer = 0; layer + 1 < widths.length; layer++) {
      add(`${part}.${layer}.weight`, [widths[layer + 1]!, widths[layer]!]);
      add(`${part}.${layer}.bias`, [widths[layer + 1]!]);
    }
  }
  add('log_std', [network.actionSize]);
  return { layout, count: offset };
}

const clamp = (x: number, limit: number): number => Math.min(Math.max(x, -limit), limit);

/** One mean action in float64, from the formulas of learner.ts: clip ±100, normalize, clip ±10, layers, clip ±1. */
export function plainForward(
  network: NetworkSpec,
  parameters: Float32Array,
  layout: readonly ParameterTensor[],
  normalizer: Float64Array | null,
  observation: Float32Array,
): number[] {
  const size = network.observationSize;
  let x = Array.from(observation, (value) => clamp(value, 100));
  if (normalizer) x = x.map((value, i) => clamp((value - normalizer[i]!) / Math.sqrt(normalizer[size + i]! + 1e-8), 10));
  const layers = network.policyHidden.length + 1;
  for (let layer = 0; layer < layers; layer++) {
    const weight = layout.find((tensor) => tensor.name === `policy.${layer}.weight`)!;
    const bias = layout.find((tensor) => tensor.name === `policy.${layer}.bias`)!;
    const [out, inputs] = weight.shape as [number, number];
    x = Array.from({ length: out }, (_, o) => {
      let sum = parameters[bias.offset + o]!;
      for (let i = 0; i < inputs; i++) sum += parameters[weight.offset + o * inputs + i]! * x[i]!;
      if (layer + 1 === layers) return sum;
      return network.activation === 'tanh' ? Math.tanh(sum) : sum > 0 ? sum : Math.expm1(sum);
    });
  }
  return x.map((value) => clamp(value, 1));
}
