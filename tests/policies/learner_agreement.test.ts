import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadPolicy } from '../../worker/policies/load_policy.ts';
import { policyFiles } from '../../worker/policies/policy_files.ts';
import { loadLearnerAddon } from '../../worker/training/learner_addon.ts';
import { temporaryFolder } from '../temporary_folder.ts';
import { randomObservations, randomPolicy, SIZE } from './random_policy.ts';

const N = 64;

describe.each(['tanh', 'elu'] as const)('with %s', (activation) => {
  it.each([true, false])('policy.onnx acts as the learner does, to 1e-5 (normalizer: %s)', async (normalize) => {
    const policy = randomPolicy(9, { activation, normalize, hidden: [256, 256] });
    const addon = loadLearnerAddon();
    expect(addon.parameterLayout(policy.network)).toEqual(policy.layout);
    const actor = new addon.Actor({
      network: policy.network,
      parameters: policy.parameters,
      normalizer: policy.normalizer ?? new Float64Array(2 * SIZE + 1),
      normalizeObservations: normalize,
      seed: 1,
      minLogStd: -3,
      maxLogStd: 1,
    });
    actor.refresh();
    // The task itself clips observations to ±100; the learner is given them as the task does.
    const observations = randomObservations(11, N).map((value) => Math.min(Math.max(value, -100), 100));
    const means = new Float32Array(N * 12);
    actor.mean(observations, means);
    actor.dispose();

    const folder = join(temporaryFolder(), 'policy');
    mkdirSync(folder);
    for (const [name, data] of policyFiles(policy)) writeFileSync(join(folder, name), data);
    const loaded = await loadPolicy(folder);
    const actions = await loaded.run(observations, N);
    await loaded.dispose();
    for (let i = 0; i < means.length; i++) expect(Math.abs(actions[i]! - Math.min(Math.max(means[i]!, -1), 1))).toBeLessThan(1e-5);
    expect(new Set(actions).size).toBeGreaterThan(100);
  });
});
