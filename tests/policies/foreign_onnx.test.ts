import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadNetwork } from '../../worker/policies/onnx_network.ts';
import { policyFiles } from '../../worker/policies/policy_files.ts';
import { fixture } from '../reference.ts';
import { temporaryFolder } from '../temporary_folder.ts';
import { randomPolicy } from './random_policy.ts';

type Tensors = Record<string, number[][]>;
interface Expected {
  readonly file: string;
  readonly loads: boolean;
  readonly inputs: { readonly name: string; readonly shape: (number | string)[] }[];
  readonly tolerance: number;
  readonly calls: { readonly inputs: Tensors; readonly outputs: Tensors }[];
  readonly metadata_props: Record<string, string>;
}

const expectedOf = (path: string): Expected => {
  const { files } = JSON.parse(readFileSync(join(path, '..', 'expected.json'), 'utf8')) as { files: Expected[] };
  return files.find(({ file }) => path.endsWith(`/${file}`))!;
};

/** Every feed-forward network of the collection, by both of PyTorch's exporters, opset 11 to 20, float16 and external data. */
const feedForward = [
  'mlp_legacy_op11',
  'mlp_legacy_op17',
  'mlp_dynamo_op18',
  'mlp_dynamo_op20',
  'mlp_float16_weights',
  'mlp_float16_io',
  'mlp_external',
  'mlp_batch1',
  'mlp_dynamic',
  'mlp_playground_names',
  'mlp_extra_outputs',
  'metadata_base',
  'metadata_terms',
  'metadata_terms_bracketed',
  'metadata_history',
  'humanoid_29_joints',
];

describe.each(feedForward)('%s.onnx', (name) => {
  it("gives PyTorch's own outputs", async (context) => {
    const path = fixture(context, 'onnx', `${name}.onnx`);
    const { calls, tolerance, metadata_props: metadata } = expectedOf(path);
    const network = await loadNetwork(path);
    expect(network.metadata).toEqual(metadata);
    for (const call of calls) {
      const [observations] = Object.values(call.inputs) as [number[][]];
      const expected = (call.outputs['actions'] ?? Object.values(call.outputs)[0]!).flat();
      const actions = await network.run(Float32Array.from(observations.flat()), observations.length);
      expect(actions.length).toBe(expected.length);
      for (const [i, value] of expected.entries()) expect(Math.abs(actions[i]! - value)).toBeLessThan(tolerance);
    }
    await network.dispose();
  });
});

it('runs a batch through a network that takes one at a time', async (context) => {
  const path = fixture(context, 'onnx', 'mlp_batch1.onnx');
  const { calls } = expectedOf(path);
  const network = await loadNetwork(path);
  const rows = calls.map((call) => call.inputs['obs']![0]!);
  const actions = await network.run(Float32Array.from(rows.flat()), rows.length);
  const expected = calls.flatMap((call) => call.outputs['actions']!.flat());
  for (const [i, value] of expected.entries()) expect(Math.abs(actions[i]! - value)).toBeLessThan(1e-5);
  await network.dispose();
});

describe('refuses in one sentence', () => {
  const sentences: [string, RegExp][] = [
    [
      'bad_truncated',
      /bad_truncated\.onnx is damaged or was cut off while it was written or copied \(19871 bytes\); export or copy it again\.$/,
    ],
    ['bad_opset99', /bad_opset99\.onnx uses ONNX opset 99, but this ONNX Runtime knows up to \d+; export it again with opset 17\.$/],
    ['bad_ir99', /bad_ir99\.onnx has ONNX IR version 99, but this ONNX Runtime knows up to \d+; export it again with IR version 8\.$/],
    [
      'bad_external_missing',
      /bad_external_missing\.onnx keeps its weights in absent\.onnx\.data, which is not beside it; copy that file there too\.$/,
    ],
    ['bad_nan_weights', /bad_nan_weights\.onnx: action 0 is NaN, not a number; its weights are damaged/],
    ['gru_h', /gru_h\.onnx has 2 inputs \(obs, h_in\), and one is wanted; a network with a hidden state cannot be run yet\.$/],
    ['lstm_hc', /lstm_hc\.onnx has 3 inputs \(obs, h_in, c_in\)/],
  ];
  for (const [name, sentence] of sentences) {
    it(`${name}.onnx`, async (context) => {
      const error = await refusal(loadNetwork(fixture(context, 'onnx', `${name}.onnx`)));
      expect(error.name).toBe('UserError');
      expect(error.message).toMatch(sentence);
      expect(error.message).not.toContain('\n');
    });
  }

  it('a network for another robot, naming both sizes', async (context) => {
    const path = fixture(context, 'onnx', 'humanoid_29_joints.onnx');
    const inputs = await refusal(loadNetwork(path, { observationSize: 48, actionSize: 12 }));
    expect(inputs.message).toBe(`${path} takes 99 observations, but 48 are wanted; it is a policy for another robot or task.`);
    const outputs = await refusal(loadNetwork(path, { actionSize: 12 }));
    expect(outputs.message).toBe(`${path} gives 29 actions, but 12 are wanted; it is a policy for another robot or task.`);
  });

  it('external weights that were cut off', async (context) => {
    const folder = temporaryFolder();
    copyFileSync(fixture(context, 'onnx', 'mlp_external.onnx'), join(folder, 'mlp_external.onnx'));
    writeFileSync(
      join(folder, 'mlp_external.onnx.data'),
      readFileSync(fixture(context, 'onnx', 'mlp_external.onnx.data')).subarray(0, 1000),
    );
    const error = await refusal(loadNetwork(join(folder, 'mlp_external.onnx')));
    expect(error.message).toMatch(/mlp_external\.onnx is refused by ONNX Runtime \(.+\); export it again\.$/);
    expect(error.message).not.toContain('\n');
  });

  it.each([
    ['text', 'not a network\n', /is no ONNX file/],
    ['nothing', '', /is no ONNX file \(it holds no graph\)/],
  ])('a file of %s', async (_, content, sentence) => {
    const path = join(temporaryFolder(), 'policy.onnx');
    writeFileSync(path, content);
    expect((await refusal(loadNetwork(path))).message).toMatch(sentence);
  });

  it('a file that is not there', async () => {
    const path = join(temporaryFolder(), 'absent.onnx');
    expect((await refusal(loadNetwork(path))).message).toBe(`There is no file ${path}; check the path.`);
  });

  it('one of our own cut anywhere', async () => {
    const bytes = policyFiles(randomPolicy(1, { hidden: [4] })).get('policy.onnx') as Uint8Array;
    const path = join(temporaryFolder(), 'policy.onnx');
    for (let length = 0; length < bytes.length; length += 97) {
      writeFileSync(path, bytes.subarray(0, length));
      const error = await refusal(loadNetwork(path));
      expect(error.name).toBe('UserError');
      expect(error.message).not.toContain('\n');
    }
  });
});

async function refusal(loading: Promise<unknown>): Promise<Error> {
  const error: unknown = await loading.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error('It was not refused.');
  return error;
}
