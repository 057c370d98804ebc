import { Worker } from 'node:worker_threads';

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/**
 * Simulates on `threads` threads at once with random actions of deviation `noise`.
 * @returns ratio: bare mj_step time / the task's time, median of all episodes; stepsPerSecond: control steps with the task, all threads
 */
export async function simulationRate(kind, threads, { episodes, steps, noise }) {
  const parts = await Promise.all(
    Array.from({ length: threads }, (_, i) => {
      const worker = new Worker(new URL('./simulation_thread.mjs', import.meta.url), {
        workerData: { kind, episodes, steps, noise, seed: i + 1 },
      });
      return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    }),
  );
  return { ratio: median(parts.flatMap((part) => part.ratios)), stepsPerSecond: parts.reduce((sum, part) => sum + part.stepsPerSecond, 0) };
}
