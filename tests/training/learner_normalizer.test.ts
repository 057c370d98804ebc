import { describe, expect, it } from 'vitest';
import { learnerAddons } from './learner_addons.ts';
import { actorOptions, learnerOptions, plainSettings, sampleBatch, smallMirror, smallNetwork } from './learner_example.ts';

/** numpy.mean and numpy.var (population) of the columns of [rows, size]. */
function moments(rows: readonly number[][]): { mean: number[]; variance: number[] } {
  const columns = rows[0]!.map((_, i) => rows.map((row) => row[i]!));
  const mean = columns.map((x) => x.reduce((sum, a) => sum + a, 0) / x.length);
  return { mean, variance: columns.map((x, i) => x.reduce((sum, a) => sum + (a - mean[i]!) ** 2, 0) / x.length) };
}

function rowsOf(observations: Float32Array): number[][] {
  return Array.from({ length: observations.length / 7 }, (_, r) => Array.from(observations.subarray(7 * r, 7 * r + 7)));
}

describe.each(learnerAddons)('the normalizer on $device', (addon) => {
  const settings = { ...plainSettings, learningRate: 0 };

  it.each([1, 2, 3])('holds mean, variance and count of all observations after several updates, with %i threads', async (threads) => {
    const options = learnerOptions(addon, smallNetwork(), { threads });
    const learner = new addon.Learner(options);
    const batches = [1, 2, 3].map((seed) => sampleBatch(addon, options, 10 * seed, 3, seed));
    // Far from zero, where sums of squares would cancel.
    for (const batch of batches) batch.observations.set(batch.observations.map((x, i) => (i % 7 === 2 ? x + 4096 : x)));
    for (const batch of batches) await learner.update(batch, settings);
    const { mean, variance } = moments(batches.flatMap((batch) => rowsOf(batch.observations)));
    expect(options.normalizer[14]).toBe(180);
    for (let i = 0; i < 7; i++) {
      expect(options.normalizer[i]).toBeCloseTo(mean[i]!, 9);
      expect(options.normalizer[7 + i]).toBeCloseTo(variance[i]!, 9);
    }
  });

  it('counts mirror images too', async () => {
    const options = learnerOptions(addon, smallNetwork(), { mirror: smallMirror });
    const learner = new addon.Learner(options);
    const batch = sampleBatch(addon, options, 9, 4);
    await learner.update(batch, settings);
    const rows = rowsOf(batch.observations);
    const images = rows.map((row) => row.map((_, i) => smallMirror.observationSign[i]! * row[smallMirror.observationIndex[i]!]!));
    const { mean, variance } = moments([...rows, ...images]);
    expect(options.normalizer[14]).toBe(72);
    for (let i = 0; i < 7; i++) {
      expect(options.normalizer[i]).toBeCloseTo(mean[i]!, 10);
      expect(options.normalizer[7 + i]).toBeCloseTo(variance[i]!, 10);
    }
  });

  it('is applied as it was while the batch was sampled', async () => {
    const options = learnerOptions(addon, smallNetwork());
    const learner = new addon.Learner(options);
    const { approxKl } = await learner.update(sampleBatch(addon, options, 9, 4), plainSettings);
    expect(approxKl).toBeLessThan(1e-9);
    // The statistics have changed since; a batch sampled with the new ones sees no change either.
    const again = await learner.update(sampleBatch(addon, options, 9, 4), plainSettings);
    expect(again.approxKl).toBeLessThan(1e-9);
  });

  it('passes observations through before it has seen any, whatever mean and variance say', () => {
    const options = learnerOptions(addon, smallNetwork());
    void new addon.Learner(options);
    const values = (): Float32Array => {
      const actor = new addon.Actor(actorOptions(options));
      const out = new Float32Array(2);
      actor.value(
        Float32Array.from({ length: 14 }, (_, i) => i - 7),
        out,
      );
      return out;
    };
    const plain = values();
    options.normalizer.fill(5, 0, 14);
    expect(values()).toEqual(plain);
    options.normalizer[14] = 1;
    expect(values()).not.toEqual(plain);
  });

  it('is left alone when observations are not normalized', async () => {
    const options = learnerOptions(addon, smallNetwork(), { normalizeObservations: false });
    const learner = new addon.Learner(options);
    const before = options.normalizer.slice();
    await learner.update(sampleBatch(addon, options, 9, 4), plainSettings);
    expect(options.normalizer).toEqual(before);
  });
});
