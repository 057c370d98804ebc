import { describe, expect, it } from 'vitest';
import type { LearnerOptions, RolloutBatch, UpdateSettings } from '../../worker/training/learner.ts';
import { learnerAddons } from './learner_addons.ts';
import { actorOptions, learnerOptions, plainSettings, sampleBatch, smallMirror, smallNetwork } from './learner_example.ts';

describe.each(learnerAddons)('wrong arguments on $device', (addon) => {
  const options = learnerOptions(addon, smallNetwork());
  const learner = new addon.Learner(options);
  const batch = sampleBatch(addon, options, 4, 3);

  it.each<[keyof LearnerOptions, unknown, string]>([
    ['parameters', new Float32Array(3), 'parameters must hold 202 numbers, not 3'],
    ['parameters', new Float64Array(202), 'parameters must be a Float32Array'],
    ['parameters', undefined, 'parameters must be a Float32Array'],
    ['normalizer', new Float64Array(14), 'normalizer must hold 15 numbers, not 14'],
    ['threads', 0, 'threads must be a whole number from 1 to 1024'],
    ['threads', 1.5, 'threads must be a whole number from 1 to 1024'],
    ['seed', -1, 'seed must be a whole number from 0'],
    ['minLogStd', 2, 'minLogStd must not be above maxLogStd'],
    ['initialLogStd', Number.NaN, 'initialLogStd must be a finite number'],
    ['network', null, 'network must be an object'],
    ['network', { ...smallNetwork(), activation: 'relu' }, 'activation must be tanh or elu'],
    ['network', { ...smallNetwork(), policyHidden: [0] }, 'policyHidden must hold whole numbers from 1 to 65536'],
    ['mirror', { ...smallMirror, actionIndex: Int32Array.of(0, 1, 3) }, 'actionIndex must hold positions below 3'],
    ['mirror', { ...smallMirror, observationSign: new Float32Array(6) }, 'observationSign must hold 7 numbers, not 6'],
  ])('a learner is not made from a wrong %s: $2', (key, value, message) => {
    const wrong = { ...options, [key]: value } as LearnerOptions;
    expect(() => new addon.Learner(wrong)).toThrow(message);
    expect(() => new addon.Learner(wrong)).toThrow(TypeError);
  });

  it.each<[keyof RolloutBatch, unknown, string]>([
    ['observations', new Float32Array(83), 'observations must hold 84 numbers, not 83'],
    ['actions', new Float32Array(35), 'actions must hold 36 numbers, not 35'],
    ['logProbs', new Float32Array(11), 'logProbs must hold 12 numbers, not 11'],
    ['values', new Float32Array(11), 'values must hold 12 numbers, not 11'],
    ['rewards', new Float64Array(12), 'rewards must be a Float32Array'],
    ['terminated', new Uint8Array(13), 'terminated must hold 12 numbers, not 13'],
    ['truncated', [0, 0], 'truncated must be a Uint8Array'],
    ['terminalValues', new Float32Array(0), 'terminalValues must hold 12 numbers, not 0'],
    ['lastValues', new Float32Array(4), 'lastValues must hold 3 numbers, not 4'],
    ['steps', -4, 'steps must be a whole number from 1'],
  ])('a batch with wrong %s is refused: $2', async (key, value, message) => {
    await expect(learner.update({ ...batch, [key]: value } as RolloutBatch, plainSettings)).rejects.toThrow(message);
  });

  it.each<[keyof UpdateSettings, unknown, string]>([
    ['minibatchSize', 0, 'minibatchSize must be a whole number from 1'],
    ['epochs', 0, 'epochs must be a whole number from 1'],
    ['learningRate', Number.NaN, 'learningRate must be a finite number'],
    ['gamma', '0.9', 'gamma must be a finite number'],
    ['normalizeAdvantages', 1, 'normalizeAdvantages must be true or false'],
    ['adaptiveRate', { targetKl: 0.1, min: 1 }, 'max must be a finite number'],
  ])('settings with a wrong %s are refused: $2', async (key, value, message) => {
    await expect(learner.update(batch, { ...plainSettings, [key]: value } as UpdateSettings)).rejects.toThrow(message);
  });

  it('an actor takes no output of another size', () => {
    const actor = new addon.Actor(actorOptions(options));
    const [two, counters] = [new Float32Array(14), new Uint32Array(2)];
    expect(() => actor.mean(new Float32Array(13), new Float32Array(6))).toThrow('observations must hold a multiple of 7 numbers, not 13');
    expect(() => actor.mean(two, new Float32Array(7))).toThrow('actions must hold 6 numbers, not 7');
    expect(() => actor.value(two, new Float32Array(1))).toThrow('values must hold 2 numbers, not 1');
    expect(() => actor.sample(two, new Uint32Array(1), counters, new Float32Array(6), new Float32Array(2), new Float32Array(2))).toThrow(
      'streams must hold 2 numbers, not 1',
    );
  });

  it('a second update while one runs is refused, and the first ends well', async () => {
    const first = learner.update(batch, plainSettings);
    await expect(learner.update(batch, plainSettings)).rejects.toThrow('an update of this learner is running');
    expect(() => learner.exportState()).toThrow('an update of this learner is running');
    expect((await first).gradientSteps).toBe(1);
    expect((await learner.update(batch, plainSettings)).gradientSteps).toBe(1);
  });

  it('an update that runs when its learner is disposed ends well, and the next is refused', async () => {
    const other = new addon.Learner(options);
    const running = other.update(batch, plainSettings);
    other.dispose();
    expect((await running).gradientSteps).toBe(1);
    await expect(other.update(batch, plainSettings)).rejects.toThrow('disposed');
  });
});
