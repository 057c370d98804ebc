import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../policies/plain_forward.ts';
import { learnerAddons } from './learner_addons.ts';
import { fillParameters, learnerOptions, plainSettings, sampleBatch, smallMirror, smallNetwork } from './learner_example.ts';
import { type LossInputs, referenceLoss } from './reference_loss.ts';

/** Central differences of the double-precision loss along `direction`. */
function slope(inputs: LossInputs, direction: (i: number) => number): number {
  const h = 1e-5;
  const moved = (sign: number): Float64Array => Float64Array.from(inputs.options.parameters, (x, i) => x + sign * h * direction(i));
  return (referenceLoss(inputs, moved(1)).loss - referenceLoss(inputs, moved(-1)).loss) / (2 * h);
}

function example(
  addon: (typeof learnerAddons)[number],
  steps: number,
  environments: number,
  changes: Parameters<typeof learnerOptions>[2],
  network = smallNetwork(),
): LossInputs {
  const options = learnerOptions(addon, network, changes);
  fillParameters(options);
  const batch = sampleBatch(addon, options, steps, environments);
  // The policy has moved on since it sampled: some ratios leave the clip range on either side.
  const random = randomNumbers(23);
  for (let i = 0; i < batch.logProbs.length; i++) batch.logProbs[i]! += 0.5 * random();
  const advantages = Float32Array.from(batch.logProbs, () => 1.5 * random());
  const returns = Float32Array.from(batch.logProbs, () => 2 * random());
  return { options, layout: addon.parameterLayout(network), batch, advantages, returns, settings: plainSettings };
}

function nativeLoss(addon: (typeof learnerAddons)[number], x: LossInputs): { loss: number; gradient: Float32Array } {
  return addon.lossAndGradient(x.options, x.batch, x.advantages, x.returns, x.settings);
}

const size = (shape: readonly number[]): number => shape.reduce((product, n) => product * n, 1);

describe.each(learnerAddons)('the gradient on $device', (addon) => {
  describe.each(['tanh', 'elu'] as const)('with %s', (activation) => {
    it.each([
      ['without mirror images', null],
      ['with mirror images', smallMirror],
    ])('agrees with finite differences for every weight, bias and log σ, %s', (_, mirror) => {
      const inputs = example(addon, 10, 4, { mirror }, smallNetwork(activation));
      const reference = referenceLoss(inputs, Float64Array.from(inputs.options.parameters));
      expect(reference.cut).toBeGreaterThan(0.1);
      expect(reference.cut).toBeLessThan(0.7);
      const { loss, gradient } = nativeLoss(addon, inputs);
      expect(loss).toBeCloseTo(reference.loss, 5);
      for (const tensor of inputs.layout) {
        const expected = Array.from({ length: size(tensor.shape) }, (__, at) => slope(inputs, (i) => (i === tensor.offset + at ? 1 : 0)));
        const scale = Math.max(...expected.map(Math.abs));
        expect(scale, tensor.name).toBeGreaterThan(1e-3);
        for (const [at, value] of expected.entries()) {
          expect(Math.abs(gradient[tensor.offset + at]! - value), `${tensor.name}[${at}]`).toBeLessThan(2e-5 * scale + 1e-7);
        }
      }
    });
  });

  it('agrees with finite differences when advantages are normalized', () => {
    const plain = example(addon, 10, 4, {});
    const inputs = { ...plain, settings: { ...plainSettings, normalizeAdvantages: true } };
    const { loss, gradient } = nativeLoss(addon, inputs);
    expect(loss).toBeCloseTo(referenceLoss(inputs, Float64Array.from(inputs.options.parameters)).loss, 5);
    for (const tensor of inputs.layout) {
      const value = slope(inputs, (i) => (i === tensor.offset ? 1 : 0));
      expect(gradient[tensor.offset]! - value, tensor.name).toBeCloseTo(0, 5);
    }
  });

  it('agrees with finite differences in networks of the default width, tensor by tensor', () => {
    const network = { observationSize: 48, actionSize: 12, policyHidden: [256, 256], valueHidden: [256, 256], activation: 'elu' as const };
    const inputs = example(addon, 8, 2, {}, network);
    // Weights of the size that initialization gives, or every unit would saturate.
    for (const tensor of inputs.layout) {
      const end = tensor.offset + size(tensor.shape);
      if (tensor.shape.length === 2) for (let i = tensor.offset; i < end; i++) inputs.options.parameters[i]! *= 0.15;
    }
    const fresh = { ...inputs, batch: sampleBatch(addon, inputs.options, 8, 2) };
    const { gradient } = nativeLoss(addon, fresh);
    for (const tensor of fresh.layout) {
      const random = randomNumbers(tensor.offset + 1);
      const direction = new Float64Array(gradient.length);
      for (let i = tensor.offset; i < tensor.offset + size(tensor.shape); i++) direction[i] = random();
      const expected = slope(fresh, (i) => direction[i]!);
      const found = gradient.reduce((sum, g, i) => sum + g * direction[i]!, 0);
      expect(Math.abs(found - expected), tensor.name).toBeLessThan(1e-4 * Math.abs(expected) + 1e-6);
    }
  });

  it.each([1, 2, 3])('is the same over many blocks of rows with %i threads, up to rounding', (threads) => {
    const inputs = example(addon, 70, 11, { mirror: smallMirror, threads });
    const { gradient } = nativeLoss(addon, inputs);
    for (const tensor of inputs.layout) {
      const direction = (i: number): number => (i >= tensor.offset && i < tensor.offset + size(tensor.shape) ? Math.cos(i) : 0);
      const expected = slope(inputs, direction);
      const found = gradient.reduce((sum, g, i) => sum + g * direction(i), 0);
      expect(Math.abs(found - expected), tensor.name).toBeLessThan(2e-5);
    }
  });

  it('is zero by the policy where the clip cuts every sample off', () => {
    const inputs = example(addon, 6, 2, {});
    const far = { ...inputs, settings: { ...plainSettings, entropyCoefficient: 0 } };
    // Every action became far likelier than it was, and every advantage is positive.
    far.batch.logProbs.set(far.batch.logProbs.map((x) => x - 3));
    far.advantages.fill(1);
    expect(referenceLoss(far, Float64Array.from(far.options.parameters)).cut).toBe(1);
    const { gradient } = nativeLoss(addon, far);
    const value = far.layout.find((tensor) => tensor.name === 'value.0.weight')!.offset;
    expect(gradient.subarray(0, value).every((g) => g === 0)).toBe(true);
    expect(gradient.subarray(value, value + 5).some((g) => g !== 0)).toBe(true);
  });
});
