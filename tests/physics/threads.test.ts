import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { entryUrl, root } from '../../worker/paths.ts';
import { describeEachEngine, engineOf, simulate } from './each_engine.ts';
import { BOX_ON_A_SLOPE } from './small_models.ts';

interface Task {
  height: number;
  steps: number;
  shared?: boolean;
}

function startThread(kind: string, task: Task): Worker {
  const file = join(root, 'tests', 'physics', 'processes', 'stepping_thread.mjs');
  return new Worker(file, { workerData: { moduleUrl: entryUrl('worker/physics/open_engine').href, kind, xml: BOX_ON_A_SLOPE, ...task } });
}

describeEachEngine('worker threads ($kind)', ({ kind }) => {
  it('step at the same time, each its own simulation, as one alone would', async (context) => {
    const { simulation } = await simulate(context, kind, BOX_ON_A_SLOPE);
    const heights = [0.06, 0.1, 0.2, 0.3];
    const threads = heights.map((height) => startThread(kind, { height, steps: 400 }));
    const ends = await Promise.all(threads.map(async (thread) => ((await once(thread, 'message')) as [{ qpos: Float64Array }])[0].qpos));
    await Promise.all(threads.map((thread) => thread.terminate()));
    heights.forEach((height, i) => {
      simulation.reset();
      simulation.qpos[2] = height;
      simulation.step(400);
      expect(ends[i]).toEqual(simulation.qpos);
    });
    expect(new Set(ends.map((qpos) => qpos[2])).size).toBe(heights.length);
  });

  it('show their arrays to the thread that watches, where those are shared', async (context) => {
    await engineOf(context, kind);
    const thread = startThread(kind, { height: 0.5, steps: 400, shared: true });
    const [{ watched }] = (await once(thread, 'message')) as [{ watched: Float64Array }];
    const [{ qpos }] = (await once(thread, 'message')) as [{ qpos: Float64Array }];
    expect(watched.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect([...watched]).toEqual([...qpos]);
    expect(watched[2]).toBeLessThan(0.5);
    await thread.terminate();
  });

  it('can be ended in the middle of their steps', async (context) => {
    await engineOf(context, kind);
    const thread = startThread(kind, { height: 0.5, steps: 1e9, shared: true });
    const [{ watched }] = (await once(thread, 'message')) as [{ watched: Float64Array }];
    while (watched[2] === 0.5) await new Promise((resolve) => setImmediate(resolve));
    await thread.terminate();
    const { simulation } = await simulate(context, kind, BOX_ON_A_SLOPE);
    simulation.step(10);
    expect(simulation.warnings[3]).toBe(0);
  });
});
