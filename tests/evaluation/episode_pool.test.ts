import { describe, expect, it } from 'vitest';
import { runBenchmark } from '../../worker/evaluation/benchmark.ts';
import { runGrid } from '../../worker/evaluation/command_grid.ts';
import { runEpisodes } from '../../worker/evaluation/episode_pool.ts';
import { resolveEngine } from '../../worker/physics/open_engine.ts';

const engine = resolveEngine('auto');
const zero = { kind: 'zero' } as const;

describe('episodes over threads', () => {
  it('give the same result whatever the number of threads', async () => {
    const one = await runBenchmark(zero, { engine, threads: 1 });
    const three = await runBenchmark(zero, { engine, threads: 3 });
    expect(three).toEqual(one);
    // What a robot that never moves scores, by the published benchmark.
    expect(one.score).toBeCloseTo(60.858965, 4);
  });

  it('measure a robot that never moves as standing still at every command', async () => {
    const grid = await runGrid(zero, { axis: 'vx', values: [-0.2, 0.4] }, { engine, threads: 2 });
    expect(grid.points.map(({ commanded, episodes, completed }) => [commanded, episodes, completed])).toEqual([
      [-0.2, 3, 3],
      [0.4, 3, 3],
    ]);
    for (const point of grid.points) expect(Math.abs(point.measured!)).toBeLessThan(0.01);
  });

  it('fail with the reason when the policy cannot be loaded', async () => {
    const job = { scenario: 'x', seed: 1, command: [0, 0, 0] as const, steps: 1, settleSteps: 0 };
    await expect(runEpisodes({ engine, controller: { kind: 'policy', path: 'no/such/policy' } }, [job], 2)).rejects.toThrow(
      /no\/such\/policy/,
    );
  });
});
