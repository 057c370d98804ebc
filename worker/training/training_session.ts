import { openEngine } from '../physics/open_engine.ts';
import type { MetricsLine, RunState } from '../protocol/run.ts';
import { UserError } from '../user_error.ts';
import { noProgress, type Progress, restoreCheckpoint } from './checkpoint.ts';
import { withEpisodes } from './episode_statistics.ts';
import { metricsLine } from './iteration_metrics.ts';
import type { Learner, LearnerState, UpdateStats } from './learner.ts';
import { loadLearnerAddon } from './learner_addon.ts';
import { layoutOf, networkOf } from './network_spec.ts';
import { writeReward } from './reward_schedule.ts';
import { allocateRollout, type SharedRollout } from './rollout_buffers.ts';
import { startRolloutPool } from './rollout_pool.ts';
import { cutRunAfter, type RunDirectory } from './run_directory.ts';
import { listCheckpoints } from './run_files.ts';
import { openRunWriter } from './run_writer.ts';
import { trainingTask } from './training_tasks.ts';
import { updateSettingsAt } from './update_settings.ts';

export interface SessionOptions {
  /** Environment steps at which to stop. */
  readonly totalSteps: number;
  /** Go on from the run's newest checkpoint instead of from scratch. */
  readonly resume: boolean;
  /** Called after each iteration. */
  readonly onIteration: (line: MetricsLine) => void;
  /** Called after each iteration with what is wrong with control.json, or null. */
  readonly onProblem: (problem: string | null) => void;
  /** Polled after each iteration: true ends the run with a checkpoint. */
  readonly interrupted: () => boolean;
}

export interface Ending {
  readonly state: Extract<RunState, 'finished' | 'stopped'>;
  readonly step: number;
  /** Folder of the last checkpoint. */
  readonly checkpoint: string;
}

const PAUSE_POLL_MS = 200;

/**
 * Trains a run in its directory until its steps are made, it is stopped, or it fails. Files of one iteration are written
 * while the threads simulate the next.
 * @throws UserError with the last good checkpoint named, when an update breaks down or the disk is full; status.json then
 *   says `failed` and why.
 */
export async function trainSession(run: RunDirectory, options: SessionOptions): Promise<Ending> {
  const session = await openSession(run, options);
  try {
    return await session.train();
  } catch (error) {
    session.fail(error);
    throw error;
  } finally {
    await session.close();
  }
}

interface Session {
  train(): Promise<Ending>;
  fail(error: unknown): void;
  close(): Promise<void>;
}

