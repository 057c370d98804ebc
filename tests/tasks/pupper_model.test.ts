import { describe, expect, it } from 'vitest';
import { ModelError } from '../../worker/physics/engine.ts';
import { readModelSource } from '../../worker/physics/model_source.ts';
import { openEngine } from '../../worker/physics/open_engine.ts';
import { numpyRandom } from '../../worker/tasks/numpy_random.ts';
import { PupperEnvironment } from '../../worker/tasks/pupper/environment.ts';
import { loadPupper, pupperSource } from '../../worker/tasks/pupper/model.ts';
import { FOOT_SITES, JOINT_NAMES } from '../../worker/tasks/pupper/spec.ts';
import { referenceModel } from './pupper_cases.ts';

describe('our Pupper against the published model', () => {
  const both = async (context: Parameters<typeof referenceModel>[0]) => {
    const engine = await openEngine('wasm');
    return { ours: loadPupper(engine), theirs: loadPupper(engine, readModelSource(referenceModel(context))) };
  };

  it('has the same masses, inertias, frames, axes, ranges, servo and contact parameters to 1e-9', async (context) => {
    const { ours, theirs } = await both(context);
    const perBody = ['body_mass', 'body_inertia', 'body_ipos', 'body_iquat', 'body_quat', 'body_pos'];
    const perJoint = ['jnt_axis', 'jnt_range', 'jnt_pos', 'dof_armature', 'dof_damping', 'dof_frictionloss'];
    const perActuator = ['actuator_gainprm', 'actuator_biasprm', 'actuator_forcerange', 'actuator_ctrlrange', 'actuator_gear'];
    for (const field of [...perBody, ...perJoint, ...perActuator]) {
      const a = ours.model.field(field);
      const b = theirs.model.field(field);
      expect(a.length, field).toBe(b.length);
      a.forEach((value, i) => expect(Math.abs(value - b[i]!), `${field}[${i}]`).toBeLessThan(1e-9));
    }
    expect(ours.model.names('joint').slice(1)).toEqual(JOINT_NAMES);
  });

  it('collides with the same geoms', async (context) => {
    const { ours, theirs } = await both(context);
    const colliding = ({ model }: typeof ours): number[][] => {
      const [contype, conaffinity] = [model.field('geom_contype'), model.field('geom_conaffinity')];
      const fields = ['geom_size', 'geom_pos', 'geom_quat', 'geom_friction', 'geom_solimp', 'geom_condim', 'geom_bodyid'].map((name) =>
        model.field(name),
      );
      return [...contype.keys()]
        .filter((g) => contype[g]! + conaffinity[g]! > 0)
        .map((g) =>
          fields.flatMap((values) => [
            ...values.subarray((values.length / contype.length) * g, (values.length / contype.length) * (g + 1)),
          ]),
        )
        .toSorted((a, b) => a.join().localeCompare(b.join()));
    };
    const a = colliding(ours);
    const b = colliding(theirs);
    expect(a.length).toBe(b.length);
    a.forEach((geom, g) => geom.forEach((value, i) => expect(value).toBeCloseTo(b[g]![i]!, 9)));
  });

  it('puts every body and foot in the same place at random poses, to 1e-9 m', async (context) => {
    const { ours, theirs } = await both(context);
    const random = numpyRandom(1);
    const a = ours.model.newSimulation();
    const b = theirs.model.newSimulation();
    for (let pose = 0; pose < 50; pose++) {
      for (let i = 0; i < a.qpos.length; i++) a.qpos[i] = random.uniform(-1, 1);
      const norm = Math.hypot(...a.qpos.subarray(3, 7));
      for (let i = 3; i < 7; i++) a.qpos[i]! /= norm;
      b.qpos.set(a.qpos);
      a.forward();
      b.forward();
      a.xpos.forEach((value, i) => expect(Math.abs(value - b.xpos[i]!)).toBeLessThan(1e-9));
      for (const site of FOOT_SITES) {
        const [ia, ib] = [3 * ours.model.id('site', site), 3 * theirs.model.id('site', site)];
        for (let k = 0; k < 3; k++) expect(Math.abs(a.site_xpos[ia + k]! - b.site_xpos[ib + k]!)).toBeLessThan(1e-9);
      }
    }
  });

  it('moves like it for 500 steps of fixed actions, step by step to 1e-6', async (context) => {
    const { ours, theirs } = await both(context);
    const random = numpyRandom(5);
    const a = new PupperEnvironment(ours);
    const b = new PupperEnvironment(theirs);
    a.reset(numpyRandom(4));
    b.reset(numpyRandom(4));
    for (let k = 0; k < 500; k++) {
      // Slow swings about the default pose: it stays up, with feet that leave the ground and land.
      const action = Array.from({ length: 12 }, (_, i) => 0.35 * Math.sin(0.3 * k + i) + random.uniform(-0.1, 0.1));
      a.step(action);
      b.step(action);
      a.simulation.qpos.forEach((value, i) => expect(Math.abs(value - b.simulation.qpos[i]!), `step ${k}, qpos[${i}]`).toBeLessThan(1e-6));
      expect(a.terminated).toBe(b.terminated);
    }
  });
});

describe('a model that is no Pupper', () => {
  const own = pupperSource();
  it.each([
    ['without a foot', own.xml.replace('leg_back_l_3_foot_site', 'heel'), /has no site "leg_back_l_3_foot_site"/],
    [
      'with legs in another order',
      own.xml.replaceAll('front_r', 'x').replaceAll('front_l', 'front_r').replaceAll('"leg_x', '"leg_front_l'),
      /"leg_front_r_1" as number 1/,
    ],
  ])('%s is refused in one sentence that names the file', async (_, xml, sentence) => {
    const engine = await openEngine('wasm');
    const load = (): unknown => loadPupper(engine, { ...own, name: 'mine.xml', xml });
    expect(load).toThrow(ModelError);
    expect(load).toThrow(/^mine\.xml /);
    expect(load).toThrow(sentence);
  });
});
