// A worker thread: opens an engine of its own, steps a model from a start of its own, and posts where it ended.
import { parentPort, workerData } from 'node:worker_threads';

const { moduleUrl, kind, xml, height, steps, shared } = workerData;
const { openEngine } = await import(moduleUrl);
const engine = await openEngine(kind);
const model = engine.compile({ name: 'model', xml, files: new Map() });
const simulation = model.newSimulation(shared ? 'shared' : 'private');
simulation.qpos[2] = height;
if (shared) parentPort.postMessage({ watched: simulation.qpos });
for (let i = 0; i < steps; i++) simulation.step(1);
parentPort.postMessage({ qpos: simulation.qpos.slice() });
