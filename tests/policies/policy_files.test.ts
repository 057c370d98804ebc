import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readOnnxHeader } from '../../worker/formats/onnx_reader.ts';
import { loadPolicy } from '../../worker/policies/load_policy.ts';
import type { Policy } from '../../worker/policies/policy.ts';
import { policyFiles, type TrainedPolicy } from '../../worker/policies/policy_files.ts';
import { temporaryFolder } from '../temporary_folder.ts';
import { plainForward } from './plain_forward.ts';
import { randomObservations, randomPolicy, SIZE } from './random_policy.ts';

/** Writes a policy's two files and loads them again. */
async function written(policy: TrainedPolicy): Promise<Policy> {
  const folder = join(temporaryFolder(), 'policy');
  mkdirSync(folder);
  for (const [name, data] of policyFiles(policy)) writeFileSync(join(folder, name), data);
  const loaded = await loadPolicy(folder);
  onTestFinished(() => loaded.dispose());
  return loaded;
}

const N = 20;

describe.each(['tanh', 'elu'] as const)('policy.onnx with %s', (activation) => {
  it.each([true, false])('computes what the formulas give in float64, to 1e-5 (normalizer: %s)', async (normalize) => {
    const policy = randomPolicy(3, { activation, normalize });
    const loaded = await written(policy);
    const observations = randomObservations(5, N);
    const actions = await loaded.run(observations, N);
    let clipped = 0;
    for (let n = 0; n < N; n++) {
      const expected = plainForward(
        policy.network,
        policy.parameters,
        policy.layout,
        policy.normalizer,
        observations.subarray(n * SIZE, (n + 1) * SIZE),
      );
      for (let i = 0; i < 12; i++) expect(Math.abs(actions[n * 12 + i]! - expected[i]!)).toBeLessThan(1e-5);
      clipped += expected.filter((action) => Math.abs(action) === 1).length;
    }
    // Both sides of the last clip are met, or the comparison would say little.
    expect(clipped).toBeGreaterThan(0);
    expect(clipped).toBeLessThan(N * 12);
  });
});

it('gives a row of a batch and that row alone the same action, to 1e-6', async () => {
  const loaded = await written(randomPolicy(4));
  const observations = randomObservations(6, N);
  const batch = await loaded.run(observations, N);
  for (let n = 0; n < N; n++) {
    const one = await loaded.runOne(observations.subarray(n * SIZE, (n + 1) * SIZE));
    for (let i = 0; i < 12; i++) expect(Math.abs(one[i]! - batch[n * 12 + i]!)).toBeLessThan(1e-6);
  }
});

it('declares opset 17, IR 8, a dynamic batch and what the field looks for in the metadata', async () => {
  const files = policyFiles(randomPolicy(1));
  const header = readOnnxHeader(files.get('policy.onnx') as Uint8Array, 'policy.onnx');
  expect(header).toMatchObject({ opset: 17, irVersion: 8, producer: 'leash', externalFiles: [] });
  expect(header.metadata).toMatchObject({
    task: 'pupper-velocity-v1',
    observation_names: 'base_lin_vel,base_ang_vel,projected_gravity,command,joint_pos,joint_vel,last_action',
    action_scale: '0.5',
    default_joint_pos: '0.26,0,-0.52,-0.26,0,0.52,0.26,0,-0.52,-0.26,0,0.52',
    control_dt: '0.02',
    leash_version: '0.1.0',
    step: '1000',
  });
  expect(header.metadata['joint_names']).toMatch(/^leg_front_r_1,leg_front_r_2,/);
});

it('the same weights give the same bytes', () => {
  expect(policyFiles(randomPolicy(1))).toEqual(policyFiles(randomPolicy(1)));
});

it('policy.json says what the numbers mean', () => {
  const spec = JSON.parse(policyFiles(randomPolicy(1)).get('policy.json') as string) as Record<string, unknown>;
  expect(spec).toMatchObject({
    format: 1,
    task: 'pupper-velocity-v1',
    controlPeriod: 0.02,
    normalizer: { inGraph: true, epsilon: 1e-8, clip: 10, count: 1000 },
    hiddenState: null,
    network: { file: 'policy.onnx', input: 'obs', output: 'actions' },
    training: { leash: '0.1.0', step: 1000, seed: 1 },
  });
});

describe('is not written', () => {
  it('with a weight that is not a number', () => {
    const policy = randomPolicy(1);
    policy.parameters[policy.layout.find((tensor) => tensor.name === 'policy.1.weight')!.offset + 7] = Number.NaN;
    expect(() => policyFiles(policy)).toThrow('Parameter "policy.1.weight" holds a number that is not finite.');
  });

  it('with a normalizer that is not a number', () => {
    const policy = randomPolicy(1);
    policy.normalizer![SIZE] = Number.POSITIVE_INFINITY;
    expect(() => policyFiles(policy)).toThrow('The normalizer holds numbers that are not finite.');
  });

  it('with a spec for another number of observations', () => {
    const policy = randomPolicy(1);
    const spec = { ...policy.spec, observation: policy.spec.observation.slice(1) };
    expect(() => policyFiles({ ...policy, spec })).toThrow('The spec has 45 observations and 12 actions, but the network 48 and 12.');
  });
});

it('keeps its bytes when the learner goes on changing the shared parameters', () => {
  const policy = randomPolicy(1);
  const before = policyFiles(policy);
  const copy = Buffer.from(before.get('policy.onnx') as Uint8Array);
  policy.parameters.fill(0);
  expect(Buffer.compare(copy, before.get('policy.onnx') as Uint8Array)).toBe(0);
});
