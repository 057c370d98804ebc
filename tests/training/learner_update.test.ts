import { describe, expect, it } from 'vitest';
import type { LearnerAddon, LearnerOptions, RolloutBatch, UpdateSettings, UpdateStats } from '../../worker/training/learner.ts';
import { learnerAddons } from './learner_addons.ts';
import { fillParameters, learnerOptions, plainSettings, sampleBatch, smallMirror, smallNetwork } from './learner_example.ts';
import { referenceLoss } from './reference_loss.ts';

interface Example {
  readonly options: LearnerOptions;
  readonly batch: RolloutBatch;
  update(changes?: Partial<UpdateSettings>): Promise<UpdateStats>;
}

function example(addon: LearnerAddon, changes: Partial<LearnerOptions> = {}): Example {
  const options = learnerOptions(addon, smallNetwork(), changes);
  const learner = new addon.Learner(options);
  fillParameters(options);
  const batch = sampleBatch(addon, options, 12, 5);
  return { options, batch, update: (settings = {}) => learner.update(batch, { ...plainSettings, ...settings }) };
}

/** Gradient of the whole batch before the first step, as the addon itself computes it (held to finite differences elsewhere). */
function gradientOf(addon: LearnerAddon, { options, batch }: Example, settings: UpdateSettings = plainSettings): Float64Array {
  const advantages = new Float32Array(60);
  const returns = new Float32Array(60);
  addon.advantages(batch, settings.gamma, settings.lambda, advantages, returns);
  return Float64Array.from(addon.lossAndGradient(options, batch, advantages, returns, settings).gradient);
}

const norm = (x: Float64Array): number => Math.sqrt(x.reduce((sum, a) => sum + a * a, 0));

