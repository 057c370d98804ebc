import { expect, it } from 'vitest';
import type { Contacts } from '../../worker/physics/engine.ts';
import { pushBody, releaseBody } from '../../worker/physics/push.ts';
import { describeEachEngine, simulate } from './each_engine.ts';
import { BOX_ON_A_SLOPE, FLOATING_BOX, GRAVITY, HALF_EDGES, LOPSIDED_BOX, MASS } from './small_models.ts';

/** Sum of the contact forces on geom 2 in the world frame, N: the frame's rows are the contact's axes. */
function totalForce({ count, frame, force }: Contacts): number[] {
  const total = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    for (let axis = 0; axis < 3; axis++) {
      for (let k = 0; k < 3; k++) total[k]! += force[6 * i + axis]! * frame[9 * i + 3 * axis + k]!;
    }
  }
  return total;
}

/** Moment of inertia of the box about an axis of its own, kg·m². */
function boxInertia(axis: number): number {
  const [b, c] = [HALF_EDGES[(axis + 1) % 3]!, HALF_EDGES[(axis + 2) % 3]!];
  return (MASS * ((2 * b) ** 2 + (2 * c) ** 2)) / 12;
}

describeEachEngine('contacts ($kind)', ({ kind }) => {
  it('of a box at rest on a slope carry its weight, friction included', async (context) => {
    const { model, simulation } = await simulate(context, kind, BOX_ON_A_SLOPE);
    simulation.step(1500);
    simulation.forward();
    const contacts = simulation.contacts();
    expect(contacts.count).toBe(4);
    const [slope, box] = [model.id('geom', 'slope'), model.id('geom', 'box')];
    for (let i = 0; i < contacts.count; i++) {
      expect([contacts.geoms[2 * i], contacts.geoms[2 * i + 1]]).toEqual([slope, box]);
      expect(contacts.distance[i]).toBeLessThan(0);
      // The normal leans with the slope: (sin 0.2, 0, cos 0.2).
      expect(contacts.frame[9 * i]).toBeCloseTo(Math.sin(0.2), 6);
      expect(contacts.frame[9 * i + 2]).toBeCloseTo(Math.cos(0.2), 6);
      expect(contacts.force[6 * i]).toBeGreaterThan(0);
    }
    const [x, y, z] = totalForce(contacts);
    expect(x).toBeCloseTo(0, 2);
    expect(y).toBeCloseTo(0, 2);
    expect(z! / (MASS * GRAVITY)).toBeCloseTo(1, 3);
  });

  it('lie below the four corners of the box', async (context) => {
    const { simulation } = await simulate(context, kind, BOX_ON_A_SLOPE.replaceAll('euler="0 0.2 0"', '').replace('0 0 0.06', '0 0 0.05'));
    simulation.step(500);
    const { count, position } = simulation.contacts();
    const corners = Array.from({ length: count }, (_, i) => [Math.abs(position[3 * i]!), Math.abs(position[3 * i + 1]!)]);
    expect(corners).toHaveLength(4);
    for (const [x, y] of corners) {
      expect(x).toBeCloseTo(HALF_EDGES[0], 4);
      expect(y).toBeCloseTo(HALF_EDGES[1], 4);
    }
  });

  it('are none in empty space', async (context) => {
    const { simulation } = await simulate(context, kind, FLOATING_BOX);
    simulation.step(1);
    expect(simulation.contacts().count).toBe(0);
  });
});

describeEachEngine('a push ($kind)', ({ kind }) => {
  it('through the centre of mass accelerates by F/m and turns nothing', async (context) => {
    const { model, simulation } = await simulate(context, kind, FLOATING_BOX);
    simulation.forward();
    pushBody(simulation, model.id('body', 'box'), [4, -1, 0.5]);
    simulation.step(100);
    const expected = [4, -1, 0.5].map((force) => (force / MASS) * 0.1);
    for (let i = 0; i < 3; i++) expect(simulation.qvel[i]).toBeCloseTo(expected[i]!, 9);
    for (let i = 3; i < 6; i++) expect(simulation.qvel[i]).toBeCloseTo(0, 12);
  });

  it('beside the centre of mass also turns, by lever × force over inertia', async (context) => {
    const { model, simulation } = await simulate(context, kind, FLOATING_BOX);
    simulation.forward();
    // 0.1 m along x, pushed along y: a torque of 0.1·3 N·m about z.
    pushBody(simulation, model.id('body', 'box'), [0, 3, 0], [0.1, 0, 0]);
    simulation.step(1);
    expect(simulation.qvel[1]).toBeCloseTo((3 / MASS) * 0.001, 12);
    expect(simulation.qvel[5]).toBeCloseTo((0.3 / boxInertia(2)) * 0.001, 9);
  });

  it('finds the centre of mass of a turned body beside its own origin', async (context) => {
    const { model, simulation } = await simulate(context, kind, LOPSIDED_BOX);
    // A quarter turn about z puts the centre of mass, 0.3 m along the body's x, onto the world's y.
    simulation.qpos.set([1, 2, 3, Math.SQRT1_2, 0, 0, Math.SQRT1_2]);
    simulation.forward();
    const box = model.id('body', 'box');
    pushBody(simulation, box, [2, 0, 0], [1, 2.3, 3]);
    for (let i = 3; i < 6; i++) expect(simulation.xfrc_applied[6 * box + i]).toBeCloseTo(0, 12);
    releaseBody(simulation, box);
    pushBody(simulation, box, [2, 0, 0], [1, 2, 3]);
    // (0, −0.3, 0) × (2, 0, 0) = (0, 0, 0.6)
    expect(simulation.xfrc_applied[6 * box + 5]).toBeCloseTo(0.6, 12);
  });

  it('ends when the body is released', async (context) => {
    const { model, simulation } = await simulate(context, kind, FLOATING_BOX);
    simulation.forward();
    const box = model.id('body', 'box');
    pushBody(simulation, box, [1, 0, 0], [0, 0.1, 0]);
    pushBody(simulation, box, [1, 0, 0], [0, -0.1, 0]);
    simulation.step(50);
    const speed = simulation.qvel[0]!;
    expect(speed).toBeCloseTo((2 / MASS) * 0.05, 9);
    releaseBody(simulation, box);
    simulation.step(50);
    expect(simulation.qvel[0]).toBe(speed);
  });
});
