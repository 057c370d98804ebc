import { copyFileSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../worker/paths.ts';
import { temporaryFolder } from '../temporary_folder.ts';
import { leash } from './leash_process.ts';

const walk = join(root, 'assets', 'policies', 'pupper-walk');
const lines = (file: string): unknown[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

/** A copy of the bundled policy that a test may spoil. */
function policyCopy(): string {
  const folder = join(temporaryFolder(), 'copy');
  mkdirSync(folder);
  for (const file of ['policy.onnx', 'policy.json']) copyFileSync(join(walk, file), join(folder, file));
  return folder;
}

describe('leash bench', () => {
  it('--json prints every figure, and --out keeps the same ones', () => {
    const out = temporaryFolder();
    const { code, stdout, stderr } = leash(['bench', walk, '--json', '--out', out]);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    const { episodes, ...printed } = JSON.parse(stdout) as Record<string, unknown> & { episodes: Record<string, unknown>[] };
    for (const key of ['score', 'survival_ratio', 'completion_rate', 'translation_rmse', 'yaw_command_rmse', 'linear_rmse', 'tilt_deg'])
      expect(printed[key], key).toBeTypeOf('number');
    expect(Object.keys(printed['by_scenario'] as object)).toEqual(['stand', 'forward', 'backward', 'lateral', 'yaw']);
    expect(printed['versions']).toMatchObject({ mujoco: '3.14.0', node: process.version });
    // The published benchmark's figure for a robot that never moves.
    expect(printed['never_moves_score']).toBeCloseTo(60.858965, 4);
    expect(episodes).toHaveLength(15);
    const kept = JSON.parse(readFileSync(join(out, 'pupper-walk', 'eval_info.json'), 'utf8')) as object;
    expect(kept).toMatchObject({ ...printed, format: 1, n_episodes: 15 });
    expect(lines(join(out, 'pupper-walk', 'episodes.jsonl'))).toEqual(episodes);
    expect(readdirSync(join(out, 'pupper-walk')).toSorted()).toEqual(['episodes.jsonl', 'eval_info.json']);
  });

  it('sweeps several policies from the seeds given, a table and a file each', () => {
    const out = temporaryFolder();
    const { code, stdout } = leash(['bench', walk, join(walk, 'policy.onnx'), walk, '--grid', 'wz=0.5', '--seeds', '4,7,4', '--out', out]);
    expect(code).toBe(0);
    expect(stdout).toContain('pupper-walk: wz in rad/s, 2 seeds a command');
    expect(stdout).toContain('pupper-walk-2: wz in rad/s');
    const sweep = (name: string): { points: { measured: number; completed: number }[]; episodes: { seed: number }[] } =>
      JSON.parse(readFileSync(join(out, name, 'grid_wz.json'), 'utf8')) as ReturnType<typeof sweep>;
    const { points, episodes } = sweep('pupper-walk');
    expect(episodes.map(({ seed }) => seed)).toEqual([4, 7]);
    expect(points.map(({ completed }) => completed)).toEqual([2]);
    expect(points[0]!.measured).toBeGreaterThan(0.25);
    // The same network by another path.
    expect(sweep('policy').episodes).toEqual(episodes);
    expect(sweep('pupper-walk-2').episodes).toEqual(episodes);
  });

  it.each([
    [['--seeds', '1,2'], 'use --seeds together with --grid'],
    [['--grid', 'vx=0.2', '--seeds', '1,x'], 'Write a whole number from 0'],
    [['--grid', 'vz=0:1:0.1'], 'such as vx=-0.6:0.6:0.1'],
    [['--threads', '0'], "argument '0' is invalid"],
    [['--engine', 'fast'], 'Allowed choices are'],
  ])('with %j is wrong use, said in one sentence', (flags, sentence) => {
    const { code, stdout, stderr } = leash(['bench', walk, ...flags]);
    expect(stderr).toMatch(/^leash: /);
    expect(stderr).toContain(sentence);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  it('refuses a policy that was cut short, before it measures the others', () => {
    const copy = policyCopy();
    truncateSync(join(copy, 'policy.onnx'), 100_000);
    const { code, stdout, stderr } = leash(['bench', walk, copy]);
    expect(stderr).toMatch(new RegExp(`^leash: [^\\n]*${copy}[^\\n]*\\n$`));
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });

  it('refuses a policy for another robot, naming the joints of both', () => {
    const copy = policyCopy();
    const spec = readFileSync(join(copy, 'policy.json'), 'utf8').replaceAll('leg_front_r_1', 'left_hip_yaw');
    writeFileSync(join(copy, 'policy.json'), spec);
    const { code, stderr } = leash(['bench', copy]);
    expect(stderr).toMatch(/^leash: [^\n]*left_hip_yaw[^\n]*leg_front_r_1[^\n]*\n$/);
    expect(code).toBe(1);
  });
});
