import { describe, expect, it } from 'vitest';
import type { Activation, LearnerAddon, LearnerOptions } from '../../worker/training/learner.ts';
import { randomNumbers } from '../policies/plain_forward.ts';
import { learnerAddons } from './learner_addons.ts';
import { actorOptions, fillParameters, learnerOptions, smallNetwork } from './learner_example.ts';
import { forward, logDensity, normalizedObservation } from './reference_loss.ts';

function filledOptions(addon: LearnerAddon, activation: Activation = 'elu'): LearnerOptions {
  const options = learnerOptions(addon, smallNetwork(activation));
  fillParameters(options);
  return options;
}

function observationsOf(rows: number, seed = 8): Float32Array {
  const random = randomNumbers(seed);
  return Float32Array.from({ length: rows * 7 }, () => 3 * random());
}

interface Samples {
  readonly actions: Float32Array;
  readonly logProbs: Float32Array;
  readonly values: Float32Array;
}

/** Samples `rows` rows, `size` at a time. */
function sampleInBatches(addon: LearnerAddon, options: LearnerOptions, rows: number, size: number, seed = 11): Samples {
  const actor = new addon.Actor(actorOptions(options, seed));
  const observations = observationsOf(rows);
  const out = { actions: new Float32Array(rows * 3), logProbs: new Float32Array(rows), values: new Float32Array(rows) };
  for (let at = 0; at < rows; at += size) {
    const end = Math.min(at + size, rows);
    const streams = Uint32Array.from({ length: end - at }, (_, i) => (at + i) % 5);
    const counters = Uint32Array.from({ length: end - at }, (_, i) => Math.floor((at + i) / 5));
    actor.sample(
      observations.subarray(7 * at, 7 * end),
      streams,
      counters,
      out.actions.subarray(3 * at, 3 * end),
      out.logProbs.subarray(at, end),
      out.values.subarray(at, end),
    );
  }
  actor.dispose();
  return out;
}

describe.each(learnerAddons)('an actor beside $device', (addon) => {
  it.each(['tanh', 'elu'] as const)('gives the means and values of the formulas with %s', (activation) => {
    const options = filledOptions(addon, activation);
    const layout = addon.parameterLayout(options.network);
    const actor = new addon.Actor(actorOptions(options));
    const observations = observationsOf(21);
    observations.set([1e6, -1e6], 0);
    const actions = new Float32Array(63);
    const values = new Float32Array(21);
    actor.mean(observations, actions);
    actor.value(observations, values);
    for (let r = 0; r < 21; r++) {
      const input = normalizedObservation(Array.from(observations.subarray(7 * r, 7 * r + 7)), options.normalizer);
      const mean = forward(options.network, 'policy', layout, options.parameters, input);
      const [value] = forward(options.network, 'value', layout, options.parameters, input);
      for (const [i, expected] of mean.entries()) expect(actions[3 * r + i]).toBeCloseTo(expected, 5);
      expect(values[r]).toBeCloseTo(value!, 5);
    }
  });

  it('samples the same, bit for bit, however the rows are batched', () => {
    const options = filledOptions(addon);
    const whole = sampleInBatches(addon, options, 40, 40);
    for (const size of [1, 7, 16]) expect(sampleInBatches(addon, options, 40, size)).toEqual(whole);
  });

  it('samples differently with another seed', () => {
    const options = filledOptions(addon);
    expect(sampleInBatches(addon, options, 40, 40, 12).actions).not.toEqual(sampleInBatches(addon, options, 40, 40, 11).actions);
  });

  it('reports the log density of what it sampled', () => {
    const options = filledOptions(addon);
    const { actions, logProbs } = sampleInBatches(addon, options, 40, 40);
    const means = new Float32Array(120);
    new addon.Actor(actorOptions(options)).mean(observationsOf(40), means);
    for (let r = 0; r < 40; r++) {
      const [action, mean] = [actions, means].map((x) => Array.from(x.subarray(3 * r, 3 * r + 3))) as [number[], number[]];
      expect(logProbs[r]).toBeCloseTo(logDensity(action, mean, options.parameters.slice(-3)), 4);
    }
  });

  it('draws its noise from Philox4x32-10 by Box and Muller', () => {
    // The known answer of Random123 for counter 0 and key 0.
    const [a, b, c] = [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8].map((x) => (x + 0.5) / 2 ** 32) as [number, number, number];
    const d = (0x9b00dbd8 + 0.5) / 2 ** 32;
    const options = learnerOptions(addon, smallNetwork(), { normalizeObservations: false });
    const actor = new addon.Actor(actorOptions(options, 0));
    const actions = new Float32Array(3);
    actor.sample(new Float32Array(7), new Uint32Array(1), new Uint32Array(1), actions, new Float32Array(1), new Float32Array(1));
    const radius = (u: number): number => Math.sqrt(-2 * Math.log(u));
    const expected = [radius(a) * Math.cos(2 * Math.PI * b), radius(a) * Math.sin(2 * Math.PI * b), radius(c) * Math.cos(2 * Math.PI * d)];
    for (const [i, x] of expected.entries()) expect(actions[i]).toBeCloseTo(x, 6);
  });

  it('draws standard normal noise that neighbouring streams and steps do not share', () => {
    const options = learnerOptions(addon, smallNetwork(), { normalizeObservations: false });
    const actor = new addon.Actor(actorOptions(options));
    const rows = 20_000;
    const actions = new Float32Array(3 * rows);
    const streams = Uint32Array.from({ length: rows }, (_, i) => i % 2);
    const counters = Uint32Array.from({ length: rows }, (_, i) => Math.floor(i / 2));
    actor.sample(new Float32Array(7 * rows), streams, counters, actions, new Float32Array(rows), new Float32Array(rows));
    const correlation = (lag: number): number => actions.reduce((sum, x, i) => sum + x * (actions[i + lag] ?? 0), 0) / actions.length;
    // Five standard errors of 60,000 draws.
    const bound = 5 / Math.sqrt(actions.length);
    expect(Math.abs(actions.reduce((sum, x) => sum + x, 0) / actions.length)).toBeLessThan(bound);
    expect(Math.abs(correlation(0) - 1)).toBeLessThan(Math.SQRT2 * bound);
    for (const lag of [1, 2, 3, 6]) expect(Math.abs(correlation(lag)), `lag ${lag}`).toBeLessThan(bound);
  });

  it('sees new parameters and statistics from refresh() on, not before', () => {
    const options = filledOptions(addon);
    const actor = new addon.Actor(actorOptions(options));
    const value = (): number => {
      const out = new Float32Array(1);
      actor.value(observationsOf(1), out);
      return out[0]!;
    };
    const before = value();
    options.parameters.set(options.parameters.map((x) => 0.5 * x));
    options.normalizer[0]! += 1;
    expect(value()).toBe(before);
    actor.refresh();
    expect(value()).not.toBe(before);
  });

  it('is refused after dispose()', () => {
    const actor = new addon.Actor(actorOptions(filledOptions(addon)));
    actor.dispose();
    expect(() => actor.refresh()).toThrow('disposed');
  });
});
