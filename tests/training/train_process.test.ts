import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askRun } from '../../worker/training/run_directory.ts';
import { listCheckpoints, readMetrics, readRunConfig, readStatus, readSummary } from '../../worker/training/run_files.ts';
import { leash } from '../cli/leash_process.ts';
import { temporaryFolder } from '../temporary_folder.ts';
import { ITERATION, metricsSteps, newestState, startLeash, tinyRun, untilLines } from './tiny_run.ts';

const LONG = 100_000_000;

describe('leash train', () => {
  it('leaves a run directory that says all about the run', () => {
    const run = join(temporaryFolder(), 'run');
    const { code, stdout } = leash(tinyRun(run, 3 * ITERATION));
    expect(code).toBe(0);
    expect(stdout).toContain(`npx leash bench ${run}`);
    expect(metricsSteps(run)).toEqual([1, 2, 3].map((i) => i * ITERATION));
    const config = readRunConfig(run);
    expect(config).toMatchObject({ task: 'pupper', seed: 5, steps: 3 * ITERATION, device: 'cpu', threads: { rollout: 2, learner: 2 } });
    expect(config.settings.network.policyHidden).toEqual([16]);
    expect(readStatus(run)).toMatchObject({ state: 'finished', step: 3 * ITERATION, alive: false });
    expect(readSummary(run)).toMatchObject({ state: 'finished', iterations: 3 });
    expect(readdirSync(join(run, 'latest')).toSorted()).toContain('policy.onnx');
    expect(readdirSync(join(run, 'tensorboard'))).toHaveLength(1);
    const line = JSON.parse(readFileSync(join(run, 'metrics.jsonl'), 'utf8').split('\n')[0]!) as Record<string, number>;
    for (const tag of ['train/approx_kl', 'train/std', 'train/value_loss', 'time/fps', 'reward_components/tracking_lin_vel'])
      expect(line[tag], tag).toBeTypeOf('number');
  });

  it('counts the steps that an episode was seen for, also in the first one of each environment', () => {
    const run = join(temporaryFolder(), 'run');
    expect(leash(tinyRun(run, 6 * ITERATION)).code).toBe(0);
    const lengths = readMetrics(run).map((line) => line['rollout/ep_len_mean'] ?? 0);
    expect(Math.max(...lengths)).toBeGreaterThan(0);
    lengths.forEach((length, i) => {
      expect(length).toBeLessThanOrEqual(32 * (i + 1));
    });
  });

  it('tells what is wrong with control.json once, and goes on', async () => {
    const run = join(temporaryFolder(), 'run');
    const process = startLeash(tinyRun(run, LONG));
    await untilLines(run, 2);
    writeFileSync(join(run, 'control.json'), '{"wish": "paus');
    await untilLines(run, 2 + readMetrics(run).length);
    process.kill('SIGINT');
    const { code, stderr } = await process.ended;
    expect(code).toBe(130);
    expect(stderr.match(/control\.json/g)).toHaveLength(1);
  });

  it('goes on from a checkpoint exactly as if it had never stopped', () => {
    const folder = temporaryFolder();
    const [straight, broken] = [join(folder, 'straight'), join(folder, 'broken')];
    expect(leash(tinyRun(straight, 6 * ITERATION)).code).toBe(0);
    expect(leash(tinyRun(broken, 3 * ITERATION)).code).toBe(0);
    expect(leash(['train', 'pupper', '--resume', broken, '--steps', String(6 * ITERATION)]).code).toBe(0);
    expect(metricsSteps(broken)).toEqual(metricsSteps(straight));
    expect(newestState(broken)).toEqual(newestState(straight));
  });

  it('gives the same bits for the same seed', () => {
    const folder = temporaryFolder();
    for (const name of ['a', 'b']) expect(leash(tinyRun(join(folder, name), 3 * ITERATION)).code).toBe(0);
    expect(newestState(join(folder, 'a'))).toEqual(newestState(join(folder, 'b')));
  });

  it('ends on Ctrl-C after the iteration, with a checkpoint and exit code 130', async () => {
    const run = join(temporaryFolder(), 'run');
    const process = startLeash(tinyRun(run, LONG));
    await untilLines(run, 2);
    process.kill('SIGINT');
    const { code, stderr } = await process.ended;
    expect(code).toBe(130);
    expect(stderr).toContain('with a checkpoint');
    const steps = metricsSteps(run);
    expect(listCheckpoints(run).at(-1)!.step).toBe(steps.at(-1));
    expect(readStatus(run)).toMatchObject({ state: 'stopped', why: 'interrupted', step: steps.at(-1) });
  });

  it('loses nothing but the unfinished iterations to kill −9, and goes on from its checkpoint', async () => {
    const run = join(temporaryFolder(), 'run');
    const killed = startLeash(tinyRun(run, LONG, '--checkpoint-every', String(4 * ITERATION)));
    await untilLines(run, 10);
    killed.kill('SIGKILL');
    expect((await killed.ended).signal).toBe('SIGKILL');
    expect(readStatus(run)).toMatchObject({ state: 'running', alive: false });
    const from = listCheckpoints(run).at(-1)!.step;
    const { code } = leash(['train', 'pupper', '--resume', run, '--steps', String(from + 2 * ITERATION)]);
    expect(code).toBe(0);
    const steps = metricsSteps(run);
    expect(steps).toEqual(steps.map((_, i) => (i + 1) * ITERATION));
    expect(steps.at(-1)).toBe(from + 2 * ITERATION);
  });

  it('refuses a directory in use by a live process, naming it, and does not disturb it', async () => {
    const run = join(temporaryFolder(), 'run');
    const first = startLeash(tinyRun(run, LONG));
    await untilLines(run, 2);
    const second = leash(['train', 'pupper', '--resume', run]);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(`in use by process ${first.pid}`);
    first.kill('SIGINT');
    expect((await first.ended).code).toBe(130);
  });

  it('pauses, goes on and stops as control.json asks', async () => {
    const run = join(temporaryFolder(), 'run');
    const process = startLeash(tinyRun(run, LONG));
    await untilLines(run, 2);
    askRun(run, { wish: 'pause' });
    while (readStatus(run)?.state !== 'paused') await new Promise((resolve) => setTimeout(resolve, 50));
    const held = metricsSteps(run).length;
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(metricsSteps(run)).toHaveLength(held);
    askRun(run, { wish: 'run' });
    await untilLines(run, held + 2);
    askRun(run, { wish: 'stop' });
    expect((await process.ended).code).toBe(0);
    expect(readStatus(run)).toMatchObject({ state: 'stopped', why: 'stopped by control.json' });
  });

  it('ends a Ctrl-C during a pause too', async () => {
    const run = join(temporaryFolder(), 'run');
    const process = startLeash(tinyRun(run, LONG));
    await untilLines(run, 1);
    askRun(run, { wish: 'pause' });
    while (readStatus(run)?.state !== 'paused') await new Promise((resolve) => setTimeout(resolve, 50));
    process.kill('SIGINT');
    expect((await process.ended).code).toBe(130);
  });
});

