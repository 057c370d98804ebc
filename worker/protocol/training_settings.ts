import * as v from 'valibot';

/** Hyper-parameters of a run as run_config.json holds them; worker/training/settings.ts says what each one means. */

const counts = v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(1))), v.readonly());
const count = v.pipe(v.number(), v.integer(), v.minValue(1));
const probability = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
/** Constant, or piecewise linear through [environment step, value] points. */
const schedule = v.union([
  v.number(),
  v.pipe(v.array(v.pipe(v.tuple([v.number(), v.number()]), v.readonly())), v.minLength(1), v.readonly()),
]);

export const trainingSettingsSchema = v.strictObject({
  preset: v.string(),
  network: v.strictObject({
    policyHidden: counts,
    valueHidden: counts,
    activation: v.picklist(['tanh', 'elu']),
    normalizeObservations: v.boolean(),
    initialLogStd: v.number(),
    minLogStd: v.number(),
    maxLogStd: v.number(),
  }),
  rollout: v.strictObject({ environments: count, steps: count }),
  ppo: v.strictObject({
    gamma: v.number(),
    lambda: v.number(),
    epochs: count,
    minibatchSize: count,
    learningRate: schedule,
    adaptiveRate: v.nullable(v.strictObject({ targetKl: v.number(), min: schedule, max: schedule })),
    clipRange: v.number(),
    valueCoefficient: v.number(),
    entropyCoefficient: schedule,
    maxGradientNorm: v.number(),
    normalizeAdvantages: v.boolean(),
    targetKl: v.nullable(v.number()),
    mirror: v.boolean(),
  }),
  reward: v.strictObject({ weights: v.record(v.string(), schedule), linearKernel: schedule, yawKernel: schedule }),
  commands: v.strictObject({
    zeroProbability: probability,
    lowSpeedProbability: probability,
    singleAxisProbability: probability,
    resampleSeconds: v.nullable(v.number()),
  }),
});
