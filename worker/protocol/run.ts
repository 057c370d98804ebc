import * as v from 'valibot';
import { policySpecSchema } from './policy.ts';
import { trainingSettingsSchema } from './training_settings.ts';

/** The files of a run directory. The trainer writes them; the app, the command line and people read the same ones. */

/** Layout version of all of them; goes up when an older Leash could misread one. */
export const RUN_FORMAT = 1;

const format = v.number();
const step = v.pipe(v.number(), v.integer(), v.minValue(0));
const isoTime = v.pipe(v.string(), v.isoTimestamp());

/** run_config.json: all that decides what a run learns, and what it ran on. Never changes once written. */
export const runConfigSchema = v.object({
  format,
  created: isoTime,
  /** Of the directory, for people. */
  name: v.string(),
  versions: v.object({ leash: v.string(), mujoco: v.string(), node: v.string() }),
  engine: v.picklist(['native', 'wasm']),
  /** SHA-256 of what the model's physics depends on; a run goes on only where it is the same. */
  modelHash: v.string(),
  /** What the command line calls it: `pupper`. */
  task: v.string(),
  /** Observation and action as the policy will declare them. */
  policy: v.object({
    task: v.string(),
    controlPeriod: policySpecSchema.entries.controlPeriod,
    observation: policySpecSchema.entries.observation,
    action: policySpecSchema.entries.action,
  }),
  /** The task's own weights, by term; what the run changes is in settings.reward. */
  rewardWeights: v.record(v.string(), v.number()),
  settings: trainingSettingsSchema,
  seed: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** Environment steps that were asked for at first; a resume may go on further. */
  steps: step,
  checkpointEvery: step,
  threads: v.object({ rollout: step, learner: step }),
  /** `cpu` or `hip:0`. */
  device: v.string(),
  /** SIMD of the learner, for example `avx512f`; null on a GPU. */
  simd: v.nullable(v.string()),
  gpuName: v.nullable(v.string()),
  hipVersion: v.nullable(v.string()),
  /** Where the weights came from when the run began; null: from scratch. */
  parentCheckpoint: v.nullable(v.string()),
});
export type RunConfig = v.InferOutput<typeof runConfigSchema>;

export const RUN_STATES = ['queued', 'running', 'paused', 'finished', 'failed', 'stopped'] as const;

/** status.json: replaced as a whole at each change and heartbeat. */
export const runStatusSchema = v.object({
  format,
  state: v.picklist(RUN_STATES),
  pid: v.number(),
  /** When it was last known to be at work. */
  heartbeat: isoTime,
  step,
  /** Environment steps at which it will stop. */
  totalSteps: step,
  /** One sentence where it failed or was stopped; else null. */
  why: v.nullable(v.string()),
});
export type RunStatus = v.InferOutput<typeof runStatusSchema>;
export type RunState = RunStatus['state'];

/** control.json: what people want of a run, as a wish that stands rather than an event, so that none is lost or done twice. */
export const runControlSchema = v.object({
  format,
  wish: v.picklist(['run', 'pause', 'stop']),
  /** Goes up by one for each checkpoint that someone asked for. */
  checkpointRequests: step,
});
export type RunControl = v.InferOutput<typeof runControlSchema>;

/** One line of metrics.jsonl: an iteration. Tags as Stable-Baselines3 names them; null: not a finite number. */
export const metricsLineSchema = v.objectWithRest({ step: v.number() }, v.nullable(v.number()));
export interface MetricsLine {
  /** Environment steps of the run so far. */
  step: number;
  [tag: string]: number | null;
}

/** summary.json: written when a run ends. */
export const runSummarySchema = v.object({
  format,
  state: v.picklist(RUN_STATES),
  why: v.nullable(v.string()),
  step,
  iterations: step,
  /** Seconds trained, over all its processes. */
  elapsed: v.number(),
  stepsPerSecond: v.number(),
  /** Name of its last checkpoint; null: it has none. */
  checkpoint: v.nullable(v.string()),
  /** The last line of metrics.jsonl. */
  lastMetrics: v.nullable(metricsLineSchema),
});
export type RunSummary = v.InferOutput<typeof runSummarySchema>;
