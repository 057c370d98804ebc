import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadPolicy } from '../../worker/policies/load_policy.ts';
import { policyFiles } from '../../worker/policies/policy_files.ts';
import type { PolicySpec } from '../../worker/protocol/policy.ts';
import { createRun, type RunDirectory } from '../../worker/training/run_directory.ts';
import { fixture } from '../reference.ts';
import { temporaryFolder } from '../temporary_folder.ts';
import { exampleConfig } from '../training/example_config.ts';
import { type RandomPolicyOptions, randomPolicy, SIZE } from './random_policy.ts';

const small: RandomPolicyOptions = { hidden: [8] };

/** A folder with policy.onnx and policy.json. */
function policyFolder(seed = 1, options: RandomPolicyOptions = small): string {
  const folder = join(temporaryFolder(), 'walk');
  mkdirSync(folder);
  for (const [name, data] of policyFiles(randomPolicy(seed, options))) writeFileSync(join(folder, name), data);
  return folder;
}

async function actionsOf(path: string, spec?: PolicySpec): Promise<number[]> {
  const policy = await loadPolicy(path, spec ? { spec } : {});
  const actions = await policy.runOne(new Float32Array(SIZE).fill(0.3));
  await policy.dispose();
  return [...actions];
}

async function sentence(path: string, spec?: PolicySpec): Promise<string> {
  const error: unknown = await actionsOf(path, spec).then(
    () => new Error('It was not refused.'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error('Something else than an error was thrown.');
  expect(error.name).toBe('UserError');
  expect(error.message).not.toContain('\n');
  return error.message;
}

/** Changes policy.json. */
function edit(folder: string, change: (spec: Record<string, unknown>) => void): void {
  const spec = JSON.parse(readFileSync(join(folder, 'policy.json'), 'utf8')) as Record<string, unknown>;
  change(spec);
  writeFileSync(join(folder, 'policy.json'), JSON.stringify(spec));
}

describe('the same policy comes', () => {
  it('from its folder, either file, a link, and the .onnx file alone', async () => {
    const folder = policyFolder();
    const expected = await actionsOf(folder);
    expect(await actionsOf(join(folder, 'policy.json'))).toEqual(expected);
    expect(await actionsOf(join(folder, 'policy.onnx'))).toEqual(expected);
    symlinkSync('walk', join(folder, '..', 'latest'));
    expect(await actionsOf(join(folder, '..', 'latest'))).toEqual(expected);
    rmSync(join(folder, 'policy.json'));
    expect(await actionsOf(join(folder, 'policy.onnx'))).toEqual(expected);
    expect(await actionsOf(folder)).toEqual(expected);
  });

  it('with its spec', async () => {
    const policy = await loadPolicy(policyFolder(7));
    const { spec, sha256 } = policy;
    expect(spec.task).toBe('pupper-velocity-v1');
    expect(spec.observation.map(({ name }) => name).at(-1)).toBe('last_action');
    expect(spec.observation[1]).toMatchObject({ name: 'base_ang_vel', variant: 'body' });
    expect(spec.training).toEqual({ leash: '0.1.0', step: 1000, seed: 7 });
    expect(sha256).toBe(spec.network.sha256);
    await policy.dispose();
  });
});

describe('of a run', () => {
  const newRun = (): RunDirectory => {
    const run = createRun(join(temporaryFolder(), 'walk'), exampleConfig);
    onTestFinished(() => run.release());
    return run;
  };

  it('the newest policy is taken, published or in a checkpoint', async () => {
    const run = newRun();
    for (const step of [1, 2, 3]) {
      const files = policyFiles(randomPolicy(step, { ...small, step }));
      if (step === 2) run.writeCheckpoint(step, files);
      else run.publishPolicy(step, files);
      const policy = await loadPolicy(run.path);
      expect(policy.spec.training?.step).toBe(step);
      await policy.dispose();
    }
    expect(await actionsOf(join(run.path, 'checkpoints', '000000000002'))).toEqual(await actionsOf(policyFolder(2, { ...small, step: 2 })));
  });

  it('a policy can be loaded while the trainer replaces it', async () => {
    const run = newRun();
    const versions = [1, 2, 3].map((step) => policyFiles(randomPolicy(step, small)));
    run.publishPolicy(0, versions[0]!);
    let step = 0;
    // Publishes whenever the loader gives up the thread: older policies are dropped under it.
    const publishing = setInterval(() => {
      for (let i = 0; i < 3; i++) run.publishPolicy(++step, versions[step % 3]!);
    }, 0);
    onTestFinished(() => clearInterval(publishing));
    for (let i = 0; i < 20; i++) await (await loadPolicy(run.path)).dispose();
    expect(step).toBeGreaterThan(20);
  });

  it('that keeps a policy beside its config, that policy is taken', async () => {
    const folder = policyFolder(3);
    writeFileSync(join(folder, 'run_config.json'), '{}');
    expect((await actionsOf(folder)).length).toBe(12);
  });
});

it('takes a foreign file with the spec given', async (context) => {
  const folder = policyFolder();
  const policy = await loadPolicy(folder);
  await policy.dispose();
  const { spec } = policy;
  const path = fixture(context, 'onnx', 'mlp_playground_names.onnx');
  expect((await actionsOf(path, spec)).length).toBe(12);
  expect(await sentence(fixture(context, 'onnx', 'humanoid_29_joints.onnx'), spec)).toMatch(/takes 99 observations, but 48 are wanted/);
});

describe('refuses in one sentence', () => {
  it('a path where nothing is', async () => {
    expect(await sentence('no/such/policy')).toBe('There is no policy at no/such/policy: no such file or folder; check the path.');
  });

  it('a folder without a policy', async () => {
    const folder = temporaryFolder();
    expect(await sentence(folder)).toBe(
      `There is no policy in ${folder}: it has neither policy.json nor policy.onnx; give a run directory, a checkpoint, a policy folder or an .onnx file.`,
    );
  });

  it('a run that has none yet', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'run_config.json'), '{}');
    expect(await sentence(folder)).toBe(`The run ${folder} has no policy yet; wait for its first checkpoint.`);
  });

  it('a policy.json whose network is missing', async () => {
    const folder = policyFolder();
    rmSync(join(folder, 'policy.onnx'));
    expect(await sentence(folder)).toBe(`There is no file ${join(folder, 'policy.onnx')}; check the path.`);
  });

  it('a policy.json from a newer Leash', async () => {
    const folder = policyFolder();
    edit(folder, (spec) => Object.assign(spec, { format: 2, observation: 'something new' }));
    expect(await sentence(folder)).toBe(
      `${join(folder, 'policy.json')} was written by a newer Leash (its format is 2, this one knows up to 1); update Leash to read it.`,
    );
  });

  it('a policy.json with a wrong entry, naming it', async () => {
    const folder = policyFolder();
    edit(folder, (spec) => Object.assign((spec['observation'] as object[])[2]!, { size: 'three' }));
    expect(await sentence(folder)).toMatch(/policy\.json is not valid at "observation\.2\.size": .*Expected number but received "three"/);
  });

  it('a policy.json that was cut off', async () => {
    const folder = policyFolder();
    const text = readFileSync(join(folder, 'policy.json'), 'utf8');
    writeFileSync(join(folder, 'policy.json'), text.slice(0, 200));
    expect(await sentence(folder)).toBe(`${join(folder, 'policy.json')} is no JSON (damaged or cut off); take it from a backup.`);
  });

  it('a network that another policy.json belongs to', async () => {
    const folder = policyFolder(1);
    cpSync(join(policyFolder(2), 'policy.onnx'), join(folder, 'policy.onnx'));
    expect(await sentence(folder)).toBe(
      `${join(folder, 'policy.onnx')} is not the file that ${join(folder, 'policy.json')} was written for (their checksums differ); copy both from the same place.`,
    );
  });

  it('a spec of another size than the network', async () => {
    const folder = policyFolder();
    edit(folder, (spec) => {
      spec['observation'] = (spec['observation'] as object[]).slice(1);
    });
    expect(await sentence(folder)).toMatch(/takes 48 observations, but 45 are wanted/);
  });

  it('an .onnx file that does not say what its numbers mean', async (context) => {
    const path = fixture(context, 'onnx', 'mlp_legacy_op17.onnx');
    expect(await sentence(path)).toBe(`${path} does not say what its 48 observations and 12 actions mean; put a policy.json beside it.`);
  });
});
