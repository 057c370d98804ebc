/** A rollout thread's entry: its own engine, its share of the environments, the policy in the loop. */
import { parentPort, workerData } from 'node:worker_threads';
import { openEngine } from '../physics/open_engine.ts';
import { loadLearnerAddon } from './learner_addon.ts';
import { openRollout } from './rollout.ts';
import type { FromThread, RolloutThreadData, ToThread } from './rollout_messages.ts';
import { trainingTask } from './training_tasks.ts';

const port = parentPort;
if (!port) throw new Error('rollout_thread is started by the rollout pool, not by itself.');
const say = (message: FromThread): void => port.postMessage(message);

try {
  const data = workerData as RolloutThreadData;
  const rollout = openRollout(data, await openEngine(data.engine), loadLearnerAddon(), trainingTask(data.task));
  port.on('message', (message: ToThread) => {
    if (message.type === 'stop') {
      rollout.dispose();
      port.close();
      return;
    }
    try {
      say({ type: 'collected', finished: rollout.collect() });
    } catch (error) {
      say({ type: 'failed', message: describe(error) });
    }
  });
  say({ type: 'ready' });
} catch (error) {
  say({ type: 'failed', message: describe(error) });
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
