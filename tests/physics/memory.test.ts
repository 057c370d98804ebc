import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { entryUrl, root } from '../../worker/paths.ts';
import { describeEachEngine, engineOf, simulate } from './each_engine.ts';
import { FLOATING_BOX, MANY_CONTACTS, OF_EVERY_KIND } from './small_models.ts';

/** C's memory goes back to the system as soon as it is free, so that what is left is what is in use. */
const FRUGAL = { ...process.env, MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '0' };

/** Megabytes that a script of tests/physics/processes/ reports. */
async function memoryOf(script: string, ...args: string[]): Promise<number[]> {
  const file = join(root, 'tests', 'physics', 'processes', script);
  const command = ['--expose-gc', file, entryUrl('worker/physics/open_engine').href, ...args];
  const { stdout } = await promisify(execFile)(process.execPath, command, { env: FRUGAL });
  return JSON.parse(stdout) as number[];
}

const lowest = (values: readonly number[]): number => Math.min(...values);

describeEachEngine('memory ($kind)', ({ kind }) => {
  it('stays flat when a model is loaded, stepped and freed 1000 times', async (context) => {
    await engineOf(context, kind);
    const megabytes = await memoryOf('load_and_free.mjs', kind, '1000', OF_EVERY_KIND);
    // A model of this kind takes 23 kB, its data 30: 500 of either, kept by mistake, are at least three times what is allowed here.
    expect(lowest(megabytes.slice(7)) - lowest(megabytes.slice(2, 5))).toBeLessThan(4);
  });

  it('is given back by threads that end without freeing anything', { timeout: 180_000 }, async (context) => {
    await engineOf(context, kind);
    const megabytes = await memoryOf('threads_that_end.mjs', kind, '9', MANY_CONTACTS);
    // A thread's twenty simulations hold 20 MB and more.
    expect(lowest(megabytes.slice(6)) - lowest(megabytes.slice(2, 5))).toBeLessThan(15);
  });

  it('may grow under a simulation, which goes on as if nothing had happened', async (context) => {
    const { model, simulation } = await simulate(context, kind, FLOATING_BOX);
    simulation.qvel.set([1, 0, 0]);
    simulation.step(1);
    // A hundred megabytes more than the engine began with: in WebAssembly every view taken so far is now empty.
    const big = (await engineOf(context, kind)).compile({
      name: 'big',
      xml: '<mujoco><size memory="100M"/></mujoco>',
      files: new Map(),
    });
    const others = [big.newSimulation(), model.newSimulation()];
    simulation.step(999);
    expect(simulation.qpos[0]).toBeCloseTo(1, 9);
    expect(simulation.time[0]).toBeCloseTo(1, 9);
    const state = new Float64Array(model.sizes.nstate);
    simulation.getState(state);
    others[1]!.setState(state);
    expect(others[1]!.qpos[0]).toBe(simulation.qpos[0]);
    for (const other of others) other.dispose();
    big.dispose();
  });
});