describe.each(learnerAddons)('an update on $device', (addon) => {
  it('steps as Adam does, from step to step', async () => {
    const one = example(addon);
    const mean = new Float64Array(one.options.parameters.length);
    const variance = new Float64Array(mean.length);
    for (let step = 1; step <= 3; step++) {
      const before = Float64Array.from(one.options.parameters);
      const gradient = gradientOf(addon, one);
      await one.update();
      one.options.normalizer[14] = 1000;
      for (const [i, g] of gradient.entries()) {
        mean[i] = 0.9 * mean[i]! + 0.1 * g;
        variance[i] = 0.999 * variance[i]! + 0.001 * g * g;
        const expected = before[i]! - (1e-3 * (mean[i]! / (1 - 0.9 ** step))) / (Math.sqrt(variance[i]! / (1 - 0.999 ** step)) + 1e-5);
        expect(one.options.parameters[i]).toBeCloseTo(expected, 6);
      }
    }
  });

  it('scales a gradient longer than the limit down to it, and reports its length before that', async () => {
    const one = example(addon);
    const gradient = gradientOf(addon, one);
    const before = Float64Array.from(one.options.parameters);
    const limit = 1e-5;
    const { gradientNorm } = await one.update({ maxGradientNorm: limit });
    expect(gradientNorm).toBeCloseTo(norm(gradient), 4);
    // So small a gradient is no longer drowned by Adam's epsilon: the step shows its length.
    for (const [i, g] of gradient.entries()) {
      const clipped = (g * limit) / norm(gradient);
      expect(one.options.parameters[i]! - before[i]!).toBeCloseTo((-1e-3 * clipped) / (Math.abs(clipped) + 1e-5), 6);
    }
  });

  it('reports the losses, entropy and clip fraction of the formulas', async () => {
    const one = example(addon, { mirror: smallMirror });
    one.batch.logProbs.forEach((x, i, all) => {
      all[i] = x + 0.5 * Math.sin(i);
    });
    const advantages = new Float32Array(60);
    const returns = new Float32Array(60);
    addon.advantages(one.batch, plainSettings.gamma, plainSettings.lambda, advantages, returns);
    const inputs = { options: one.options, layout: addon.parameterLayout(one.options.network), batch: one.batch, advantages, returns };
    const parameters = Float64Array.from(one.options.parameters);
    const only = (changes: Partial<UpdateSettings>) =>
      referenceLoss({ ...inputs, settings: { ...plainSettings, valueCoefficient: 0, entropyCoefficient: 0, ...changes } }, parameters);
    const policy = only({});
    const whole = only({ valueCoefficient: 1, entropyCoefficient: 1 });
    const value = only({ valueCoefficient: 1 });
    const stats = await one.update();
    expect(stats.policyLoss).toBeCloseTo(policy.loss, 5);
    expect(stats.valueLoss).toBeCloseTo(value.loss - policy.loss, 5);
    expect(stats.entropy).toBeCloseTo(value.loss - whole.loss, 5);
    expect(stats.approxKl).toBeCloseTo(policy.kl, 5);
    const outside = Array.from({ length: 60 }, (_, i) => Math.abs(Math.exp(-0.5 * Math.sin(i)) - 1) > 0.2).filter(Boolean).length;
    expect(stats.clipFraction).toBeCloseTo(outside / 60, 6);
  });

  it('reports how much of the returns the old values explain', async () => {
    const one = example(addon);
    const advantages = new Float32Array(60);
    const returns = new Float32Array(60);
    addon.advantages(one.batch, plainSettings.gamma, plainSettings.lambda, advantages, returns);
    const variance = (x: Float32Array): number => {
      const mean = x.reduce((sum, a) => sum + a, 0) / x.length;
      return x.reduce((sum, a) => sum + (a - mean) ** 2, 0) / x.length;
    };
    const { explainedVariance } = await one.update();
    expect(explainedVariance).toBeCloseTo(1 - variance(advantages) / variance(returns), 5);
  });

  it('uses every sample once an epoch, the last minibatch being what is left', async () => {
    const { gradientSteps, epochsDone } = await example(addon).update({ minibatchSize: 25, epochs: 4 });
    expect(gradientSteps).toBe(4 * 3);
    expect(epochsDone).toBe(4);
  });

  it('stops before the step of a minibatch that is too far away', async () => {
    const one = example(addon);
    one.batch.logProbs.forEach((x, i, all) => {
      all[i] = x + 0.3 * Math.sin(i);
    });
    const before = one.options.parameters.slice();
    const stats = await one.update({ targetKl: 1e-3, epochs: 5 });
    expect(stats).toMatchObject({ stoppedByKl: true, gradientSteps: 0, epochsDone: 0 });
    expect(one.options.parameters).toEqual(before);
  });

  it('stops only beyond 1.5 times the target', async () => {
    const one = example(addon);
    one.batch.logProbs.forEach((x, i, all) => {
      all[i] = x + 0.3 * Math.sin(i);
    });
    const { approxKl } = await example(addon).update();
    expect(approxKl).toBeLessThan(1e-6);
    // E[exp(−d) − 1 + d] over these 60 offsets d.
    const kl = Array.from({ length: 60 }, (_, i) => Math.exp(-0.3 * Math.sin(i)) - 1 + 0.3 * Math.sin(i)).reduce(
      (sum, x) => sum + x / 60,
      0,
    );
    expect((await one.update({ targetKl: (kl / 1.5) * 1.01 })).stoppedByKl).toBe(false);
    const other = example(addon);
    other.batch.logProbs.set(one.batch.logProbs);
    expect((await other.update({ targetKl: (kl / 1.5) * 0.99 })).stoppedByKl).toBe(true);
  });

  it('raises the rate by 1.5 while the policy hardly moves, up to its bound, and goes on from there', async () => {
    const one = example(addon);
    const adaptiveRate = { targetKl: 0.5, min: 1e-6, max: 3e-5 };
    const first = await one.update({ learningRate: 1e-5, adaptiveRate, epochs: 2 });
    expect(first.learningRate).toBeCloseTo(2.25e-5, 12);
    const second = await one.update({ learningRate: 1e-5, adaptiveRate });
    expect(second.learningRate).toBeCloseTo(3e-5, 12);
  });

  it('lowers the rate by 1.5 where the policy moved too far, down to its bound', async () => {
    const one = example(addon);
    one.batch.logProbs.fill(-20);
    const stats = await one.update({ learningRate: 1e-5, adaptiveRate: { targetKl: 1e-3, min: 5e-6, max: 1 }, epochs: 2 });
    expect(stats.learningRate).toBeCloseTo(5e-6, 12);
  });

  it('keeps log σ within its bounds', async () => {
    const one = example(addon, { maxLogStd: -0.4, minLogStd: -0.6 });
    await one.update({ entropyCoefficient: 10, learningRate: 0.5 });
    expect(Array.from(one.options.parameters.slice(-3), (x) => Math.fround(x))).toEqual(Array(3).fill(Math.fround(-0.4)));
    await one.update({ entropyCoefficient: -10, learningRate: 5 });
    const { std } = await one.update({ entropyCoefficient: -10, learningRate: 5 });
    expect(std).toBeCloseTo(Math.exp(-0.6), 6);
  });

  it('raises the probability of what went well and brings the value to the returns', async () => {
    const one = example(addon);
    one.batch.terminated.fill(1);
    one.batch.values.fill(0);
    one.batch.rewards.forEach((_, i, all) => {
      all[i] = one.batch.actions[3 * i]! > 0 ? 1 : -1;
    });
    const meanAction = (): number => {
      const actions = new Float32Array(180);
      const actor = new addon.Actor({ ...one.options, seed: 1 });
      actor.mean(one.batch.observations, actions);
      actor.dispose();
      return actions.filter((_, i) => i % 3 === 0).reduce((sum, a) => sum + a / 60, 0);
    };
    const before = meanAction();
    const first = await one.update({ learningRate: 3e-3 });
    for (let i = 0; i < 3; i++) await one.update({ epochs: 10, minibatchSize: 20, learningRate: 3e-3 });
    const last = await one.update({ learningRate: 3e-3 });
    expect(meanAction()).toBeGreaterThan(before + 0.05);
    expect(last.valueLoss).toBeLessThan(0.7 * first.valueLoss);
  });
});

