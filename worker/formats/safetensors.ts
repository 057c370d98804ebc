import { readFileSync } from 'node:fs';
import { UserError } from '../user_error.ts';

/**
 * The safetensors format: eight bytes of header length (little-endian), a JSON header, then the tensors without gaps.
 * @see https://huggingface.co/docs/safetensors
 */

const WIDTH = { F64: 8, F32: 4, F16: 2, BF16: 2, I64: 8, I32: 4, I16: 2, I8: 1, U64: 8, U32: 4, U16: 2, U8: 1, BOOL: 1 } as const;
export type DataType = keyof typeof WIDTH;

/** F16 and BF16 are kept as their bits in a Uint16Array, BOOL as 0 and 1 in a Uint8Array. */
export type TensorData =
  | Float64Array
  | Float32Array
  | BigInt64Array
  | Int32Array
  | Int16Array
  | Int8Array
  | BigUint64Array
  | Uint32Array
  | Uint16Array
  | Uint8Array;

export interface Tensor {
  readonly dataType: DataType;
  readonly shape: readonly number[];
  /** Row-major. */
  readonly data: TensorData;
}

export interface Safetensors {
  /** What to call it in messages. */
  readonly name: string;
  readonly tensors: ReadonlyMap<string, Tensor>;
  readonly metadata: Readonly<Record<string, string>>;
}

const VIEWS = {
  F64: Float64Array,
  F32: Float32Array,
  F16: Uint16Array,
  BF16: Uint16Array,
  I64: BigInt64Array,
  I32: Int32Array,
  I16: Int16Array,
  I8: Int8Array,
  U64: BigUint64Array,
  U32: Uint32Array,
  U16: Uint16Array,
  U8: Uint8Array,
  BOOL: Uint8Array,
} as const;

/** The data type that an array's own type means (Uint16Array: U16, Uint8Array: U8). */
function dataTypeOf(data: TensorData): DataType {
  const found = (Object.keys(VIEWS) as DataType[]).find((type) => type !== 'F16' && type !== 'BF16' && data instanceof VIEWS[type]);
  if (!found) throw new TypeError('Not a typed array that safetensors can hold.');
  return found;
}

/**
 * A tensor over an array (not copied).
 * @param shape [data.length] if left out
 * @throws RangeError when shape and length disagree.
 */
export function tensor(data: TensorData, shape: readonly number[] = [data.length]): Tensor {
  if (count(shape) !== data.length)
    throw new RangeError(`A tensor of shape [${shape.join(', ')}] has ${count(shape)} numbers, not ${data.length}.`);
  return { dataType: dataTypeOf(data), shape, data };
}

const count = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);

/** The file's bytes. Wider types come first, so that every tensor starts at a multiple of its width. */
export function encodeSafetensors(tensors: Readonly<Record<string, Tensor>>, metadata: Readonly<Record<string, string>> = {}): Uint8Array {
  const header: Record<string, unknown> = Object.keys(metadata).length > 0 ? { __metadata__: metadata } : {};
  const ordered = Object.entries(tensors).toSorted(([, a], [, b]) => WIDTH[b.dataType] - WIDTH[a.dataType]);
  let end = 0;
  for (const [name, { dataType, shape, data }] of ordered) {
    header[name] = { dtype: dataType, shape, data_offsets: [end, end + data.byteLength] };
    end += data.byteLength;
  }
  const json = Buffer.from(JSON.stringify(header));
  const headerLength = Math.ceil(json.length / 8) * 8;
  const bytes = Buffer.alloc(8 + headerLength + end, ' ');
  bytes.writeBigUInt64LE(BigInt(headerLength));
  json.copy(bytes, 8);
  let at = 8 + headerLength;
  for (const [, { data }] of ordered) {
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    at += data.byteLength;
  }
  return bytes;
}

/** @throws UserError in one sentence when the file is no safetensors, torn or inconsistent. */
export function readSafetensors(path: string): Safetensors {
  return decodeSafetensors(readFileSync(path), path);
}

/**
 * @param name what to call it in messages, usually the path
 * @throws UserError in one sentence when the bytes are no safetensors, torn or inconsistent.
 */
