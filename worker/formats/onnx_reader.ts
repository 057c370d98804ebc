import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { UserError } from '../user_error.ts';

/** What an .onnx file says of itself, without running it; ONNX Runtime's JavaScript side does not tell these. */
export interface OnnxHeader {
  readonly irVersion: number;
  /** Of the default domain. */
  readonly opset: number;
  readonly producer: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Files with weights that must lie beside it. */
  readonly externalFiles: readonly string[];
}

/**
 * Field numbers: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
 * @param name what to call it in messages
 * @throws UserError when the bytes are no ONNX model or were cut off.
 */
export function readOnnxHeader(bytes: Uint8Array, name: string): OnnxHeader {
  const header = { irVersion: 0, opset: 0, producer: '', metadata: {} as Record<string, string>, externalFiles: new Set<string>() };
  let hasGraph = false;
  try {
    eachField(bytes, {
      1: (reader) => (header.irVersion = Number(reader.int64())),
      2: (reader) => (header.producer = reader.string()),
      7: (reader) => {
        hasGraph = true;
        eachField(reader.bytes(), { 5: (initializer) => readExternal(initializer.bytes(), header.externalFiles) });
      },
      8: (reader) => {
        const { key, number } = readPair(reader.bytes());
        if (key === '' || key === 'ai.onnx') header.opset = number;
      },
      14: (reader) => {
        const { key, text } = readPair(reader.bytes());
        header.metadata[key] = text;
      },
    });
  } catch (error) {
    const what = hasGraph || header.irVersion > 0 ? 'is damaged or was cut off while it was written or copied' : 'is no ONNX file';
    throw new UserError(`${name} ${what} (${bytes.length} bytes); export or copy it again.`, { cause: error });
  }
  if (!hasGraph || header.irVersion === 0)
    throw new UserError(`${name} is no ONNX file (it holds no graph); give an .onnx file that a network was exported to.`);
  return { ...header, externalFiles: [...header.externalFiles] };
}

type FieldReaders = Readonly<Record<number, (reader: BinaryReader) => void>>;

/** Walks a message's fields; those without a reader are skipped. @throws where the bytes are no such message. */
function eachField(bytes: Uint8Array, readers: FieldReaders): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    const read = readers[field];
    if (read) read(reader);
    else reader.skip(wireType, field);
  }
}

/** StringStringEntryProto or OperatorSetIdProto: a name, and a text or a number. */
function readPair(bytes: Uint8Array): { key: string; text: string; number: number } {
  const pair = { key: '', text: '', number: 0 };
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === 1) pair.key = reader.string();
    else if (field === 2 && wireType === WireType.Varint) pair.number = Number(reader.int64());
    else if (field === 2) pair.text = reader.string();
    else reader.skip(wireType, field);
  }
  return pair;
}

/** TensorProto.external_data: where a tensor's numbers lie in another file. */
function readExternal(tensor: Uint8Array, files: Set<string>): void {
  eachField(tensor, {
    13: (reader) => {
      const { key, text } = readPair(reader.bytes());
      if (key === 'location') files.add(text);
    },
  });
}
