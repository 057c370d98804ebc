import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSafetensors } from '../../worker/formats/safetensors.ts';
import { root } from '../../worker/paths.ts';
import { listCheckpoints } from '../../worker/training/run_files.ts';

/** Environment steps of one iteration of {@link tinyRun}. */
export const ITERATION = 8 * 32;

/** `leash train` with networks and rollouts so small that an iteration takes some hundredths of a second. */
export function tinyRun(out: string, steps: number, ...more: string[]): string[] {
  const settings = [
    'rollout.environments=8',
    'rollout.steps=32',
    'ppo.minibatchSize=64',
    'network.policyHidden=[16]',
    'network.valueHidden=[16]',
    'ppo.epochs=2',
  ];
  return [
    'train',
    'pupper',
    '--steps',
    String(steps),
    '--seed',
    '5',
    '--threads',
    '2',
    '--out',
    out,
    ...settings.flatMap((setting) => ['--set', setting]),
    ...more,
  ];
}

export interface RunningLeash {
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when the process has ended. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }>;
}

/** Starts the real `leash` and lets it run. */
export function startLeash(args: readonly string[]): RunningLeash {
  const child = spawn(process.execPath, [join(root, 'bin', 'leash.js'), ...args], { env: { ...process.env, NO_COLOR: '1' } });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    stdout,
    stderr,
  }));
  return { pid: child.pid!, kill: (signal) => child.kill(signal), ended };
}

/** Waits until the run has written `lines` lines of metrics. */
export async function untilLines(run: string, lines: number): Promise<void> {
  const path = join(run, 'metrics.jsonl');
  for (;;) {
    if (existsSync(path) && readFileSync(path, 'utf8').split('\n').length > lines) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Steps in metrics.jsonl, in order. */
export function metricsSteps(run: string): number[] {
  return readFileSync(join(run, 'metrics.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { step: number }).step);
}

/** Everything that the newest checkpoint of a run holds, but for wall time. */
export function newestState(run: string): Record<string, unknown> {
  const { tensors, metadata } = readSafetensors(join(listCheckpoints(run).at(-1)!.path, 'learner.safetensors'));
  const { elapsed, ...rest } = metadata;
  return { ...rest, ...Object.fromEntries([...tensors].map(([name, { data }]) => [name, [...data]])) };
}
