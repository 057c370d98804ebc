import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runBenchmark } from '../../worker/evaluation/benchmark.ts';
import { runGrid } from '../../worker/evaluation/command_grid.ts';
import { root } from '../../worker/paths.ts';
import { resolveEngine } from '../../worker/physics/open_engine.ts';

const path = join(root, 'assets', 'policies', 'pupper-walk');
const controller = { kind: 'policy', path } as const;
const options = { engine: resolveEngine('auto'), threads: 2 };

it('the bundled policy scores what its record says, with every episode completed', async () => {
  const record = JSON.parse(readFileSync(join(path, 'eval_info.json'), 'utf8')) as { score: number };
  const { score, completion_rate } = await runBenchmark(controller, options);
  // Another processor rounds otherwise, and contacts amplify it: statistics agree, digits need not.
  expect(Math.abs(score - record.score)).toBeLessThan(1);
  expect(completion_rate).toBe(1);
});

it('the bundled policy walks at 0.2 m/s when 0.2 is commanded, within 0.05', async () => {
  const { points } = await runGrid(controller, { axis: 'vx', values: [0.2] }, options);
  expect(Math.abs(points[0]!.measured! - 0.2)).toBeLessThan(0.05);
  expect(points[0]!.completed).toBe(3);
});
