import { createHash } from 'node:crypto';
import * as ort from 'onnxruntime-node';
import { fromHalf, toHalf } from '../formats/half_float.ts';
import { UserError } from '../user_error.ts';
import { openSession } from './onnx_session.ts';

/** A feed-forward network from a file: observations in, actions out, whatever its tensors' type and batch. */
export interface Network {
  readonly path: string;
  readonly observationSize: number;
  readonly actionSize: number;
  readonly metadata: Readonly<Record<string, string>>;
  /** Of the file, in hex. */
  readonly sha256: string;
  /**
   * @param observations [n, observationSize] as the file wants them
   * @returns [n, actionSize]; a new array
   * @throws UserError when an action is not a finite number.
   */
  run(observations: Float32Array, n: number): Promise<Float32Array>;
  dispose(): Promise<void>;
}

export interface NetworkOptions {
  /** Threads of one run; 1 if left out. */
  readonly threads?: number;
  /** What it must have, where that is known. */
  readonly observationSize?: number;
  readonly actionSize?: number;
  /** Names of the tensors; needed only where there are several. */
  readonly input?: string;
  readonly output?: string;
}

/** @throws UserError in one sentence when the file cannot be run or has another shape than wanted. */
export async function loadNetwork(path: string, options: NetworkOptions = {}): Promise<Network> {
  const { session, header, bytes } = await openSession(path, options.threads ?? 1);
  const input = onlyTensor(path, 'input', session.inputMetadata, options.input);
  const output = onlyTensor(path, 'output', session.outputMetadata, options.output ?? 'actions');
  const observationSize = width(path, input, options.observationSize, 'observations');
  const fixedBatch = typeof input.shape[0] === 'number' ? input.shape[0] : null;
  if (fixedBatch !== null && fixedBatch !== 1)
    throw new UserError(`${path} takes only batches of ${fixedBatch}; export it with a batch of 1 or a dynamic one.`);

  const call = async (observations: Float32Array, n: number): Promise<Float32Array> => {
    const feeds = { [input.name]: inputTensor(input, observations, [n, observationSize]) };
    const tensors = await session.run(feeds, [output.name]);
    return asFloats(tensors[output.name]!);
  };
  const run = async (observations: Float32Array, n: number): Promise<Float32Array> => {
    const actions = fixedBatch === 1 && n !== 1 ? await oneByOne(call, observations, n) : await call(observations, n);
    refuseNotFinite(path, actions);
    return actions;
  };
  // One call now finds a wrong output width and damaged weights before anything is simulated.
  const first = await run(new Float32Array(observationSize), 1);
  if (options.actionSize !== undefined && first.length !== options.actionSize) {
    throw new UserError(
      `${path} gives ${first.length} actions, but ${options.actionSize} are wanted; it is a policy for another robot or task.`,
    );
  }
  return {
    path,
    observationSize,
    actionSize: first.length,
    metadata: header.metadata,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    run,
    dispose: () => session.release(),
  };
}

type TensorMetadata = Extract<ort.InferenceSession.ValueMetadata, { readonly isTensor: true }>;

/** The tensor of that name, or the only one there is. */
function onlyTensor(
  path: string,
  kind: 'input' | 'output',
  all: readonly ort.InferenceSession.ValueMetadata[],
  wanted: string | undefined,
): TensorMetadata {
  const found = all.find((value) => value.name === wanted) ?? (all.length === 1 ? all[0] : undefined);
  const names = all.map((value) => value.name).join(', ');
  if (!found) {
    const why = kind === 'input' ? 'a network with a hidden state cannot be run yet' : 'name the one with the actions "actions"';
    throw new UserError(`${path} has ${all.length} ${kind}s (${names}), and one is wanted; ${why}.`);
  }
  if (!found.isTensor || (found.type !== 'float32' && found.type !== 'float16')) {
    throw new UserError(
      `${path}: ${kind} "${found.name}" is ${found.isTensor ? found.type : 'no tensor'}, and float32 or float16 is wanted; export it again.`,
    );
  }
  return found;
}

function width(path: string, input: TensorMetadata, wanted: number | undefined, what: string): number {
  const { name, shape } = input;
  const size = shape[1];
  if (shape.length !== 2)
    throw new UserError(`${path}: input "${name}" is [${shape.join(', ')}], and [batch, ${wanted ?? 'size'}] is wanted.`);
  if (typeof size === 'number') {
    if (wanted !== undefined && size !== wanted) {
      throw new UserError(`${path} takes ${size} ${what}, but ${wanted} are wanted; it is a policy for another robot or task.`);
    }
    return size;
  }
  if (wanted === undefined)
    throw new UserError(`${path}: input "${name}" does not say how many ${what} it takes; put a policy.json beside it.`);
  return wanted;
}

async function oneByOne(
  call: (row: Float32Array, n: number) => Promise<Float32Array>,
  observations: Float32Array,
  n: number,
): Promise<Float32Array> {
  const size = observations.length / n;
  const rows: Float32Array[] = [];
  for (let i = 0; i < n; i++) rows.push(await call(observations.subarray(i * size, (i + 1) * size), 1));
  const actions = new Float32Array(rows.reduce((sum, row) => sum + row.length, 0));
  let at = 0;
  for (const row of rows) {
    actions.set(row, at);
    at += row.length;
  }
  return actions;
}

function inputTensor(input: TensorMetadata, values: Float32Array, shape: readonly number[]): ort.Tensor {
  if (input.type === 'float32') return new ort.Tensor('float32', values, shape);
  return new ort.Tensor('float16', Uint16Array.from(values, toHalf), shape);
}

function asFloats(tensor: ort.Tensor): Float32Array {
  const { data } = tensor;
  if (data instanceof Float32Array) return data;
  const bits = data as Uint16Array;
  return Float32Array.from(new Uint16Array(bits.buffer, bits.byteOffset, bits.length), fromHalf);
}

function refuseNotFinite(path: string, actions: Float32Array): void {
  const at = actions.findIndex((value) => !Number.isFinite(value));
  if (at === -1) return;
  throw new UserError(
    `${path}: action ${at} is ${actions[at]}, not a number; its weights are damaged or it was given what it never saw in training.`,
  );
}
