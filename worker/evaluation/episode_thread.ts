/** An evaluation thread's entry: its own engine and policy; runs the episodes that it is given. */
import { parentPort, workerData } from 'node:worker_threads';
import { openEngine } from '../physics/open_engine.ts';
import { PupperEnvironment } from '../tasks/pupper/environment.ts';
import { loadPupper } from '../tasks/pupper/model.ts';
import { UserError } from '../user_error.ts';
import { openController } from './controllers.ts';
import { runEpisode } from './episode.ts';
import type { EpisodeThreadData, FromThread, ToThread } from './episode_messages.ts';

const port = parentPort;
if (!port) throw new Error('episode_thread is started by the episode pool, not by itself.');
const say = (message: FromThread): void => port.postMessage(message);
const fail = (error: unknown): void =>
  say({ type: 'failed', message: error instanceof Error ? error.message : String(error), forPeople: error instanceof UserError });

try {
  const data = workerData as EpisodeThreadData;
  const { controller, angularVelocity } = await openController(data.controller);
  const pupper = loadPupper(await openEngine(data.engine));
  const environment = new PupperEnvironment(pupper, { angularVelocity, episodeSteps: Number.POSITIVE_INFINITY });
  port.on('message', (message: ToThread) => {
    if (message.type === 'stop') return port.close();
    runEpisode(environment, controller, message.job).then((result) => say({ type: 'done', index: message.index, result }), fail);
  });
  say({ type: 'ready' });
} catch (error) {
  fail(error);
}
