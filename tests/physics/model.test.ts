import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../worker/paths.ts';
import { modelFromString } from '../../worker/physics/model_source.ts';
import { describeEachEngine, engineOf, KINDS, simulate } from './each_engine.ts';
import { FLOATING_BOX, MOTOR, OF_EVERY_KIND } from './small_models.ts';

describeEachEngine('a model ($kind)', ({ kind }) => {
  it('tells its sizes', async (context) => {
    const { model } = await simulate(context, kind, MOTOR);
    expect(model.sizes).toMatchObject({ nq: 1, nv: 1, nu: 1, nbody: 3, njnt: 1, ngeom: 2, nsite: 1, nmocap: 1, nsensordata: 2 });
  });

  it('finds objects by name and lists the names there are when one is unknown', async (context) => {
    const { model } = await simulate(context, kind, MOTOR);
    expect(model.names('body')).toEqual(['world', 'target', 'arm']);
    expect(model.names('geom')).toEqual(['', '']);
    expect(model.id('body', 'arm')).toBe(2);
    expect(model.id('actuator', 'turn')).toBe(0);
    expect(() => model.id('joint', 'knee')).toThrow(new RangeError('The model has no joint "knee"; it has hinge.'));
    expect(() => model.id('mesh', 'hand')).toThrow(new RangeError('The model has no mesh "hand"; it has none with a name.'));
  });

  it('names objects of every kind in order of id', async (context) => {
    const { model } = await simulate(context, kind, OF_EVERY_KIND);
    const kinds = ['body', 'joint', 'geom', 'site', 'actuator', 'sensor', 'camera', 'light', 'tendon', 'mesh', 'keyframe'] as const;
    expect(Object.fromEntries(kinds.map((type) => [type, model.names(type)]))).toEqual({
      body: ['world', 'arm', 'hand'],
      joint: ['shoulder', 'wrist'],
      geom: ['ground', '', 'palm'],
      site: ['tip'],
      actuator: ['turn', 'pull'],
      sensor: ['touch', 'pose'],
      camera: ['eye'],
      light: ['sun'],
      tendon: ['cord'],
      mesh: ['wedge'],
      keyframe: ['start'],
    });
  });

  it('hands out copies of its fields and takes new values', async (context) => {
    const { model, simulation } = await simulate(context, kind, MOTOR);
    const gains = model.field('actuator_gainprm');
    expect(gains[0]).toBe(1);
    gains[0] = 3;
    simulation.ctrl[0] = 0.5;
    simulation.forward();
    expect(simulation.qfrc_actuator[0]).toBe(0.5);
    model.setField('actuator_gainprm', gains);
    expect(model.field('actuator_gainprm')[0]).toBe(3);
    simulation.forward();
    expect(simulation.qfrc_actuator[0]).toBe(1.5);
  });

  it('tells flags as zeros and ones', async (context) => {
    const { model } = await simulate(
      context,
      kind,
      MOTOR.replace('axis', 'range="-90 90" axis').replace(
        '<body name="arm">',
        '<body name="other"><joint/><geom size="0.1"/></body><body name="arm">',
      ),
    );
    expect(model.field('jnt_limited')).toEqual(new Uint8Array([0, 1]));
    model.setField('jnt_limited', [1, 0]);
    expect([...model.field('jnt_limited')]).toEqual([1, 0]);
    expect([...model.field('actuator_ctrllimited')]).toEqual([0]);
  });

  it('refuses a field that there is not, and another number of values', async (context) => {
    const { model } = await simulate(context, kind, FLOATING_BOX);
    expect(() => model.field('body_colour')).toThrow(new RangeError('mjModel has no numeric array "body_colour".'));
    expect(() => model.setField('body_colour', [1])).toThrow(new RangeError('mjModel has no numeric array "body_colour".'));
    expect(() => model.setField('body_mass', [1])).toThrow(new RangeError('mjModel.body_mass holds 2 numbers; 1 were given.'));
  });

  it('steps by the time step it was set to', async (context) => {
    const { model, simulation } = await simulate(context, kind, MOTOR);
    expect(model.timestep).toBe(0.002);
    model.setOptions({ timestep: 0.005, jacobian: 'sparse' });
    expect(model.timestep).toBe(0.005);
    simulation.step(3);
    expect(simulation.time[0]).toBeCloseTo(0.015, 15);
  });

  it('that is not well formed is refused with the line', async (context) => {
    const engine = await engineOf(context, kind);
    const compile = (xml: string) => () => engine.compile(modelFromString(xml, 'scene.xml'));
    expect(compile('<mujoco>\n<worldbody>\n<geom size="big"/></worldbody></mujoco>')).toThrow(
      "scene.xml does not compile: bad format in attribute 'size', Element 'geom', line 3.",
    );
    expect(compile('<mujoco>\n  <robot/>\n</mujoco>')).toThrow(
      /^scene\.xml does not compile: .*unrecognized element, Element 'robot', line 2\.$/,
    );
    expect(compile('<mujoco>\n\n<worldbody>')).toThrow(/^scene\.xml does not compile: .*\b(line|Line number=)\s*\d/i);
    expect(compile('')).toThrow(/^scene\.xml does not compile: /);
    expect(compile('<mujoco><worldbody><body><joint/></body></worldbody></mujoco>')).toThrow(/mass and inertia of moving bodies/);
  });
});

it('has the same fields in both engines, every one of mjModel', async (context) => {
  const [wasm, native] = await Promise.all(KINDS.map((kind) => simulate(context, kind, OF_EVERY_KIND)));
  const source = readFileSync(join(root, 'node_modules', '@mujoco', 'mujoco', 'mujoco.d.ts'), 'utf8');
  const declaration = /interface MjModel extends ClassHandle \{([\s\S]*?)\n\}/.exec(source)![1]!;
  const arrays = [...declaration.matchAll(/^\s+(?:readonly )?(\w+): any;/gm)].map(([, name]) => name!).filter((name) => name !== 'buffer');
  expect(arrays.length).toBeGreaterThan(400);
  // The order of a convex hull's polygons comes from hash tables, which differ between the two builds.
  const inAnyOrder = /^mesh_(poly|graph)/;
  for (const name of arrays) {
    const [ours, theirs] = [native!.model.field(name), wasm!.model.field(name)];
    expect(ours.constructor, name).toBe(theirs.constructor);
    expect(ours.length, name).toBe(theirs.length);
    if (inAnyOrder.test(name)) continue;
    for (let i = 0; i < theirs.length; i++) expect(ours[i], `${name}[${i}]`).toBeCloseTo(theirs[i]!, 12);
  }
});
