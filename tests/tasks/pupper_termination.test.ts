import { describe, expect, it } from 'vitest';
import { brokeDown, fallCause } from '../../worker/tasks/pupper/termination.ts';

describe('a fall', () => {
  const upright = (degrees: number): number => Math.cos((degrees * Math.PI) / 180);
  // 0.52 rad are 29.79°.
  it.each([
    [0.1, 0, null],
    [0.0999, 0, 'height'],
    [0.2, 29.7, null],
    [0.2, 29.9, 'tilt'],
    [0.05, 90, 'height'],
  ] as const)('at %d m and %d° is %s', (height, degrees, cause) => expect(fallCause(height, upright(degrees))).toBe(cause));
});

describe('a breakdown', () => {
  const quiet = new Int32Array(7);
  const zeros = (): Float64Array => new Float64Array(18);
  it('is a warning of a bad position, velocity, acceleration or control, not of a full buffer', () => {
    const broke = [...quiet.keys()].filter((kind) => brokeDown(quiet.with(kind, 1), zeros(), zeros()));
    expect(broke).toEqual([3, 4, 5, 6]);
  });
  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('is a %d that MuJoCo has not looked at yet', (value) => {
    expect(brokeDown(quiet, zeros().with(17, value), zeros())).toBe(true);
    expect(brokeDown(quiet, zeros(), zeros().with(17, value))).toBe(true);
    expect(brokeDown(quiet, zeros(), zeros())).toBe(false);
  });
});
