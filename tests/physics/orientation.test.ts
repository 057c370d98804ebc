import { expect, it } from 'vitest';
import { describeEachEngine, simulate } from './each_engine.ts';
import { FLOATING_BOX } from './small_models.ts';

const [cos, sin] = [Math.cos, Math.sin];

/** Turns about one axis; the rotation matrices are written out by hand, so a swapped quaternion order shows. */
const TURNS = [
  {
    name: '0.7 rad about x',
    quaternion: [cos(0.35), sin(0.35), 0, 0],
    rotation: [1, 0, 0, 0, cos(0.7), -sin(0.7), 0, sin(0.7), cos(0.7)],
  },
  {
    name: '-1.1 rad about y',
    quaternion: [cos(-0.55), 0, sin(-0.55), 0],
    rotation: [cos(-1.1), 0, sin(-1.1), 0, 1, 0, -sin(-1.1), 0, cos(-1.1)],
  },
  {
    name: '2 rad about z',
    quaternion: [cos(1), 0, 0, sin(1)],
    rotation: [cos(2), -sin(2), 0, sin(2), cos(2), 0, 0, 0, 1],
  },
];

describeEachEngine('a free body ($kind)', ({ kind }) => {
  for (const { name, quaternion, rotation } of TURNS) {
    it(`turned by ${name} has that rotation: quaternions are w x y z, matrices row-major`, async (context) => {
      const { model, simulation } = await simulate(context, kind, FLOATING_BOX);
      simulation.qpos.set(quaternion, 3);
      simulation.forward();
      const box = model.id('body', 'box');
      for (let i = 0; i < 9; i++) expect(simulation.xmat[9 * box + i]).toBeCloseTo(rotation[i]!, 12);
      for (let i = 0; i < 4; i++) expect(simulation.xquat[4 * box + i]).toBeCloseTo(quaternion[i]!, 12);
    });
  }

  it('moves along the world axes of qvel[0:3] however it is turned', async (context) => {
    const { simulation } = await simulate(context, kind, FLOATING_BOX);
    simulation.qpos.set(TURNS[0]!.quaternion, 3);
    simulation.qvel.set([0.1, 0.2, 0.3]);
    simulation.step(1000);
    const expected = [0.1, 0.2, 0.3];
    for (let i = 0; i < 3; i++) expect(simulation.qpos[i]).toBeCloseTo(expected[i]!, 9);
  });

  it('turns about its own axes by qvel[3:6]: its z axis is a principal one, so a spin about it keeps it in place', async (context) => {
    const { model, simulation } = await simulate(context, kind, FLOATING_BOX);
    const { quaternion, rotation } = TURNS[0]!;
    simulation.qpos.set(quaternion, 3);
    simulation.qvel[5] = 2;
    simulation.step(500);
    simulation.forward();
    const xmat = simulation.xmat.subarray(9 * model.id('body', 'box'));
    for (const entry of [2, 5, 8]) expect(xmat[entry]).toBeCloseTo(rotation[entry]!, 9);
    // 2 rad/s for half a second: the box's x axis stands at 1 rad in its own plane.
    expect(xmat[0]).toBeCloseTo(cos(1), 9);
    expect(xmat[3]).toBeCloseTo(sin(1) * cos(0.7), 9);
  });
});
