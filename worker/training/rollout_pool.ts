import { Worker } from 'node:worker_threads';
import { entryUrl } from '../paths.ts';
import type { FinishedEpisode } from './episode_statistics.ts';
import { share } from './rollout_buffers.ts';
import type { FromThread, RolloutThreadData, ToThread } from './rollout_messages.ts';

export interface RolloutPool {
  /**
   * Makes one rollout with the network as it stands in the shared buffers. Resolves when every thread has filled its columns.
   * @throws when a thread fails; the pool is then of no more use.
   */
  collect(): Promise<FinishedEpisode[]>;
  stop(): Promise<void>;
}

/** Starts the rollout threads, each with an engine of its own, and waits until their environments stand. */
export async function startRolloutPool(data: Omit<RolloutThreadData, 'from' | 'to'>, threads: number): Promise<RolloutPool> {
  const count = Math.min(threads, data.shared.shape.environments);
  const members = Array.from({ length: count }, (_, index) => {
    const { from, to } = share(data.shared.shape.environments, count, index);
    return startThread({ ...data, from, to });
  });
  await Promise.all(members.map((member) => member.ready));
  return {
    async collect() {
      const parts = await Promise.all(members.map((member) => member.collect()));
      return parts.flat();
    },
    async stop() {
      await Promise.all(members.map((member) => member.stop()));
    },
  };
}

interface ThreadHandle {
  readonly ready: Promise<void>;
  collect(): Promise<FinishedEpisode[]>;
  stop(): Promise<void>;
}

function startThread(data: RolloutThreadData): ThreadHandle {
  const worker = new Worker(entryUrl('worker/training/rollout_thread'), { workerData: data });
  const post = (message: ToThread): void => worker.postMessage(message);
  let settle: { resolve: (message: FromThread) => void; reject: (error: Error) => void } | null = null;
  let failure: Error | null = null;
  const fail = (error: Error): void => {
    failure ??= error;
    settle?.reject(failure);
    settle = null;
  };
  worker.on('message', (message: FromThread) => {
    if (message.type === 'failed') return fail(new Error(message.message));
    settle?.resolve(message);
    settle = null;
  });
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`A rollout thread ended by itself (exit code ${code}).`)));
  const next = (): Promise<FromThread> =>
    new Promise((resolve, reject) => {
      if (failure) reject(failure);
      else settle = { resolve, reject };
    });
  return {
    ready: next().then(() => undefined),
    async collect() {
      const answer = next();
      post({ type: 'collect' });
      const message = await answer;
      return message.type === 'collected' ? message.finished : [];
    },
    async stop() {
      worker.removeAllListeners('exit');
      if (failure) return void (await worker.terminate());
      const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      post({ type: 'stop' });
      await ended;
    },
  };
}
