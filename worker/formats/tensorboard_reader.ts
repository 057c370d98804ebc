import { readFileSync } from 'node:fs';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { decodeRecords } from './tfrecord.ts';

/** One value of one tag. Stored as float32. */
export interface ScalarPoint {
  readonly step: number;
  readonly value: number;
  /** Seconds since 1970. */
  readonly wallTime: number;
}

export interface TensorboardFile {
  /** In the order of the file, which need not be that of the steps. Steps that a restart voided are left out. */
  readonly scalars: ReadonlyMap<string, readonly ScalarPoint[]>;
  /** Steps that a restart recorded here goes on from; earlier files of the folder are void from there on. */
  readonly restarts: readonly number[];
  /** Byte from which nothing can be read, because a record is cut off or damaged; null: the file is whole. */
  readonly brokenAt: number | null;
}

/** Reads the scalars of one event file, simple values and those of the scalars plugin; other kinds are passed over. */
export function readTensorboard(path: string): TensorboardFile {
  const { records, brokenAt } = decodeRecords(readFileSync(path));
  const scalars = new Map<string, ScalarPoint[]>();
  const restarts: number[] = [];
  for (const record of records) {
    const event = readEvent(record);
    if (event.isStart) {
      restarts.push(event.step);
      for (const [tag, points] of scalars)
        scalars.set(
          tag,
          points.filter((point) => point.step < event.step),
        );
    }
    for (const { tag, value } of event.values) {
      const points = scalars.get(tag) ?? [];
      points.push({ step: event.step, value, wallTime: event.wallTime });
      scalars.set(tag, points);
    }
  }
  return { scalars, restarts, brokenAt };
}

interface Event {
  step: number;
  wallTime: number;
  isStart: boolean;
  values: { tag: string; value: number }[];
}

type Field = (reader: BinaryReader, wireType: WireType) => void;

/** Walks a message; fields without a reader are skipped. */
function eachField(bytes: Uint8Array, fields: Readonly<Record<number, Field>>): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    const read = fields[number];
    if (read) read(reader, wireType);
    else reader.skip(wireType, number);
  }
}

/** Event: wall_time 1, step 2, summary 5, session_log 7. */
function readEvent(bytes: Uint8Array): Event {
  const event: Event = { step: 0, wallTime: 0, isStart: false, values: [] };
  eachField(bytes, {
    1: (reader) => (event.wallTime = reader.double()),
    2: (reader) => (event.step = Number(reader.int64())),
    5: (reader) => eachField(reader.bytes(), { 1: (summary) => pushScalar(summary.bytes(), event.values) }),
    7: (reader) => eachField(reader.bytes(), { 1: (log) => (event.isStart = log.int32() === 1) }),
  });
  return event;
}

/** Summary.Value: tag 1, simple_value 2, tensor 8, metadata 9. */
function pushScalar(bytes: Uint8Array, values: Event['values']): void {
  let tag = '';
  let simple: number | null = null;
  let tensor: number | null = null;
  let plugin = '';
  eachField(bytes, {
    1: (reader) => (tag = reader.string()),
    2: (reader) => (simple = reader.float()),
    8: (reader) => (tensor = readScalarTensor(reader.bytes())),
    9: (reader) => eachField(reader.bytes(), { 1: (data) => eachField(data.bytes(), { 1: (name) => (plugin = name.string()) }) }),
  });
  const value = simple ?? (plugin === 'scalars' ? tensor : null);
  if (value !== null) values.push({ tag, value });
}

/** DataType of TensorFlow's types.proto. */
const DT_FLOAT = 1;
const DT_DOUBLE = 2;

/** TensorProto of one number: dtype 1, tensor_content 4, float_val 5, double_val 6; null where it is of another type. */
function readScalarTensor(bytes: Uint8Array): number | null {
  let type = DT_FLOAT;
  let content = new Uint8Array(0);
  let value: number | null = null;
  const numbers =
    (read: (reader: BinaryReader) => number): Field =>
    (reader, wireType) => {
      value = read(wireType === WireType.LengthDelimited ? new BinaryReader(reader.bytes()) : reader);
    };
  eachField(bytes, {
    1: (reader) => (type = reader.int32()),
    4: (reader) => (content = Uint8Array.from(reader.bytes())),
    5: numbers((reader) => reader.float()),
    6: numbers((reader) => reader.double()),
  });
  if (value !== null) return value;
  const view = new DataView(content.buffer);
  if (type === DT_FLOAT && content.length === 4) return view.getFloat32(0, true);
  return type === DT_DOUBLE && content.length === 8 ? view.getFloat64(0, true) : null;
}
