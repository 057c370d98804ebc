import { describe, expect, it } from 'vitest';
import type { Learner, LearnerAddon, LearnerOptions, UpdateSettings } from '../../worker/training/learner.ts';
import { learnerAddons } from './learner_addons.ts';
import { learnerOptions, plainSettings, sampleBatch, smallMirror, smallNetwork } from './learner_example.ts';

const settings: UpdateSettings = {
  ...plainSettings,
  epochs: 3,
  minibatchSize: 16,
  normalizeAdvantages: true,
  adaptiveRate: { targetKl: 0.01, min: 1e-5, max: 1e-2 },
};

interface Training {
  readonly options: LearnerOptions;
  readonly learner: Learner;
}

function start(addon: LearnerAddon, changes: Partial<LearnerOptions> = {}): Training {
  const options = learnerOptions(addon, smallNetwork(), { mirror: smallMirror, ...changes });
  return { options, learner: new addon.Learner(options) };
}

/** Updates number `from` up to `to`, each with a batch of its own that the policy of the moment samples. */
async function train(addon: LearnerAddon, { options, learner }: Training, from: number, to: number): Promise<void> {
  for (let i = from; i < to; i++) await learner.update(sampleBatch(addon, options, 20, 5, 100 + i), settings);
}

const bits = (x: Float32Array | Float64Array): Uint8Array => new Uint8Array(x.buffer.slice(0));

describe.each(learnerAddons)('a training on $device', (addon) => {
  it.each([1, 2, 3])('gives the same bits for the same seed with %i threads', async (threads) => {
    const [one, other] = [start(addon, { threads }), start(addon, { threads })];
    await train(addon, one, 0, 3);
    await train(addon, other, 0, 3);
    expect(bits(one.options.parameters)).toEqual(bits(other.options.parameters));
    expect(bits(one.options.normalizer)).toEqual(bits(other.options.normalizer));
  });

  it('differs with another seed', async () => {
    const [one, other] = [start(addon), start(addon, { seed: 6 })];
    expect(bits(one.options.parameters)).not.toEqual(bits(other.options.parameters));
    other.options.parameters.set(one.options.parameters);
    await train(addon, one, 0, 1);
    await train(addon, other, 0, 1);
    expect(bits(one.options.parameters)).not.toEqual(bits(other.options.parameters));
  });

  it('goes on to the last bit from an exported state', async () => {
    const whole = start(addon);
    await train(addon, whole, 0, 4);
    const first = start(addon);
    await train(addon, first, 0, 2);
    const state = first.learner.exportState();
    const second = start(addon, { seed: 99 });
    second.options.parameters.set(first.options.parameters);
    second.options.normalizer.set(first.options.normalizer);
    second.learner.importState(state);
    await train(addon, second, 2, 4);
    expect(bits(second.options.parameters)).toEqual(bits(whole.options.parameters));
    expect(second.learner.exportState()).toEqual(whole.learner.exportState());
  });

  it('counts Adam’s steps, and copies its state out', async () => {
    const one = start(addon);
    const before = one.learner.exportState();
    expect(before.adamStep).toBe(0);
    await train(addon, one, 0, 1);
    expect(one.learner.exportState().adamStep).toBe(3 * 7);
    expect(before.adamVariance.every((x) => x === 0)).toBe(true);
  });

  it('refuses the state of another network', () => {
    const one = start(addon);
    const other = new addon.Learner(learnerOptions(addon, { ...smallNetwork(), policyHidden: [9] }));
    expect(() => one.learner.importState(other.exportState())).toThrow(/^adamMean must hold \d+ numbers, not \d+$/);
  });
});

describe.each(learnerAddons)('initialization on $device', (addon) => {
  it.each([
    ['wide', [16, 48]],
    ['tall', [48, 16]],
  ])('makes weights orthogonal with the gains √2, 0.01 and 1, biases zero: %s layers', (_, hidden) => {
    const network = { ...smallNetwork(), policyHidden: hidden, valueHidden: hidden };
    const options = learnerOptions(addon, network);
    void new addon.Learner(options);
    for (const { name, shape, offset } of addon.parameterLayout(network)) {
      const [rows, columns] = shape as [number, number | undefined];
      if (columns === undefined) {
        const expected = name === 'log_std' ? Math.fround(-0.4) : 0;
        expect(Array.from(options.parameters.subarray(offset, offset + rows)), name).toEqual(Array(rows).fill(expected));
        continue;
      }
      const gain = name === 'policy.2.weight' ? 0.01 : name === 'value.2.weight' ? 1 : Math.SQRT2;
      const at = (i: number, k: number): number => options.parameters[offset + (rows <= columns ? i * columns + k : k * columns + i)]!;
      const [count, length] = [Math.min(rows, columns), Math.max(rows, columns)];
      for (let i = 0; i < count; i++) {
        for (let j = 0; j <= i; j++) {
          let product = 0;
          for (let k = 0; k < length; k++) product += at(i, k) * at(j, k);
          expect(product / gain ** 2, `${name} ${i}·${j}`).toBeCloseTo(i === j ? 1 : 0, 5);
        }
      }
    }
  });
});
