import { type NetworkSpec, NORMALIZER_CLIP, NORMALIZER_EPSILON, type ParameterTensor } from '../protocol/network.ts';
import { floatTensor, floatValue, model, node } from './onnx_messages.ts';

/** Opset 17 with IR 8: what every ONNX Runtime since 1.12 (2022) reads. */
export const ONNX_OPSET = 17;
export const ONNX_IR = 8;

export interface PolicyGraph {
  readonly network: NetworkSpec;
  /** Flat parameters [P]; only those named `policy.…` are written. */
  readonly parameters: Float32Array;
  readonly layout: readonly ParameterTensor[];
  /** [2·observationSize + 1] mean, variance, count, as the learner keeps them; null: observations are not normalized. */
  readonly normalizer: Float64Array | null;
  /** Observations are clipped to ± this before anything else; null: not at all. */
  readonly observationClip: number | null;
  /** Actions are clipped to ± this. */
  readonly actionClip: number;
  readonly inputName: string;
  readonly outputName: string;
  readonly producerVersion: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * A policy's mean action as an ONNX file: input [batch, observationSize] raw, output [batch, actionSize] clipped; the
 * normalizer is inside.
 * @throws RangeError naming the tensor when a parameter is missing, of another shape, or not finite.
 */
export function writePolicyOnnx(graph: PolicyGraph): Uint8Array {
  const { network } = graph;
  const nodes: Uint8Array[] = [];
  const initializers: Uint8Array[] = [];
  let last = graph.inputName;

  const constant = (name: string, shape: readonly number[], data: Float32Array): string => {
    initializers.push(floatTensor(name, shape, data));
    return name;
  };
  const apply = (operator: string, others: readonly string[], output: string, attributes?: Parameters<typeof node>[3]): void => {
    nodes.push(node(operator, [last, ...others], output, attributes));
    last = output;
  };
  const clip = (limit: number, output: string): void => {
    const bounds = [constant(`${output}_low`, [], Float32Array.of(-limit)), constant(`${output}_high`, [], Float32Array.of(limit))];
    apply('Clip', bounds, output);
  };

  if (graph.observationClip !== null) clip(graph.observationClip, 'clipped');
  if (graph.normalizer) {
    const { mean, deviation } = normalizerConstants(graph.normalizer, network.observationSize);
    apply('Sub', [constant('normalizer_mean', [network.observationSize], mean)], 'centred');
    apply('Div', [constant('normalizer_deviation', [network.observationSize], deviation)], 'scaled');
    clip(NORMALIZER_CLIP, 'normalized');
  }
  const widths = [network.observationSize, ...network.policyHidden, network.actionSize];
  for (let layer = 0; layer + 1 < widths.length; layer++) {
    const weight = parameter(graph, `policy.${layer}.weight`, [widths[layer + 1]!, widths[layer]!]);
    const bias = parameter(graph, `policy.${layer}.bias`, [widths[layer + 1]!]);
    const names = [constant(`policy.${layer}.weight`, weight.shape, weight.data), constant(`policy.${layer}.bias`, bias.shape, bias.data)];
    apply('Gemm', names, `policy.${layer}`, { integers: { transB: 1 } });
    if (layer + 2 < widths.length) {
      if (network.activation === 'tanh') apply('Tanh', [], `policy.${layer}.tanh`);
      else apply('Elu', [], `policy.${layer}.elu`, { floats: { alpha: 1 } });
    }
  }
  clip(graph.actionClip, graph.outputName);

  return model(
    { irVersion: ONNX_IR, opset: ONNX_OPSET, producer: 'leash', producerVersion: graph.producerVersion, metadata: graph.metadata },
    {
      name: 'policy',
      nodes,
      initializers,
      inputs: [floatValue(graph.inputName, ['batch', network.observationSize])],
      outputs: [floatValue(graph.outputName, ['batch', network.actionSize])],
    },
  );
}

function normalizerConstants(normalizer: Float64Array, size: number): { mean: Float32Array; deviation: Float32Array } {
  if (normalizer.length !== 2 * size + 1)
    throw new RangeError(`A normalizer of ${size} numbers has ${2 * size + 1} entries, not ${normalizer.length}.`);
  const mean = Float32Array.from(normalizer.subarray(0, size));
  const deviation = Float32Array.from(normalizer.subarray(size, 2 * size), (variance) => Math.sqrt(variance + NORMALIZER_EPSILON));
  if (!mean.every(Number.isFinite) || !deviation.every(Number.isFinite))
    throw new RangeError('The normalizer holds numbers that are not finite.');
  return { mean, deviation };
}

function parameter(graph: PolicyGraph, name: string, shape: readonly number[]): { shape: readonly number[]; data: Float32Array } {
  const found = graph.layout.find((tensor) => tensor.name === name);
  if (!found) throw new RangeError(`The network has no parameter "${name}".`);
  if (found.shape.join() !== shape.join())
    throw new RangeError(`Parameter "${name}" is [${found.shape.join(', ')}], but the network needs [${shape.join(', ')}].`);
  // A copy: the learner's vector may lie in shared memory and change.
  const data = Float32Array.from(
    graph.parameters.subarray(found.offset, found.offset + shape.reduce((product, size) => product * size, 1)),
  );
  if (!data.every(Number.isFinite)) throw new RangeError(`Parameter "${name}" holds a number that is not finite.`);
  return { shape, data };
}
