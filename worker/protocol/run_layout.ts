/** Names inside a run directory. */
export const RUN_FILES = {
  config: 'run_config.json',
  status: 'status.json',
  metrics: 'metrics.jsonl',
  control: 'control.json',
  checkpoints: 'checkpoints',
  superseded: 'superseded',
  /** A link to the folder of the newest policy. */
  latest: 'latest',
  tensorboard: 'tensorboard',
  summary: 'summary.json',
} as const;

/** Names inside a checkpoint; the folder of a policy has the first two. */
export const CHECKPOINT_FILES = { policy: 'policy.onnx', spec: 'policy.json', learner: 'learner.safetensors' } as const;