export function decodeSafetensors(bytes: Uint8Array, name: string): Safetensors {
  const { header, body } = splitHeader(bytes, name);
  const tensors = new Map<string, Tensor>();
  const entries: Entry[] = [];
  let metadata: Record<string, string> = {};
  for (const [key, value] of Object.entries(header)) {
    if (key === '__metadata__') metadata = checkMetadata(value, name);
    else entries.push(checkEntry(key, value, name));
  }
  checkLayout(entries, body.length, name);
  for (const { key, dataType, shape, from, to } of entries) {
    // Copied, because a view must start at a multiple of its width.
    const copy = body.slice(from, to);
    tensors.set(key, { dataType, shape, data: new VIEWS[dataType](copy.buffer, copy.byteOffset, count(shape)) });
  }
  return { name, tensors, metadata };
}

type ArrayOf<T extends DataType> = InstanceType<(typeof VIEWS)[T]>;

/**
 * One tensor of a known type and shape.
 * @throws UserError naming what is there instead.
 */
export function tensorOf<T extends DataType>(file: Safetensors, key: string, dataType: T, shape: readonly number[]): ArrayOf<T> {
  const found = file.tensors.get(key);
  const wanted = `${dataType} [${shape.join(', ')}]`;
  if (!found) throw new UserError(`${file.name}: has no tensor "${key}" (${wanted}); it is not the file that is wanted here.`);
  const there = `${found.dataType} [${found.shape.join(', ')}]`;
  if (there !== wanted)
    throw new UserError(
      `${file.name}: tensor "${key}" is ${there}, but ${wanted} is wanted; the file belongs to something of another shape.`,
    );
  return found.data as ArrayOf<T>;
}

interface Entry {
  readonly key: string;
  readonly dataType: DataType;
  readonly shape: readonly number[];
  readonly from: number;
  readonly to: number;
}

const broken = (name: string, what: string): UserError =>
  new UserError(`${name}: ${what}; the file is damaged or no safetensors file, take it from a backup.`);

function splitHeader(bytes: Uint8Array, name: string): { header: Record<string, unknown>; body: Uint8Array } {
  if (bytes.length < 8) throw broken(name, `only ${bytes.length} bytes long`);
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  if (length > bytes.length - 8) throw broken(name, `its header should take ${length} bytes, but ${bytes.length - 8} are there`);
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(8, 8 + length)));
  } catch {
    throw broken(name, 'its header is no JSON');
  }
  if (!isObject(header)) throw broken(name, 'its header is no JSON object');
  return { header, body: bytes.subarray(8 + length) };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isSize = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

function checkMetadata(value: unknown, name: string): Record<string, string> {
  if (!isObject(value) || !Object.values(value).every((text) => typeof text === 'string'))
    throw broken(name, 'its metadata is no table of strings');
  return value as Record<string, string>;
}

function checkEntry(key: string, value: unknown, name: string): Entry {
  if (!isObject(value)) throw broken(name, `tensor "${key}" has no description`);
  const { dtype, shape, data_offsets: offsets } = value;
  if (typeof dtype !== 'string' || !Object.hasOwn(WIDTH, dtype))
    throw broken(name, `tensor "${key}" has the unknown type ${String(dtype)}`);
  if (!Array.isArray(shape) || !shape.every(isSize)) throw broken(name, `tensor "${key}" has no valid shape`);
  if (!Array.isArray(offsets) || offsets.length !== 2 || !offsets.every(isSize)) throw broken(name, `tensor "${key}" has no valid offsets`);
  const dataType = dtype as DataType;
  const [from, to] = offsets as [number, number];
  const wanted = count(shape) * WIDTH[dataType];
  if (to - from !== wanted)
    throw broken(name, `tensor "${key}" (${dataType} [${shape.join(', ')}]) needs ${wanted} bytes, but its offsets span ${to - from}`);
  return { key, dataType, shape, from, to };
}

function checkLayout(entries: Entry[], length: number, name: string): void {
  let end = 0;
  for (const { key, from, to } of entries.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    if (from !== end) throw broken(name, `tensor "${key}" starts at byte ${from}, but the one before ends at ${end}`);
    end = to;
  }
  if (end > length)
    throw broken(name, `its tensors need ${end} bytes, but only ${length} are there (cut off while it was written or copied)`);
  if (end < length) throw broken(name, `its tensors end at byte ${end}, but ${length} bytes are there`);
}
