import { join } from 'node:path';
import type { FileData } from '../formats/atomic_file.ts';
import { openTensorboard } from '../formats/tensorboard_writer.ts';
import { policyFiles } from '../policies/policy_files.ts';
import type { MetricsLine, RunState } from '../protocol/run.ts';
import { encodeCheckpoint, type Progress } from './checkpoint.ts';
import type { LearnerState, NetworkSpec, ParameterTensor } from './learner.ts';
import type { SharedRollout } from './rollout_buffers.ts';
import type { RunDirectory } from './run_directory.ts';
import { CHECKPOINT_FILES, listCheckpoints, RUN_FILES } from './run_files.ts';

/** Seconds between two policies in `latest/`, at least. */
const PUBLISH_SECONDS = 2;

export interface WriterOptions {
  readonly run: RunDirectory;
  readonly shared: SharedRollout;
  readonly network: NetworkSpec;
  readonly layout: readonly ParameterTensor[];
  readonly totalSteps: number;
  /** Step that the run goes on from; null for a new one. */
  readonly resumedAt: number | null;
}

/**
 * What a training writes. An iteration's files are planned when it ends and written by {@link flush} while the threads
 * simulate the next: simulation never waits for the disk.
 */
export interface RunWriter {
  /** The line of metrics.jsonl, the TensorBoard scalars, the status. */
  planIteration(line: MetricsLine): void;
  /** A checkpoint of all as it stands now. */
  planCheckpoint(progress: Progress, learner: LearnerState): void;
  /** The policy as `latest`, unless one was written a moment ago. */
  planPolicy(progress: Progress): void;
  /** @throws UserError when the disk is full. */
  flush(): void;
  /** Folder of the last checkpoint that this process wrote; null before the first. */
  lastCheckpoint(): string | null;
  status(state: RunState, step: number, why?: string | null): void;
  summary(state: RunState, progress: Progress, why: string | null): void;
  close(): void;
}

export function openRunWriter(options: WriterOptions): RunWriter {
  const { run, shared, network, layout, totalSteps } = options;
  const { config } = run;
  const tensorboard = openTensorboard(join(run.path, RUN_FILES.tensorboard), options.resumedAt);
  let pending: (() => void)[] = [];
  let publishedAt = Number.NEGATIVE_INFINITY;
  let checkpoint: string | null = null;
  let lastLine: MetricsLine | null = null;

  /** Parameters and normalizer rest while the threads simulate, so this may run then. */
  const policy = (step: number): Map<string, FileData> =>
    policyFiles({
      name: config.name,
      spec: config.policy,
      network,
      parameters: shared.network.parameters,
      layout,
      normalizer: config.settings.network.normalizeObservations ? shared.network.normalizer : null,
      training: { leash: config.versions.leash, step, seed: config.seed },
    });
  const writer: RunWriter = {
    planIteration(line) {
      lastLine = line;
      pending.push(() => {
        run.metrics.append(line);
        const { step, ...scalars } = line;
        tensorboard.scalars(step, scalars);
        writer.status('running', step);
      });
    },
    planCheckpoint(progress, learner) {
      // The environments' states change with the next rollout: they are taken now.
      const state = encodeCheckpoint(shared, learner, progress);
      pending.push(() => {
        checkpoint = run.writeCheckpoint(progress.step, policy(progress.step).set(CHECKPOINT_FILES.learner, state));
      });
    },
    planPolicy({ step }) {
      if (performance.now() - publishedAt < 1e3 * PUBLISH_SECONDS) return;
      publishedAt = performance.now();
      pending.push(() => run.publishPolicy(step, policy(step)));
    },
    flush() {
      const work = pending;
      pending = [];
      for (const write of work) write();
    },
    lastCheckpoint: () => checkpoint,
    status: (state, step, why = null) => run.writeStatus({ state, step, totalSteps, why }),
    summary(state, progress, why) {
      run.writeSummary({
        state,
        why,
        step: progress.step,
        iterations: progress.iteration,
        elapsed: progress.elapsed,
        stepsPerSecond: progress.elapsed > 0 ? progress.step / progress.elapsed : 0,
        checkpoint: listCheckpoints(run.path).at(-1)?.name ?? null,
        lastMetrics: lastLine,
      });
    },
    close: () => tensorboard.close(),
  };
  return writer;
}
