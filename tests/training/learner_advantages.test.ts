import { describe, expect, it } from 'vitest';
import type { RolloutBatch } from '../../worker/training/learner.ts';
import { learnerAddons } from './learner_addons.ts';
import { learnerOptions, sampleBatch, smallNetwork } from './learner_example.ts';

/** δ_t + γλ·δ_{t+1} + (γλ)²·δ_{t+2} + … up to the end of the episode, summed forward from each step on its own. */
function plainAdvantage(b: RolloutBatch, t: number, n: number, gamma: number, lambda: number): number {
  let sum = 0;
  let weight = 1;
  for (let s = t; s < b.steps; s++, weight *= gamma * lambda) {
    const at = s * b.environments + n;
    const fell = b.terminated[at] === 1;
    const ended = fell || b.truncated[at] === 1;
    const following = s + 1 < b.steps ? b.values[at + b.environments]! : b.lastValues[n]!;
    const after = fell ? 0 : ended ? b.terminalValues[at]! : following;
    sum += weight * (b.rewards[at]! + gamma * after - b.values[at]!);
    if (ended) break;
  }
  return sum;
}

describe.each(learnerAddons)('advantages on $device', (addon) => {
  const batch = sampleBatch(addon, learnerOptions(addon, smallNetwork()), 40, 6);
  const both = batch.terminated.filter((fell, i) => fell === 1 && batch.truncated[i] === 1).length;

  it('are the discounted sums of temporal differences, cut where an episode ends', () => {
    expect(both).toBeGreaterThan(0);
    const advantages = new Float32Array(240);
    const returns = new Float32Array(240);
    addon.advantages(batch, 0.97, 0.9, advantages, returns);
    for (let t = 0; t < 40; t++) {
      for (let n = 0; n < 6; n++) {
        const expected = plainAdvantage(batch, t, n, 0.97, 0.9);
        expect(advantages[t * 6 + n]).toBeCloseTo(expected, 5);
        expect(returns[t * 6 + n]).toBeCloseTo(expected + batch.values[t * 6 + n]!, 5);
      }
    }
  });

  const oneStep = (terminated: number, truncated: number): number => {
    const advantages = new Float32Array(1);
    const one = {
      steps: 1,
      environments: 1,
      rewards: Float32Array.of(1),
      values: Float32Array.of(3),
      terminalValues: Float32Array.of(8),
      lastValues: Float32Array.of(16),
      terminated: Uint8Array.of(terminated),
      truncated: Uint8Array.of(truncated),
    };
    addon.advantages({ ...batch, ...one }, 0.5, 1, advantages, new Float32Array(1));
    return advantages[0]!;
  };

  it('bootstrap from the next value while an episode goes on', () => expect(oneStep(0, 0)).toBe(1 + 0.5 * 16 - 3));
  it('bootstrap from the terminal observation at a time limit', () => expect(oneStep(0, 1)).toBe(1 + 0.5 * 8 - 3));
  it('expect nothing after a fall', () => expect(oneStep(1, 0)).toBe(1 - 3));
  it('take a fall at the time limit for a fall', () => expect(oneStep(1, 1)).toBe(1 - 3));
});
