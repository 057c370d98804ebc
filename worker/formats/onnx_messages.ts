import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/**
 * Builders for the ONNX messages that a feed-forward policy needs; each returns one message's bytes.
 * Field numbers: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
 */

type Message = Uint8Array;
const { LengthDelimited, Varint, Bit32 } = WireType;

/** A dimension is a size, or the name of one that is only known when the network runs. */
export type Dimension = number | string;

/** TensorProto: float32, row-major. */
export function floatTensor(name: string, shape: readonly number[], data: Float32Array): Message {
  const writer = new BinaryWriter();
  for (const size of shape) writer.tag(1, Varint).int64(size);
  writer.tag(2, Varint).int32(1);
  writer.tag(8, LengthDelimited).string(name);
  return writer
    .tag(9, LengthDelimited)
    .bytes(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    .finish();
}

/** ValueInfoProto: a float32 input or output of the graph. */
export function floatValue(name: string, shape: readonly Dimension[]): Message {
  const dimensions = new BinaryWriter();
  for (const size of shape) {
    dimensions.tag(1, LengthDelimited).fork();
    if (typeof size === 'number') dimensions.tag(1, Varint).int64(size);
    else dimensions.tag(2, LengthDelimited).string(size);
    dimensions.join();
  }
  const tensorType = new BinaryWriter().tag(1, Varint).int32(1).tag(2, LengthDelimited).bytes(dimensions.finish()).finish();
  const type = new BinaryWriter().tag(1, LengthDelimited).bytes(tensorType).finish();
  return new BinaryWriter().tag(1, LengthDelimited).string(name).tag(2, LengthDelimited).bytes(type).finish();
}

/** NodeProto. Attributes are floats, or integers where their name is in `integers`. */
export function node(
  operator: string,
  inputs: readonly string[],
  output: string,
  attributes: { readonly floats?: Readonly<Record<string, number>>; readonly integers?: Readonly<Record<string, number>> } = {},
): Message {
  const writer = new BinaryWriter();
  for (const input of inputs) writer.tag(1, LengthDelimited).string(input);
  writer.tag(2, LengthDelimited).string(output);
  writer.tag(3, LengthDelimited).string(output);
  writer.tag(4, LengthDelimited).string(operator);
  for (const [name, value] of Object.entries(attributes.floats ?? {})) {
    writer.tag(5, LengthDelimited).fork().tag(1, LengthDelimited).string(name).tag(2, Bit32).float(value).tag(20, Varint).int32(1).join();
  }
  for (const [name, value] of Object.entries(attributes.integers ?? {})) {
    writer.tag(5, LengthDelimited).fork().tag(1, LengthDelimited).string(name).tag(3, Varint).int64(value).tag(20, Varint).int32(2).join();
  }
  return writer.finish();
}

export interface Graph {
  readonly name: string;
  readonly nodes: readonly Message[];
  readonly initializers: readonly Message[];
  readonly inputs: readonly Message[];
  readonly outputs: readonly Message[];
}

export interface ModelHeader {
  readonly irVersion: number;
  /** Of the default domain. */
  readonly opset: number;
  readonly producer: string;
  readonly producerVersion: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** ModelProto: the content of an .onnx file. */
export function model(header: ModelHeader, graph: Graph): Uint8Array {
  const writer = new BinaryWriter();
  writer.tag(1, Varint).int64(header.irVersion);
  writer.tag(2, LengthDelimited).string(header.producer);
  writer.tag(3, LengthDelimited).string(header.producerVersion);
  writer.tag(8, LengthDelimited).fork().tag(1, LengthDelimited).string('').tag(2, Varint).int64(header.opset).join();
  for (const [key, value] of Object.entries(header.metadata)) {
    writer.tag(14, LengthDelimited).fork().tag(1, LengthDelimited).string(key).tag(2, LengthDelimited).string(value).join();
  }
  // Last, so that a file cut off anywhere ends inside this message and is known to be cut.
  writer.tag(7, LengthDelimited).bytes(graphMessage(graph));
  return writer.finish();
}

function graphMessage(graph: Graph): Message {
  const writer = new BinaryWriter();
  for (const message of graph.nodes) writer.tag(1, LengthDelimited).bytes(message);
  writer.tag(2, LengthDelimited).string(graph.name);
  for (const message of graph.initializers) writer.tag(5, LengthDelimited).bytes(message);
  for (const message of graph.inputs) writer.tag(11, LengthDelimited).bytes(message);
  for (const message of graph.outputs) writer.tag(12, LengthDelimited).bytes(message);
  return writer.finish();
}
