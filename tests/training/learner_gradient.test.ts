import { describe, expect, it } from 'vitest';
import type { Activation } from '../../worker/training/learner.ts';
import { addons, learnerOptions, randomBatch, settings, smallMirror, smallNetwork } from './learner_cases.ts';
import { referenceLoss } from './loss_reference.ts';

const cases = (['tanh', 'elu'] as Activation[]).flatMap((activation) =>
  [false, true].flatMap((mirrored) => [false, true].map((normalize) => ({ activation, mirrored, normalize }))),
);

describe.each(addons)('gradient of the $device learner', (addon) => {
  it.each(cases)('agrees with central differences of the formula for every parameter ($activation, mirrored $mirrored, normalized $normalize)', ({ activation, mirrored, normalize }) => {
    const network = { ...smallNetwork, activation };
    const options = learnerOptions(addon, { network, mirror: mirrored ? smallMirror : null, normalizeObservations: normalize });
    const learner = new addon.Learner(options);
    // The policy's output starts near zero; larger weights make every layer matter.
    for (let i = 0; i < options.parameters.length; i++) options.parameters[i] = options.parameters[i]! * 2 + 0.05 * Math.sin(i);
    if (normalize) options.normalizer.set([0.3, -0.2, 0.1, 0, 0.5, 1.5, 0.7, 2, 1, 0.4, 100]);
    const batch = randomBatch(network, 4, 7, 0.6);
    const advantages = Float32Array.from({ length: 28 }, (_, i) => Math.sin(3 * i));
    const returns = Float32Array.from({ length: 28 }, (_, i) => Math.cos(2 * i));
    const { loss, gradient } = addon.lossAndGradient(options, batch, advantages, returns, settings);
    learner.dispose();

    const layout = addon.parameterLayout(network);
    const parameters = Float64Array.from(options.parameters);
    const reference = (): number => referenceLoss(options, layout, parameters, batch, advantages, returns, settings);
    expect(loss).toBeCloseTo(reference(), 5);
    const h = 1e-6;
    for (const { name, offset, shape } of layout) {
      const size = shape.reduce((product, n) => product * n, 1);
      for (let i = offset; i < offset + size; i++) {
        const kept = parameters[i]!;
        parameters[i] = kept + h;
        const above = reference();
        parameters[i] = kept - h;
        const below = reference();
        parameters[i] = kept;
        const slope = (above - below) / (2 * h);
        expect(Math.abs(gradient[i]! - slope), `${name}[${i - offset}]: ${gradient[i]} against ${slope}`).toBeLessThan(2e-5 * Math.max(1, Math.abs(slope)));
      }
    }
  });

  it('leaves out samples whose ratio is clipped', () => {
    const options = learnerOptions(addon);
    new addon.Learner(options).dispose();
    const batch = randomBatch(smallNetwork, 1, 4, 0);
    // Ratios far above 1 + clip with a positive advantage: nothing to gain.
    batch.logProbs.fill(-50);
    const zero = { ...settings, valueCoefficient: 0, entropyCoefficient: 0 };
    const { gradient } = addon.lossAndGradient(options, batch, new Float32Array(4).fill(1), new Float32Array(4), zero);
    expect(Math.max(...gradient.map(Math.abs))).toBe(0);
  });
});
