import { describe, expect, it } from 'vitest';
import { addons, learnerOptions, randomBatch, smallNetwork } from './learner_cases.ts';
import { forward } from './loss_reference.ts';

describe.each(addons)('actor of the $device learner', (addon) => {
  function ready(seed = 5) {
    const options = learnerOptions(addon);
    new addon.Learner(options).dispose();
    for (let i = 0; i < options.parameters.length; i++) options.parameters[i]! += 0.1 * Math.cos(i);
    return { options, actor: new addon.Actor({ ...options, seed }) };
  }
  const { observations } = randomBatch(smallNetwork, 1, 8, 0);

  it('computes means and values as the formula does', () => {
    const { options, actor } = ready();
    const means = new Float32Array(24);
    const values = new Float32Array(8);
    actor.mean(observations, means);
    actor.value(observations, values);
    const layout = addon.parameterLayout(smallNetwork);
    for (let r = 0; r < 8; r++) {
      const input = [...observations.subarray(5 * r, 5 * r + 5)];
      forward(smallNetwork, 'policy', layout, options.parameters, input).forEach((expected, k) => expect(means[3 * r + k]).toBeCloseTo(expected, 5));
      expect(values[r]).toBeCloseTo(forward(smallNetwork, 'value', layout, options.parameters, input)[0]!, 5);
    }
    actor.dispose();
  });

  it('draws the same noise for a stream and counter, however observations are batched', () => {
    const { actor } = ready();
    const streams = Uint32Array.from({ length: 8 }, (_, i) => 10 + i);
    const counters = Uint32Array.from({ length: 8 }, (_, i) => 3 * i);
    const together = new Float32Array(24);
    actor.sample(observations, streams, counters, together, new Float32Array(8), new Float32Array(8));
    for (let r = 0; r < 8; r++) {
      const alone = new Float32Array(3);
      actor.sample(observations.slice(5 * r, 5 * r + 5), streams.slice(r, r + 1), counters.slice(r, r + 1), alone, new Float32Array(1), new Float32Array(1));
      alone.forEach((action, k) => expect(action).toBeCloseTo(together[3 * r + k]!, 5));
    }
    actor.dispose();
  });

  it('draws noise that is standard normal', () => {
    const { options, actor } = ready();
    const count = 20_000;
    const repeated = Float32Array.from({ length: 5 * count }, (_, i) => observations[i % 5]!);
    const actions = new Float32Array(3 * count);
    const logProbs = new Float32Array(count);
    actor.sample(repeated, new Uint32Array(count).fill(7), Uint32Array.from({ length: count }, (_, i) => i), actions, logProbs, new Float32Array(count));
    const means = new Float32Array(3);
    actor.mean(observations.slice(0, 5), means);
    const std = Math.exp(options.parameters.at(-1)!);
    const z = Array.from({ length: count }, (_, i) => (actions[3 * i + 2]! - means[2]!) / std);
    const moment = (power: number): number => z.reduce((sum, x) => sum + x ** power, 0) / count;
    // Five standard errors of each moment at this count.
    expect(Math.abs(moment(1))).toBeLessThan(5 / Math.sqrt(count));
    expect(Math.abs(moment(2) - 1)).toBeLessThan(5 * Math.sqrt(2 / count));
    expect(Math.abs(moment(3))).toBeLessThan(5 * Math.sqrt(15 / count));
    expect(Math.abs(moment(4) - 3)).toBeLessThan(5 * Math.sqrt(96 / count));
    actor.dispose();
  });

  it('differs by seed, stream and counter', () => {
    const draw = (seed: number, stream: number, counter: number): string => {
      const { actor } = ready(seed);
      const actions = new Float32Array(3);
      actor.sample(observations.slice(0, 5), Uint32Array.of(stream), Uint32Array.of(counter), actions, new Float32Array(1), new Float32Array(1));
      actor.dispose();
      return actions.join();
    };
    expect(new Set([draw(1, 0, 0), draw(2, 0, 0), draw(1, 1, 0), draw(1, 0, 1)]).size).toBe(4);
    expect(draw(1, 0, 0)).toBe(draw(1, 0, 0));
  });

  it('sees new parameters after refresh, not before', () => {
    const { options, actor } = ready();
    const before = new Float32Array(24);
    actor.mean(observations, before);
    options.parameters.fill(0);
    const stale = new Float32Array(24);
    actor.mean(observations, stale);
    expect(stale).toEqual(before);
    actor.refresh();
    actor.mean(observations, stale);
    expect(stale.every((x) => x === 0)).toBe(true);
    actor.dispose();
  });

  it('refuses arrays of the wrong kind or size', () => {
    const { actor } = ready();
    expect(() => actor.mean(new Float32Array(7), new Float32Array(3))).toThrow(/multiple of 5 numbers, not 7/);
    expect(() => actor.mean(observations, new Float32Array(5))).toThrow(/actions must hold 24 numbers, not 5/);
    actor.dispose();
    expect(() => actor.refresh()).toThrow(/disposed/);
  });
});