async function openSession(run: RunDirectory, options: SessionOptions): Promise<Session> {
  const { config } = run;
  const { settings } = config;
  const task = trainingTask(config.task);
  const addon = loadLearnerAddon();
  const network = networkOf(task, settings.network);
  const { layout, count } = layoutOf(addon, network);
  const engine = await openEngine(config.engine);
  const terms = Object.keys(task.rewardWeights);
  const shared = allocateRollout({
    steps: settings.rollout.steps,
    environments: settings.rollout.environments,
    observationSize: task.observationSize,
    actionSize: task.actionSize,
    rewardTerms: terms.length,
    stateSize: task.stateSize(engine),
    parameters: count,
  });
  const learner: Learner = new addon.Learner({
    network,
    ...shared.network,
    normalizeObservations: settings.network.normalizeObservations,
    threads: config.threads.learner,
    seed: config.seed,
    initialLogStd: settings.network.initialLogStd,
    minLogStd: settings.network.minLogStd,
    maxLogStd: settings.network.maxLogStd,
    mirror: settings.ppo.mirror ? task.mirror : null,
  });

  const { progress: restored, optimizer } = options.resume
    ? restore(run, shared, options.totalSteps)
    : { progress: noProgress, optimizer: null };
  if (optimizer) {
    learner.importState(optimizer);
    cutRunAfter(run, restored.step);
  }
  const writer = openRunWriter({
    run,
    shared,
    network,
    layout,
    totalSteps: options.totalSteps,
    resumedAt: optimizer ? restored.step : null,
  });
  const pool = await startRolloutPool(
    { engine: config.engine, task: config.task, settings, network, seed: config.seed, shared, restore: options.resume },
    config.threads.rollout,
  );

  const batchSize = settings.rollout.steps * settings.rollout.environments;
  let progress: Progress = restored;
  let servedRequests = 0;

  async function iterate(): Promise<void> {
    const started = performance.now();
    writeReward(settings.reward, task.rewardWeights, progress.step, shared.reward);
    const collecting = pool.collect();
    try {
      writer.flush();
    } catch (error) {
      await collecting.catch(() => undefined);
      throw error;
    }
    const finished = await collecting;
    const collected = performance.now();
    const ppo = updateSettingsAt(settings.ppo, progress.step);
    const stats = await learner.update(shared.batch, ppo);
    const ended = performance.now();
    if (stats.notFinite !== null) throw brokeDown(stats, run, progress.step);
    const before = progress.step;
    progress = {
      step: before + batchSize,
      iteration: progress.iteration + 1,
      elapsed: progress.elapsed + (ended - started) / 1e3,
      epochs: progress.epochs + stats.epochsDone,
      window: withEpisodes(progress.window, finished),
    };
    const line = metricsLine({
      ...progress,
      rolloutSeconds: (collected - started) / 1e3,
      updateSeconds: (ended - collected) / 1e3,
      batchSize,
      stats,
      ppo,
      rewardTerms: termMeans(shared, terms, batchSize),
    });
    writer.planIteration(line);
    const every = config.checkpointEvery;
    if (Math.floor(progress.step / every) > Math.floor(before / every)) writer.planCheckpoint(progress, learner.exportState());
    else writer.planPolicy(progress);
    options.onIteration(line);
  }

  /** Serves what people asked for in control.json; returns whether the run is to stop. */
  async function serveControl(): Promise<boolean> {
    for (let paused = false; ; paused = true) {
      const { control, problem } = run.pollControl();
      options.onProblem(problem);
      if (control.checkpointRequests > servedRequests) {
        servedRequests = control.checkpointRequests;
        writer.planCheckpoint(progress, learner.exportState());
      }
      if (control.wish === 'stop' || options.interrupted()) return true;
      if (control.wish === 'run') return false;
      if (!paused) writer.planCheckpoint(progress, learner.exportState());
      writer.flush();
      writer.status('paused', progress.step, 'paused by control.json');
      await new Promise((resolve) => setTimeout(resolve, PAUSE_POLL_MS));
    }
  }

  return {
    async train() {
      writer.status('running', progress.step);
      let stopped = false;
      while (progress.step < options.totalSteps && !stopped) {
        await iterate();
        stopped = await serveControl();
      }
      writer.planCheckpoint(progress, learner.exportState());
      writer.flush();
      const state = progress.step >= options.totalSteps ? 'finished' : 'stopped';
      const why = state === 'stopped' ? (options.interrupted() ? 'interrupted' : 'stopped by control.json') : null;
      writer.summary(state, progress, why);
      writer.status(state, progress.step, why);
      return { state, step: progress.step, checkpoint: writer.lastCheckpoint()! };
    },
    fail(error) {
      const why = error instanceof Error ? error.message : String(error);
      try {
        writer.status('failed', progress.step, why);
        writer.summary('failed', progress, why);
      } catch {
        // The disk that made the run fail may refuse this too; the error itself reaches the person, and the lock of a dead
        // process tells readers that the run is over.
      }
    },
    async close() {
      await pool.stop().catch(() => undefined);
      learner.dispose();
      writer.close();
    },
  };
}

/** The run's newest checkpoint, restored into the shared buffers. */
function restore(run: RunDirectory, shared: SharedRollout, totalSteps: number): { progress: Progress; optimizer: LearnerState } {
  const newest = listCheckpoints(run.path).at(-1);
  if (!newest) throw new UserError(`${run.path} has no checkpoint to go on from; start it anew in another --out.`);
  const { learner, progress } = restoreCheckpoint(newest.path, shared);
  if (progress.step >= totalSteps) {
    throw new UserError(
      `${run.path} has made ${progress.step} steps already; say how far it shall go on, such as --steps ${2 * progress.step}.`,
    );
  }
  return { progress, optimizer: learner };
}

function brokeDown(stats: UpdateStats, run: RunDirectory, step: number): UserError {
  const last = listCheckpoints(run.path).at(-1);
  const mend = last
    ? `the last good checkpoint is ${last.path}; go on from it by --resume ${run.path}`
    : 'it has no checkpoint yet; start anew with a smaller learning rate';
  return new UserError(`The update after step ${step} broke down (${stats.notFinite} is not a finite number); ${mend}.`);
}

function termMeans(shared: SharedRollout, terms: readonly string[], batchSize: number): Record<string, number> {
  return Object.fromEntries(
    terms.map((term, k) => {
      let sum = 0;
      for (let n = 0; n < shared.shape.environments; n++) sum += shared.termSums[n * terms.length + k]!;
      return [term, sum / batchSize];
    }),
  );
}
