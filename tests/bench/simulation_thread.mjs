// One thread of the simulation benches: times the task's environment against bare physics, episode by episode.
import { parentPort, workerData } from 'node:worker_threads';
import { openEngine } from '../../dist/worker/physics/open_engine.js';
import { numpyRandom } from '../../dist/worker/tasks/numpy_random.js';
import { PupperEnvironment } from '../../dist/worker/tasks/pupper/environment.js';
import { loadPupper } from '../../dist/worker/tasks/pupper/model.js';

const { kind, episodes, steps, noise, seed } = workerData;
const pupper = loadPupper(await openEngine(kind));
const environment = new PupperEnvironment(pupper);
const bare = pupper.model.newSimulation();
const random = numpyRandom(seed);
const state = new Float64Array(pupper.model.sizes.nstate);

/** Gaussian actions, as those of a policy that has learned nothing yet. */
const actions = Float32Array.from(
  { length: 12 * steps },
  () => noise * Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random()),
);
const ctrls = new Float64Array(12 * steps);
const recorded = { observations: new Float32Array(48 * steps), actions: new Float32Array(12 * steps), rewards: new Float32Array(steps) };

/** An episode as training makes it: reset, observation, reward, termination, and a copy of everything. Seconds. */
function withTask(episodeSeed) {
  const start = performance.now();
  environment.reset(numpyRandom(episodeSeed));
  environment.simulation.getState(state);
  let length = 0;
  while (length < steps && !environment.terminated) {
    recorded.observations.set(environment.observation, 48 * length);
    environment.step(actions, 12 * length);
    for (let i = 0; i < 12; i++) recorded.actions[12 * length + i] = actions[12 * length + i];
    recorded.rewards[length] = environment.reward;
    ctrls.set(environment.simulation.ctrl, 12 * length);
    length++;
  }
  return { seconds: (performance.now() - start) / 1e3, length };
}

/** The same controls from the same state by mj_step alone; the loop's own seconds, without crossing into JavaScript. */
function bareAgain(length) {
  bare.reset();
  bare.setState(state);
  let seconds = 0;
  for (let k = 0; k < length; k++) {
    for (let i = 0; i < 12; i++) bare.ctrl[i] = ctrls[12 * k + i];
    seconds += bare.bareSteps(5);
  }
  return seconds;
}

const ratios = [];
let taskSeconds = 0;
let taskSteps = 0;
for (let episode = 0; episode < episodes + 2; episode++) {
  const { seconds, length } = withTask(1000 * seed + episode);
  const alone = bareAgain(length);
  // The first two warm up the compiler.
  if (episode < 2) continue;
  ratios.push(alone / seconds);
  taskSeconds += seconds;
  taskSteps += length;
}
parentPort.postMessage({ ratios, stepsPerSecond: taskSteps / taskSeconds });
