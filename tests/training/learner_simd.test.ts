import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nativeFolder } from '../../worker/paths.ts';
import { loadLearnerAddon } from '../../worker/training/learner_addon.ts';
import { fillParameters, learnerOptions, plainSettings, sampleBatch, smallMirror } from './learner_example.ts';

const addon = loadLearnerAddon();

/** The kernels are chosen when the addon loads: each set needs a process of its own. */
const program = `
let text = '';
process.stdin.on('data', (part) => (text += part)).on('end', () => {
  const x = JSON.parse(text, (_, v) => (v?.kind ? new globalThis[v.kind](v.numbers) : v));
  const addon = require(x.file);
  const { loss, gradient } = addon.lossAndGradient(x.options, x.batch, x.advantages, x.returns, x.settings);
  const means = new Float32Array(x.batch.actions.length);
  new addon.Actor({ ...x.options, seed: 1 }).mean(x.batch.observations, means);
  console.log(JSON.stringify({ simd: addon.simd, loss, gradient: [...gradient], means: [...means] }));
});`;

interface Answer {
  readonly simd: string;
  readonly loss: number;
  readonly gradient: number[];
  readonly means: number[];
}

function answerOf(simd: string | null, input: object): Answer {
  const text = JSON.stringify({ file: join(nativeFolder, 'leash_learner_cpu.node'), ...input }, (_, v: unknown) =>
    ArrayBuffer.isView(v) ? { kind: v.constructor.name, numbers: Array.from(v as Float32Array) } : v,
  );
  const env = { ...process.env, ...(simd === null ? {} : { LEASH_SIMD: simd }) };
  const { stdout, stderr, status } = spawnSync(process.execPath, ['-e', program], {
    input: text,
    encoding: 'utf8',
    env,
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Answer;
}

describe.each(['tanh', 'elu'] as const)('instruction sets, with %s', (activation) => {
  const network = { observationSize: 7, actionSize: 3, policyHidden: [70, 33], valueHidden: [64, 18], activation };
  const options = learnerOptions(addon, network, { mirror: smallMirror });
  fillParameters(options);
  const batch = sampleBatch(addon, options, 30, 5);
  const advantages = batch.rewards.slice();
  const input = { options, batch, advantages, returns: batch.terminalValues, settings: plainSettings };
  const best = answerOf(null, input);

  it.each(['avx2', 'baseline'])('%s gives the best one’s losses, gradients and actions up to rounding', (simd) => {
    const answer = answerOf(simd, input);
    // Where a processor lacks avx2 the baseline answers for it.
    expect([simd, 'baseline']).toContain(answer.simd);
    expect(answer.loss).toBeCloseTo(best.loss, 5);
    const scale = Math.max(...best.gradient.map(Math.abs));
    for (const [i, g] of best.gradient.entries()) expect(Math.abs(answer.gradient[i]! - g) / scale).toBeLessThan(1e-5);
    for (const [i, m] of best.means.entries()) expect(answer.means[i]).toBeCloseTo(m, 4);
  });
});