describe('leash train, given what cannot work,', () => {
  it('names both sides when a checkpoint is of another network', () => {
    const run = join(temporaryFolder(), 'run');
    expect(leash(tinyRun(run, ITERATION)).code).toBe(0);
    const path = join(run, 'run_config.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"policyHidden": \[\s*16\s*\]/, '"policyHidden": [24]'));
    const { code, stderr } = leash(['train', 'pupper', '--resume', run, '--steps', '1M']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^leash: [^\n]*learner\.safetensors[^\n]*"parameters" is F32 \[\d+\], but F32 \[\d+\] is wanted[^\n]*\n$/);
  });

  it('goes on with no run of another model, and leaves it as it was', () => {
    const run = join(temporaryFolder(), 'run');
    expect(leash(tinyRun(run, ITERATION)).code).toBe(0);
    const path = join(run, 'run_config.json');
    const own = readRunConfig(run).modelHash;
    writeFileSync(path, readFileSync(path, 'utf8').replace(own, 'f'.repeat(64)));
    const { code, stderr } = leash(['train', 'pupper', '--resume', run, '--steps', '1M']);
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^leash: [^\\n]*another model \\(f{12}…\\)[^\\n]*${own.slice(0, 12)}…[^\\n]*\\n$`));
    expect(readStatus(run)).toMatchObject({ state: 'finished', step: ITERATION, alive: false });
  });

  it('names the file when a checkpoint is cut off', () => {
    const run = join(temporaryFolder(), 'run');
    expect(leash(tinyRun(run, ITERATION)).code).toBe(0);
    const path = join(listCheckpoints(run).at(-1)!.path, 'learner.safetensors');
    writeFileSync(path, readFileSync(path).subarray(0, 5000));
    const { code, stderr } = leash(['train', 'pupper', '--resume', run, '--steps', '1M']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^leash: [^\n]*learner\.safetensors[^\n]*\n$/);
  });

  it('says what broke down when an update is no longer finite, and keeps the last good checkpoint', () => {
    const run = join(temporaryFolder(), 'run');
    const { code, stderr } = leash(
      tinyRun(
        run,
        20 * ITERATION,
        '--checkpoint-every',
        String(ITERATION),
        '--set',
        'ppo.adaptiveRate=null',
        '--set',
        `ppo.learningRate=[[${ITERATION},0.001],[${ITERATION + 1},1e38]]`,
      ),
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^leash: The update after step \d+ broke down \([^\n]+ is not a finite number\); the last good checkpoint is [^\n]+\n$/,
    );
    expect(readStatus(run)).toMatchObject({ state: 'failed' });
    const { parameters } = newestState(run) as { parameters: number[] };
    expect(parameters.every(Number.isFinite)).toBe(true);
  });

  it('says that a run has made its steps already', () => {
    const run = join(temporaryFolder(), 'run');
    expect(leash(tinyRun(run, ITERATION)).code).toBe(0);
    const { code, stderr } = leash(['train', 'pupper', '--resume', run]);
    expect(code).toBe(1);
    expect(stderr).toContain(`has made ${ITERATION} steps already`);
    expect(readStatus(run)).toMatchObject({ state: 'finished' });
  });

  it('refuses a folder that holds something else', () => {
    const folder = join(temporaryFolder(), 'photos');
    mkdirSync(folder);
    writeFileSync(join(folder, 'cat.jpg'), 'meow');
    const { code, stderr } = leash(tinyRun(folder, ITERATION));
    expect(code).toBe(1);
    expect(stderr).toContain('cat.jpg');
    expect(readdirSync(folder)).toEqual(['cat.jpg']);
  });

  it('refuses to begin a run where one is, and says how to go on with it', () => {
    const run = join(temporaryFolder(), 'run');
    expect(leash(tinyRun(run, ITERATION)).code).toBe(0);
    const { code, stderr } = leash(tinyRun(run, ITERATION));
    expect(code).toBe(1);
    expect(stderr).toContain(`--resume ${run}`);
  });
});
