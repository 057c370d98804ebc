import { describe, expect, it } from 'vitest';
import type { LearnerAddon, LearnerOptions, UpdateSettings, UpdateStats } from '../../worker/training/learner.ts';
import { addons, learnerOptions, randomBatch, settings, smallMirror, smallNetwork, testRandom } from './learner_cases.ts';

async function updated(addon: LearnerAddon, change: Partial<LearnerOptions>, use: UpdateSettings, updates = 1): Promise<{ options: LearnerOptions; stats: UpdateStats }> {
  const options = learnerOptions(addon, change);
  const learner = new addon.Learner(options);
  let stats: UpdateStats | undefined;
  for (let i = 0; i < updates; i++) stats = await learner.update(randomBatch(smallNetwork, 6, 5, 0.1, i), use);
  learner.dispose();
  return { options, stats: stats! };
}

describe.each(addons)('update of the $device learner', (addon) => {
  it.each([1, 2, 3])('gives the same bits for the same seed on %d threads', async (threads) => {
    const change = { threads, normalizeObservations: true, mirror: smallMirror };
    const first = await updated(addon, change, settings, 3);
    const second = await updated(addon, change, settings, 3);
    expect(first.options.parameters).toEqual(second.options.parameters);
    expect(first.options.normalizer).toEqual(second.options.normalizer);
  });

  it('steps as Adam does', async () => {
    const whole = { ...settings, epochs: 1, minibatchSize: 30 };
    const before = learnerOptions(addon);
    const learner = new addon.Learner(before);
    const start = Float64Array.from(before.parameters);
    const batch = randomBatch(smallNetwork, 6, 5, 0.1);
    const advantages = new Float32Array(30);
    const returns = new Float32Array(30);
    addon.advantages(batch, whole.gamma, whole.lambda, advantages, returns);
    const { gradient } = addon.lossAndGradient(before, batch, advantages, returns, whole);
    await learner.update(batch, whole);
    const state = learner.exportState();
    learner.dispose();
    expect(state.adamStep).toBe(1);
    gradient.forEach((g, i) => {
      // The first step's moments, corrected for their bias, are g and g²: the step is rate·g/(|g| + ε).
      const expected = start[i]! - (whole.learningRate * g) / (Math.abs(g) + 1e-5);
      expect(Math.abs(before.parameters[i]! - expected)).toBeLessThan(3e-6);
      expect(state.adamMean[i]).toBeCloseTo(0.1 * g, 5);
      expect(state.adamVariance[i]).toBeCloseTo(0.001 * g * g, 7);
    });
  });

  it('scales a gradient down to the largest norm allowed', async () => {
    const { stats } = await updated(addon, {}, { ...settings, epochs: 1, minibatchSize: 30 });
    const learner = new addon.Learner(learnerOptions(addon));
    await learner.update(randomBatch(smallNetwork, 6, 5, 0.1, 0), { ...settings, epochs: 1, minibatchSize: 30, maxGradientNorm: stats.gradientNorm / 10 });
    const { adamMean } = learner.exportState();
    learner.dispose();
    const norm = Math.sqrt(adamMean.reduce((sum, m) => sum + (10 * m) ** 2, 0));
    expect(norm).toBeCloseTo(stats.gradientNorm / 10, 4);
  });

  it('stops by KL before the step that would break it', async () => {
    const options = learnerOptions(addon);
    const learner = new addon.Learner(options);
    const before = options.parameters.slice();
    // Stored log-probabilities are far from the policy's: the KL is large before any step.
    const stats = await learner.update(randomBatch(smallNetwork, 6, 5, 2), { ...settings, targetKl: 0.01 });
    learner.dispose();
    expect(stats.stoppedByKl).toBe(true);
    expect(stats.gradientSteps).toBe(0);
    expect(options.parameters).toEqual(before);
  });

  it('lets the adaptive rate fall under a large KL and rise under a small one, within its bounds', async () => {
    const adaptiveRate = { targetKl: 0.01, min: 1e-4, max: 2e-3 };
    const far = await updated(addon, {}, { ...settings, epochs: 1, minibatchSize: 30, learningRate: 1e-3, adaptiveRate: { ...adaptiveRate, targetKl: 1e-9 } });
    expect(far.stats.learningRate).toBeCloseTo(1e-3 / 1.5, 8);
    const near = await updated(addon, {}, { ...settings, epochs: 1, minibatchSize: 30, learningRate: 1e-3, adaptiveRate: { ...adaptiveRate, targetKl: 10 } });
    expect(near.stats.learningRate).toBeCloseTo(1.5e-3, 8);
    const bounded = await updated(addon, {}, { ...settings, epochs: 20, minibatchSize: 30, learningRate: 1e-3, adaptiveRate: { ...adaptiveRate, targetKl: 10 } });
    expect(bounded.stats.learningRate).toBeCloseTo(2e-3, 8);
  });

  it('keeps log σ within its bounds', async () => {
    const { options } = await updated(addon, { initialLogStd: 0, minLogStd: -0.001, maxLogStd: 0.001 }, { ...settings, epochs: 50, entropyCoefficient: 10 });
    expect([...options.parameters.slice(-3)].every((x) => x === Math.fround(0.001))).toBe(true);
  });

  it('names what is not finite and leaves the parameters alone', async () => {
    const options = learnerOptions(addon);
    const learner = new addon.Learner(options);
    const before = options.parameters.slice();
    const poisoned = randomBatch(smallNetwork, 6, 5, 0.1);
    poisoned.observations[3] = Number.NaN;
    const stats = await learner.update(poisoned, { ...settings, minibatchSize: 30 });
    learner.dispose();
    expect(stats.notFinite).toMatch(/loss/);
    expect(options.parameters).toEqual(before);
  });

  it('merges a batch into the normalizer as NumPy computes mean and variance', async () => {
    const options = learnerOptions(addon, { normalizeObservations: true });
    const learner = new addon.Learner(options);
    const batches = [randomBatch(smallNetwork, 6, 5, 0.1, 1), randomBatch(smallNetwork, 6, 5, 0.1, 2)];
    for (const batch of batches) await learner.update(batch, settings);
    learner.dispose();
    const rows = batches.flatMap((batch) => Array.from({ length: 30 }, (_, i) => [...batch.observations.subarray(5 * i, 5 * i + 5)]));
    for (let k = 0; k < 5; k++) {
      const mean = rows.reduce((sum, row) => sum + row[k]!, 0) / rows.length;
      const variance = rows.reduce((sum, row) => sum + (row[k]! - mean) ** 2, 0) / rows.length;
      expect(options.normalizer[k]).toBeCloseTo(mean, 12);
      expect(options.normalizer[5 + k]).toBeCloseTo(variance, 12);
    }
    expect(options.normalizer[10]).toBe(60);
  });

  it('goes on from an exported state to the last bit', async () => {
    const straight = await updated(addon, { normalizeObservations: true }, settings, 4);
    const options = learnerOptions(addon, { normalizeObservations: true });
    const first = new addon.Learner(options);
    for (let i = 0; i < 2; i++) await first.update(randomBatch(smallNetwork, 6, 5, 0.1, i), settings);
    const state = first.exportState();
    const kept = options.parameters.slice();
    first.dispose();
    const second = new addon.Learner(options);
    options.parameters.set(kept);
    second.importState(state);
    for (let i = 2; i < 4; i++) await second.update(randomBatch(smallNetwork, 6, 5, 0.1, i), settings);
    second.dispose();
    expect(options.parameters).toEqual(straight.options.parameters);
  });

  it('refuses a second update while one runs, and arrays of the wrong size', async () => {
    const learner = new addon.Learner(learnerOptions(addon));
    const batch = randomBatch(smallNetwork, 6, 5, 0.1);
    const running = learner.update(batch, settings);
    expect(() => learner.update(batch, settings)).toThrow(/an update is running/);
    await running;
    expect(() => learner.update({ ...batch, actions: new Float32Array(7) }, settings)).toThrow(/actions must hold 90 numbers, not 7/);
    learner.dispose();
  });

  it('starts from orthogonal weights: hidden rows of length √2, the policy output 0.01, the value output 1', () => {
    const network = { ...smallNetwork, policyHidden: [20, 16], valueHidden: [8] };
    const options = learnerOptions(addon, { network });
    new addon.Learner(options).dispose();
    const gains: Record<string, number> = { 'policy.1.weight': Math.SQRT2, 'policy.2.weight': 0.01, 'value.1.weight': 1 };
    for (const { name, shape, offset } of addon.parameterLayout(network)) {
      const gain = gains[name];
      if (gain === undefined) continue;
      const [rows, columns] = shape as [number, number];
      const row = (r: number): Float32Array => options.parameters.subarray(offset + r * columns, offset + (r + 1) * columns);
      const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
      for (let r = 0; r < rows; r++) for (let s = 0; s <= r; s++) expect(dot(row(r), row(s))).toBeCloseTo(r === s ? gain ** 2 : 0, 6);
    }
  });

  it('learns: the loss of a fixed batch falls', async () => {
    const random = testRandom(9);
    const batch = randomBatch(smallNetwork, 6, 5, 0.1);
    batch.rewards.forEach((_, i) => (batch.rewards[i] = random()));
    const learner = new addon.Learner(learnerOptions(addon));
    const first = await learner.update(batch, { ...settings, epochs: 1 });
    for (let i = 0; i < 30; i++) await learner.update(batch, settings);
    const last = await learner.update(batch, { ...settings, epochs: 1 });
    learner.dispose();
    expect(last.valueLoss).toBeLessThan(0.5 * first.valueLoss);
  });
});
