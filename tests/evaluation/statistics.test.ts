import { describe, expect, it } from 'vitest';
import { parseGrid } from '../../worker/evaluation/command_grid.ts';
import { sampleDeviation, wilsonInterval } from '../../worker/evaluation/statistics.ts';

describe("Wilson's interval", () => {
  // Reference values: the interval's closed form evaluated by hand, z = 1.96.
  it('of 10 in 20 is 0.299 to 0.701', () => {
    const [low, high] = wilsonInterval(10, 20);
    expect(low).toBeCloseTo(0.2993, 4);
    expect(high).toBeCloseTo(0.7007, 4);
  });
  it('of 15 in 15 is not certainty', () => {
    const [low, high] = wilsonInterval(15, 15);
    expect(low).toBeCloseTo(15 / (15 + 1.959963984540054 ** 2), 10);
    expect(high).toBe(1);
  });
});

describe('a sample deviation', () => {
  it('divides by n − 1', () => expect(sampleDeviation([1, 2, 3, 4])).toBeCloseTo(Math.sqrt(5 / 3), 12));
  it('of one value is 0', () => expect(sampleDeviation([3])).toBe(0));
});

describe('a grid', () => {
  it('runs from, to, step with both ends and an exact zero', () => {
    expect(parseGrid('vx=-0.6:0.6:0.2')).toEqual({ axis: 'vx', values: [-0.6, -0.4, -0.2, 0, 0.2, 0.4, 0.6] });
  });
  it('takes single commands and lists', () => {
    expect(parseGrid('wz=0.2').values).toEqual([0.2]);
    expect(parseGrid('vy=0.1,0.3').values).toEqual([0.1, 0.3]);
  });
  it.each(['vz=0:1:0.1', 'vx', 'vx=', 'vx=a:b:c', 'vx=0:1', 'vx=1:0:0.1', 'vx=0:1:0', 'vx=0:1:1e-9', 'vx=0.1,x', 'vx=::'])(
    'refuses "%s" and shows how it is written',
    (text) => {
      expect(() => parseGrid(text)).toThrow(/vx=-0\.6:0\.6:0\.1|larger step/);
    },
  );
});
