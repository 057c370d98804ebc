import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { nativeFolder } from '../../worker/paths.ts';
import { learnerAddons } from './learner_addons.ts';
import {
  actorOptions,
  fillParameters,
  learnerOptions,
  parameterCount,
  plainSettings,
  sampleBatch,
  smallNetwork,
} from './learner_example.ts';

const ROWS = 40;

/** Acts, with an addon and an actor of its own, on shared arrays: its half of the rows each time it is asked. */
const actingThread = `
const { parentPort, workerData: w } = require('node:worker_threads');
const actor = new (require(w.addon).Actor)(w.options);
const streams = Uint32Array.from({ length: w.rows }, (_, i) => i);
parentPort.on('message', (counter) => {
  if (counter < 0) return parentPort.close();
  actor.refresh();
  actor.sample(w.observations, streams, new Uint32Array(w.rows).fill(counter), w.actions, w.logProbs, w.values);
  parentPort.postMessage(counter);
});`;

/** Starts an update and says so before it can have ended. */
const updatingThread = `
const { parentPort, workerData: w } = require('node:worker_threads');
const learner = new (require(w.addon).Learner)(w.options);
learner.update(w.batch, w.settings);
parentPort.postMessage('running');
setInterval(() => {}, 1000);`;

const shared = (count: number): Float32Array<SharedArrayBuffer> => new Float32Array(new SharedArrayBuffer(4 * count));
const answer = (worker: Worker): Promise<unknown> =>
  new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });

describe.each(learnerAddons)('the addon of $device in several threads', (addon) => {
  const file = join(nativeFolder, `leash_learner_${addon.device}.node`);
  const network = smallNetwork();

  it('acts in two threads at once on shared memory that the learner of a third changes', async () => {
    const options = learnerOptions(addon, network, {
      parameters: shared(parameterCount(addon, network)),
      normalizer: new Float64Array(new SharedArrayBuffer(8 * 15)).fill(1, 7, 14),
    });
    const learner = new addon.Learner(options);
    fillParameters(options);
    const arrays = { observations: shared(7 * ROWS), actions: shared(3 * ROWS), logProbs: shared(ROWS), values: shared(ROWS) };
    arrays.observations.set(sampleBatch(addon, options, 8, 5).observations);
    const workers = [0, 1].map((thread) => {
      const half = (array: Float32Array): Float32Array => array.subarray((thread * array.length) / 2, ((thread + 1) * array.length) / 2);
      const mine = Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, half(array)]));
      return new Worker(actingThread, {
        eval: true,
        workerData: { addon: file, options: actorOptions(options, 30 + thread), rows: ROWS / 2, ...mine },
      });
    });
    for (let round = 0; round < 3; round++) {
      const done = workers.map(answer);
      for (const worker of workers) worker.postMessage(round);
      await Promise.all(done);
      for (const thread of [0, 1]) {
        const actions = new Float32Array((3 * ROWS) / 2);
        const streams = Uint32Array.from({ length: ROWS / 2 }, (_, i) => i);
        const half = arrays.observations.slice((thread * 7 * ROWS) / 2, ((thread + 1) * 7 * ROWS) / 2);
        const alone = new addon.Actor(actorOptions(options, 30 + thread));
        alone.sample(half, streams, new Uint32Array(ROWS / 2).fill(round), actions, new Float32Array(ROWS / 2), new Float32Array(ROWS / 2));
        expect(Array.from(arrays.actions.subarray(thread * actions.length, (thread + 1) * actions.length))).toEqual(Array.from(actions));
      }
      const batch = { ...sampleBatch(addon, options, 8, 5), ...arrays };
      await learner.update(batch, { ...plainSettings, learningRate: 0.01 });
    }
    const ended = workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
    for (const worker of workers) worker.postMessage(-1);
    expect(await Promise.all(ended)).toEqual([0, 0]);
  });

  it('survives the end of a thread in the middle of an update', async () => {
    const options = learnerOptions(addon, { ...network, policyHidden: [128, 128], valueHidden: [128, 128] });
    const batch = sampleBatch(addon, options, 400, 5);
    const settings = { ...plainSettings, epochs: 20, minibatchSize: 100 };
    const worker = new Worker(updatingThread, { eval: true, workerData: { addon: file, options, batch, settings } });
    expect(await answer(worker)).toBe('running');
    await worker.terminate();
    const learner = new addon.Learner(options);
    expect((await learner.update(batch, plainSettings)).gradientSteps).toBe(1);
  });
});
