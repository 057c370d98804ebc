import { Worker } from 'node:worker_threads';
import { entryUrl } from '../paths.ts';
import { UserError } from '../user_error.ts';
import type { EpisodeJob, EpisodeResult } from './episode.ts';
import type { EpisodeThreadData, FromThread, ToThread } from './episode_messages.ts';

/**
 * Runs episodes over threads, each taking the next one when it is free. Results come in the jobs' order and are the same
 * whatever the number of threads: an episode depends on its job alone.
 * @throws UserError when the policy cannot be used.
 */
export async function runEpisodes(
  data: EpisodeThreadData,
  jobs: readonly EpisodeJob[],
  threads: number,
  onDone: (done: number) => void = () => undefined,
): Promise<EpisodeResult[]> {
  const results: EpisodeResult[] = new Array<EpisodeResult>(jobs.length);
  const workers: Worker[] = [];
  let next = 0;
  let done = 0;
  try {
    await new Promise<void>((resolve, reject) => {
      const count = Math.max(1, Math.min(threads, jobs.length));
      for (let i = 0; i < count; i++) {
        const worker = new Worker(entryUrl('worker/evaluation/episode_thread'), { workerData: data });
        workers.push(worker);
        const post = (message: ToThread): void => worker.postMessage(message);
        const giveNext = (): void => {
          if (next >= jobs.length) return;
          post({ type: 'run', index: next, job: jobs[next]! });
          next++;
        };
        worker.on('message', (message: FromThread) => {
          if (message.type === 'failed') return reject(message.forPeople ? new UserError(message.message) : new Error(message.message));
          if (message.type === 'done') {
            results[message.index] = message.result;
            done++;
            onDone(done);
            if (done === jobs.length) return resolve();
          }
          giveNext();
        });
        worker.on('error', reject);
        worker.on('exit', (code) => reject(new Error(`An evaluation thread ended by itself (exit code ${code}).`)));
      }
      if (jobs.length === 0) resolve();
    });
  } finally {
    await Promise.all(
      workers.map((worker) => {
        worker.removeAllListeners('exit');
        return worker.terminate();
      }),
    );
  }
  return results;
}
