import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Model, Simulation } from '../../worker/physics/engine.ts';
import { readModelSource } from '../../worker/physics/model_source.ts';
import { loadPupper } from '../../worker/tasks/pupper/model.ts';
import { ACTION_SCALE, DEFAULT_JOINTS, LOWER_JOINTS, PHYSICS_STEPS, UPPER_JOINTS } from '../../worker/tasks/pupper/spec.ts';
import { fixture } from '../reference.ts';
import { referenceModel } from '../tasks/pupper_cases.ts';
import { engineOf, KINDS } from './each_engine.ts';

/** A trajectory of the published Python environment (its MuJoCo 3.14.0, dense Jacobian). */
interface Trajectory {
  name: string;
  reset: { qpos: number[]; qvel: number[] };
  action: number[][];
  qpos: number[][];
  qvel: number[][];
}

const CONTROL_STEPS = 100;
const FILES = [1, 2, 3].map((i) => `pupper-trajectories-${i}.json`);

function start(simulation: Simulation, { reset }: Trajectory): void {
  simulation.reset();
  simulation.qpos.set(reset.qpos);
  simulation.qvel.set(reset.qvel);
  simulation.ctrl.set(DEFAULT_JOINTS);
  simulation.forward();
}

function setServos({ ctrl }: Simulation, action: readonly number[]): void {
  action.forEach((a, i) => {
    const target = DEFAULT_JOINTS[i]! + ACTION_SCALE * Math.min(1, Math.max(-1, a));
    ctrl[i] = Math.min(UPPER_JOINTS[i]!, Math.max(LOWER_JOINTS[i]!, target));
  });
}

/** One control step; whether anything touched in it. */
function controlStep(simulation: Simulation, action: readonly number[]): boolean {
  setServos(simulation, action);
  let touched = false;
  for (let i = 0; i < PHYSICS_STEPS; i++) {
    simulation.step(1);
    if (simulation.contacts().count > 0) touched = true;
  }
  return touched;
}

const largestDifference = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((largest, value, i) => Math.max(largest, Math.abs(value - b[i]!)), 0);

for (const file of FILES) {
  it(`both engines follow ${file}: to 1e-9 before the first contact, to 1e-6 over 100 control steps`, async (context) => {
    const source = readModelSource(referenceModel(context));
    const { trajectories } = JSON.parse(readFileSync(fixture(context, 'pupper', file), 'utf8')) as { trajectories: Trajectory[] };
    const models: Model[] = [];
    for (const kind of KINDS) models.push(loadPupper(await engineOf(context, kind), source).model);
    const [wasm, native] = models.map((model) => model.newSimulation()) as [Simulation, Simulation];
    for (const trajectory of trajectories) {
      start(wasm, trajectory);
      start(native, trajectory);
      let inTheAir = 0;
      let touched = false;
      for (let k = 0; k < Math.min(CONTROL_STEPS, trajectory.action.length); k++) {
        const contacts = [wasm, native].map((simulation) => controlStep(simulation, trajectory.action[k]!));
        touched ||= contacts.includes(true);
        if (!touched) inTheAir++;
        const tolerance = touched ? 1e-6 : 1e-9;
        const where = `${trajectory.name}, control step ${k}`;
        expect(largestDifference(wasm.qpos, native.qpos), where).toBeLessThan(tolerance);
        expect(largestDifference(wasm.qvel, native.qvel), where).toBeLessThan(tolerance);
        expect(largestDifference(wasm.xmat, native.xmat), where).toBeLessThan(tolerance);
        expect(largestDifference(wasm.qfrc_actuator, native.qfrc_actuator), where).toBeLessThan(tolerance);
        expect(largestDifference(native.qpos, trajectory.qpos[k]!), where).toBeLessThan(1e-6);
        expect(largestDifference(native.qvel, trajectory.qvel[k]!), where).toBeLessThan(1e-6);
      }
      expect(inTheAir, trajectory.name).toBeGreaterThan(0);
      expect(touched, trajectory.name).toBe(true);
      expect([...native.warnings]).toEqual([0, 0, 0, 0, 0, 0, 0]);
    }
    for (const simulation of [wasm, native]) simulation.dispose();
    for (const model of models) model.dispose();
  });
}

it('both engines hold a standing Pupper with its weight on four feet', async (context) => {
  const source = readModelSource(referenceModel(context));
  for (const kind of KINDS) {
    const { model } = loadPupper(await engineOf(context, kind), source);
    const simulation = model.newSimulation();
    simulation.qpos.set([0, 0, 0.2, 1, 0, 0, 0, ...DEFAULT_JOINTS]);
    simulation.ctrl.set(DEFAULT_JOINTS);
    simulation.step(1000);
    simulation.forward();
    const { count, force, frame } = simulation.contacts();
    // The ground is flat: every normal points up, and friction adds nothing to the vertical sum.
    let vertical = 0;
    for (let i = 0; i < count; i++) vertical += force[6 * i]! * frame[9 * i + 2]!;
    const mass = [...model.field('body_mass')].reduce((sum, m) => sum + m, 0);
    expect(count, kind).toBe(4);
    expect(vertical / (mass * 9.81), kind).toBeCloseTo(1, 3);
    simulation.dispose();
    model.dispose();
  }
});
