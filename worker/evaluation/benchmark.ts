import type { EngineKind } from '../physics/engine.ts';
import type { EpisodeJob, EpisodeResult } from './episode.ts';
import type { ControllerChoice } from './episode_messages.ts';
import { runEpisodes } from './episode_pool.ts';
import { BENCHMARK_STEPS, PROTOCOL, SCENARIO_NAMES, SCENARIOS, SEEDS } from './protocol.ts';
import { type BenchmarkSummary, summarize } from './score.ts';

export interface EvaluationOptions {
  readonly engine: EngineKind;
  readonly threads: number;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface BenchmarkResult extends BenchmarkSummary {
  readonly protocol: string;
  readonly episodes: readonly EpisodeResult[];
}

/** The fixed benchmark's 15 episodes, in order. */
export const benchmarkJobs: readonly EpisodeJob[] = SCENARIO_NAMES.flatMap((scenario) =>
  SEEDS.map((seed) => ({ scenario, seed, command: SCENARIOS[scenario], steps: BENCHMARK_STEPS, settleSteps: 100 })),
);

/** Runs `pupper-fixed-v1`: a deterministic policy, 10 s, three seeds for each of five commands. */
export async function runBenchmark(controller: ControllerChoice, options: EvaluationOptions): Promise<BenchmarkResult> {
  const { engine, threads, onProgress } = options;
  const episodes = await runEpisodes({ engine, controller }, benchmarkJobs, threads, (done) => onProgress?.(done, benchmarkJobs.length));
  return { protocol: PROTOCOL, ...summarize(episodes), episodes };
}
