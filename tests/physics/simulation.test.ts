import { expect, it } from 'vitest';
import { WARNINGS } from '../../worker/physics/engine.ts';
import { describeEachEngine, engineOf, simulate } from './each_engine.ts';
import { BOX_ON_A_SLOPE, FLOATING_BOX, MANY_CONTACTS, MOTOR, OUT_OF_MEMORY } from './small_models.ts';

const warning = (name: (typeof WARNINGS)[number]): number => WARNINGS.indexOf(name);

describeEachEngine('a simulation ($kind)', ({ kind }) => {
  it('steps five times at once as five times one, to the last bit', async (context) => {
    const { model, simulation: at_once } = await simulate(context, kind, BOX_ON_A_SLOPE);
    const one_by_one = model.newSimulation();
    for (let k = 0; k < 40; k++) {
      at_once.step(5);
      for (let i = 0; i < 5; i++) one_by_one.step(1);
    }
    expect(one_by_one.qpos).toEqual(at_once.qpos);
    expect(one_by_one.qvel).toEqual(at_once.qvel);
    expect(one_by_one.time[0]).toBeCloseTo(200 * model.timestep, 12);
    one_by_one.dispose();
  });

  it('goes on to the last bit from a saved state, inputs included', async (context) => {
    const { model, simulation } = await simulate(context, kind, MOTOR);
    const state = new Float64Array(model.sizes.nstate);
    simulation.ctrl[0] = 0.3;
    simulation.mocap_pos.set([0, 2, 0]);
    simulation.step(37);
    simulation.getState(state);
    simulation.step(100);
    const [qpos, qvel, sensors] = [simulation.qpos.slice(), simulation.qvel.slice(), simulation.sensordata.slice()];
    expect(qpos[0]).not.toBe(0);

    const other = model.newSimulation();
    other.setState(state);
    expect(other.ctrl[0]).toBe(0.3);
    expect([...other.mocap_pos]).toEqual([0, 2, 0]);
    expect(other.time[0]).toBeCloseTo(37 * model.timestep, 12);
    other.step(100);
    expect(other.qpos).toEqual(qpos);
    expect(other.qvel).toEqual(qvel);
    expect(other.sensordata).toEqual(sensors);
    other.dispose();
  });

  it('goes on to the last bit from a saved state with contacts', async (context) => {
    const { model, simulation } = await simulate(context, kind, BOX_ON_A_SLOPE);
    const state = new Float64Array(model.sizes.nstate);
    simulation.step(50);
    expect(simulation.contacts().count).toBeGreaterThan(0);
    simulation.getState(state);
    simulation.step(50);
    const qpos = simulation.qpos.slice();
    simulation.step(50);
    simulation.setState(state);
    simulation.step(50);
    expect(simulation.qpos).toEqual(qpos);
  });

  it('saves what was written into its arrays before any step', async (context) => {
    const { model, simulation } = await simulate(context, kind, MOTOR);
    const state = new Float64Array(model.sizes.nstate);
    simulation.qpos[0] = 0.7;
    simulation.getState(state);
    simulation.reset();
    expect(simulation.qpos[0]).toBe(0);
    simulation.setState(state);
    expect(simulation.qpos[0]).toBe(0.7);
  });

  it('refuses a state of another model', async (context) => {
    const { model, simulation } = await simulate(context, kind, MOTOR);
    const short = new Float64Array(model.sizes.nstate - 1);
    const sentence = `A full state of this model has ${model.sizes.nstate} numbers; the array has ${short.length}.`;
    expect(() => simulation.setState(short)).toThrow(sentence);
    expect(() => simulation.getState(short)).toThrow(sentence);
  });

  it('counts a NaN in the state as a warning and leaves it where it is', async (context) => {
    const { simulation } = await simulate(context, kind, FLOATING_BOX);
    simulation.step(10);
    expect([...simulation.warnings]).toEqual([0, 0, 0, 0, 0, 0, 0]);
    simulation.qpos[2] = Number.NaN;
    simulation.step(3);
    expect(simulation.warnings[warning('badqpos')]).toBeGreaterThanOrEqual(3);
    expect(simulation.qpos[2]).toBeNaN();
    expect(simulation.time[0]).toBeCloseTo(0.013, 12);
    simulation.reset();
    expect([...simulation.warnings]).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(simulation.qpos[2]).toBe(0);
  });

  it('counts a NaN in the controls', async (context) => {
    const { simulation } = await simulate(context, kind, MOTOR);
    simulation.ctrl[0] = Number.NaN;
    simulation.step(1);
    expect(simulation.warnings[warning('badctrl')]).toBe(1);
  });

  it('follows a mocap body that the caller moves', async (context) => {
    const { model, simulation } = await simulate(context, kind, MOTOR);
    const half = Math.SQRT1_2;
    simulation.mocap_pos.set([0.1, 0.2, 0.3]);
    simulation.mocap_quat.set([half, 0, 0, half]);
    simulation.forward();
    const target = model.id('body', 'target');
    expect([...simulation.xpos.subarray(3 * target, 3 * target + 3)]).toEqual([0.1, 0.2, 0.3]);
    expect(simulation.xmat[9 * target + 3]).toBeCloseTo(1, 15);
  });

  it('computes positions and velocities at step1, forces only later', async (context) => {
    const { model, simulation } = await simulate(context, kind, MOTOR);
    simulation.qpos[0] = Math.PI / 2;
    simulation.ctrl[0] = 1;
    simulation.step1();
    const tip = 3 * model.id('site', 'tip');
    expect(simulation.site_xpos[tip + 2]).toBeCloseTo(-0.5, 12);
    expect(simulation.qfrc_actuator[0]).toBe(0);
    expect(simulation.time[0]).toBe(0);
    simulation.forward();
    expect(simulation.qfrc_actuator[0]).toBe(1);
    expect([...simulation.sensordata]).toEqual([Math.PI / 2, 0]);
  });

  it('keeps its arrays on shared memory when asked', async (context) => {
    const engine = await engineOf(context, kind);
    const model = engine.compile({ name: 'motor', xml: MOTOR, files: new Map() });
    const [shared, own] = [model.newSimulation('shared'), model.newSimulation()];
    const watcher = new Float64Array(shared.qpos.buffer);
    for (const simulation of [shared, own]) {
      simulation.ctrl[0] = 0.5;
      simulation.step(20);
    }
    expect(shared.qpos.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect([...watcher]).toEqual([...own.qpos]);
    expect(watcher[0]).toBeGreaterThan(0);
    shared.dispose();
    own.dispose();
    model.dispose();
  });

  it('survives MuJoCo running out of memory, again and again', async (context) => {
    const { simulation: broken } = await simulate(context, kind, OUT_OF_MEMORY);
    const { simulation: sound } = await simulate(context, kind, BOX_ON_A_SLOPE);
    const before = sound.qpos.slice();
    for (let i = 0; i < 40; i++) {
      expect(() => broken.step(1)).toThrow(/^MuJoCo stopped: mj_stackAlloc: out of memory, .*; the simulation is reset\.$/);
      expect(broken.time[0]).toBe(0);
    }
    sound.step(100);
    sound.reset();
    expect(sound.qpos).toEqual(before);
  });

  it('lists more contacts than there was room for at first', async (context) => {
    const { simulation } = await simulate(context, kind, MANY_CONTACTS);
    simulation.forward();
    const { count, geoms, distance } = simulation.contacts();
    expect(count).toBeGreaterThan(64);
    expect(geoms.length).toBeGreaterThanOrEqual(2 * count);
    expect(distance[count - 1]).toBeLessThan(0);
    expect(geoms[2 * (count - 1) + 1]).toBeGreaterThan(0);
  });

  it('says that it is disposed, and lets itself be disposed twice', async (context) => {
    const engine = await engineOf(context, kind);
    const model = engine.compile({ name: 'motor', xml: MOTOR, files: new Map() });
    const simulation = model.newSimulation();
    simulation.dispose();
    simulation.dispose();
    const uses = [() => simulation.step(1), () => simulation.forward(), () => simulation.reset(), () => simulation.contacts()];
    for (const use of uses) expect(use).toThrow('This simulation is disposed.');
    expect(() => simulation.setState(new Float64Array(model.sizes.nstate))).toThrow('This simulation is disposed.');
    model.dispose();
    model.dispose();
    expect(() => model.newSimulation()).toThrow('This model is disposed.');
    expect(() => model.field('body_mass')).toThrow('This model is disposed.');
  });
});