describe.each(learnerAddons)('numbers that are not finite on $device', (addon) => {
  it.each([
    ['returns', 'value loss', (one: Example) => one.batch.rewards.fill(Number.NaN, 7, 8)],
    ['an observation', 'value loss', (one: Example) => one.batch.observations.fill(Number.NaN, 30, 31)],
    ['an action', 'policy loss', (one: Example) => one.batch.actions.fill(Number.NaN, 30, 31)],
    ['an old log-probability', 'policy loss', (one: Example) => one.batch.logProbs.fill(Number.NaN, 3, 4)],
    ['a weight', 'approximate KL divergence', (one: Example) => one.options.parameters.fill(Number.POSITIVE_INFINITY, 100, 101)],
  ])('in %s end the update with a name for it, and nothing is changed', async (_, name, spoil) => {
    const one = example(addon);
    spoil(one);
    const before = { parameters: one.options.parameters.slice(), normalizer: one.options.normalizer.slice() };
    const stats = await one.update();
    expect(stats.notFinite).toContain(name);
    expect(stats.gradientSteps).toBe(0);
    expect(one.options.parameters).toEqual(before.parameters);
    expect(one.options.normalizer).toEqual(before.normalizer);
  });

  it('in a gradient whose loss is finite name the tensor', async () => {
    const one = example(addon);
    const before = one.options.parameters.slice();
    const stats = await one.update({ valueCoefficient: 3e38 });
    expect(stats.notFinite).toBe('gradient of value.0.weight');
    expect(one.options.parameters).toEqual(before);
  });
});
