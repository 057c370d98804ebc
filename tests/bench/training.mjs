// The whole training loop of the default preset against simulation alone, in turn: `node tests/bench/training.mjs [rounds]`.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resolveEngine } from '../../dist/worker/physics/open_engine.js';
import { median, simulationRate } from './simulation_rate.mjs';

const rounds = Number(process.argv[2] ?? 3);
const threads = availableParallelism();
const leash = fileURLToPath(new URL('../../bin/leash.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'leash-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Highest resident memory of a process so far, MB. */
function peakMemory(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** A short run of `leash train`: steps/s without its first two iterations, seconds to its first step, peak memory (MB). */
async function train(name) {
  const run = join(folder, name);
  const metrics = join(run, 'metrics.jsonl');
  const started = performance.now();
  const child = spawn(process.execPath, [leash, 'train', 'pupper', '--steps', '100k', '--seed', '1', '--out', run], { stdio: 'ignore' });
  let memory = 0;
  let firstLine = null;
  const watch = setInterval(() => {
    memory = Math.max(memory, peakMemory(child.pid));
    if (firstLine === null && existsSync(metrics) && readFileSync(metrics, 'utf8').includes('\n')) firstLine = performance.now();
  }, 20);
  await new Promise((resolve) => child.once('close', resolve));
  clearInterval(watch);
  const lines = readFileSync(metrics, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const [first] = lines;
  // A line is written while the next rollout runs, so it comes a moment after its iteration.
  const toFirstStep = (firstLine - started) / 1e3 - first['time/rollout_seconds'] - first['time/update_seconds'];
  return { stepsPerSecond: median(lines.slice(2).map((line) => line['time/fps'])), toFirstStep, memory };
}

const trained = [];
const simulated = [];
for (let round = 0; round < rounds; round++) {
  trained.push(await train(`run-${round}`));
  // σ of an untrained policy of the default preset: exp(−0.2).
  simulated.push(await simulationRate(resolveEngine('auto'), threads, { episodes: 25, steps: 200, noise: 0.82 }));
}
const loop = median(trained.map((one) => one.stepsPerSecond));
const simulation = median(simulated.map((one) => one.stepsPerSecond));
console.log(`training, default preset, ${resolveEngine('auto')} engine, ${threads} threads, ${rounds} rounds\n`);
console.log(
  `training loop / simulation with the task   ${median(trained.map((one, i) => one.stepsPerSecond / simulated[i].stepsPerSecond)).toFixed(2)}   ${loop.toFixed(0)} against ${simulation.toFixed(0)} steps/s`,
);
console.log(`peak memory                                ${Math.max(...trained.map((one) => one.memory)).toFixed(0)} MB`);
console.log(`start to first step                        ${median(trained.map((one) => one.toFirstStep)).toFixed(1)} s`);
