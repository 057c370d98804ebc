import * as v from 'valibot';

/** policy.json: what a network's numbers mean. Lies beside the network file, and inside policy.onnx as metadata. */
export const POLICY_FORMAT = 1;

const numbers = v.pipe(v.array(v.number()), v.readonly());
const count = v.pipe(v.number(), v.integer(), v.minValue(1));
const range = v.pipe(v.tuple([v.number(), v.number()]), v.readonly());

const observationTerm = v.pipe(
  v.object({
    /** Of the task: `base_lin_vel`, `joint_pos`, … */
    name: v.string(),
    /** Which way of computing it where the task has several (`base_ang_vel`: `body` or `rotated`); null: the task's own. */
    variant: v.optional(v.nullable(v.string()), null),
    /** Numbers of one instant. */
    size: count,
    /** Factor before the network: one for all numbers, or one each. */
    scale: v.union([v.number(), numbers]),
    /** [low, high] applied before the scale; null: none. */
    clip: v.nullable(range),
    /** Instants, oldest first; 1: the present one alone. */
    history: count,
  }),
  v.readonly(),
);
export type ObservationTerm = v.InferOutput<typeof observationTerm>;

const actionSpec = v.pipe(
  v.object({
    size: count,
    /** Actuated joints, in order. */
    jointNames: v.pipe(v.array(v.string()), v.readonly()),
    /** Limits of an action before it is scaled. */
    clip: v.nullable(range),
    /** ctrl = offset + scale · action. rad for a position servo. */
    scale: v.union([v.number(), numbers]),
    /** [size] */
    offset: numbers,
    /** [size] limits of ctrl. */
    lower: v.nullable(numbers),
    upper: v.nullable(numbers),
  }),
  v.readonly(),
);
export type ActionSpec = v.InferOutput<typeof actionSpec>;

const normalizerSpec = v.pipe(
  v.object({
    /** True: the network file normalizes by itself and wants raw observations. */
    inGraph: v.boolean(),
    /** (x − mean)/√(variance + epsilon), then clipped to ± clip. */
    epsilon: v.number(),
    clip: v.number(),
    /** Observations that the mean and variance come from. */
    count: v.number(),
  }),
  v.readonly(),
);
export type NormalizerSpec = v.InferOutput<typeof normalizerSpec>;

export const policySpecSchema = v.pipe(
  v.object({
    format: v.number(),
    name: v.string(),
    /** For example `pupper-velocity-v1`. */
    task: v.string(),
    /** Seconds between two actions. */
    controlPeriod: v.pipe(v.number(), v.gtValue(0)),
    observation: v.pipe(v.array(observationTerm), v.minLength(1), v.readonly()),
    action: actionSpec,
    normalizer: v.nullable(normalizerSpec),
    /** Recurrent state; no policy of ours has one yet. */
    hiddenState: v.null(),
    network: v.pipe(
      v.object({
        /** File name in the same folder. */
        file: v.string(),
        /** Of that file, in hex; null in the copy inside the file itself. */
        sha256: v.nullable(v.string()),
        input: v.string(),
        output: v.string(),
      }),
      v.readonly(),
    ),
    /** Where it comes from; null for a policy made elsewhere. */
    training: v.nullable(v.pipe(v.object({ leash: v.string(), step: v.number(), seed: v.nullable(v.number()) }), v.readonly())),
  }),
  v.readonly(),
);
export type PolicySpec = v.InferOutput<typeof policySpecSchema>;

/** Numbers that the network takes: all terms with their histories. */
export function observationSize(spec: PolicySpec): number {
  return spec.observation.reduce((sum, term) => sum + term.size * term.history, 0);
}
