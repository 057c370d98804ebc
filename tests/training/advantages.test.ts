import { describe, expect, it } from 'vitest';
import type { RolloutBatch } from '../../worker/training/learner.ts';
import { addons, randomBatch, smallNetwork } from './learner_cases.ts';

/** Advantages by the definition (Schulman et al. 2016, eq. 16): Σ (γλ)^l δ, summed forwards until the episode ends. */
function byDefinition(batch: RolloutBatch, gamma: number, lambda: number): number[] {
  const { steps: T, environments: N } = batch;
  const delta = (t: number, n: number): number => {
    const i = t * N + n;
    const bootstrap = batch.terminated[i] ? 0 : batch.truncated[i] ? batch.terminalValues[i]! : t + 1 < T ? batch.values[i + N]! : batch.lastValues[n]!;
    return batch.rewards[i]! + gamma * bootstrap - batch.values[i]!;
  };
  return Array.from({ length: T * N }, (_, i) => {
    const n = i % N;
    let sum = 0;
    for (let t = Math.floor(i / N), weight = 1; t < T; t++, weight *= gamma * lambda) {
      sum += weight * delta(t, n);
      if (batch.terminated[t * N + n] || batch.truncated[t * N + n]) break;
    }
    return sum;
  });
}

describe.each(addons)('advantages of the $device learner', (addon) => {
  it('agree with the definition', () => {
    const batch = randomBatch(smallNetwork, 20, 6, 0);
    const advantages = new Float32Array(120);
    const returns = new Float32Array(120);
    addon.advantages(batch, 0.98, 0.95, advantages, returns);
    byDefinition(batch, 0.98, 0.95).forEach((expected, i) => {
      expect(advantages[i]).toBeCloseTo(expected, 5);
      expect(returns[i]).toBeCloseTo(expected + batch.values[i]!, 5);
    });
  });

  const single = (terminated: number, truncated: number): number => {
    const batch: RolloutBatch = {
      ...randomBatch(smallNetwork, 1, 1, 0),
      rewards: Float32Array.of(1),
      values: Float32Array.of(0.5),
      terminated: Uint8Array.of(terminated),
      truncated: Uint8Array.of(truncated),
      terminalValues: Float32Array.of(10),
      lastValues: Float32Array.of(100),
    };
    const advantages = new Float32Array(1);
    addon.advantages(batch, 0.5, 1, advantages, new Float32Array(1));
    return advantages[0]!;
  };

  it('count nothing after a fall', () => expect(single(1, 0)).toBe(0.5));
  it("bootstrap a time limit from the terminal observation's value, not from the next reset's", () => expect(single(0, 1)).toBe(5.5));
  it('take both flags at once for a fall', () => expect(single(1, 1)).toBe(0.5));
  it('bootstrap a running episode from the next value', () => expect(single(0, 0)).toBe(50.5));
});
