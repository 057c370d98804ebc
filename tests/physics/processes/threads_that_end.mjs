// Starts threads that open an engine, step and end without freeing anything, and says how the memory stands after each.
// Usage: node threads_that_end.mjs <URL of open_engine> <engine> <threads> <model's XML>

import { fileURLToPath } from 'node:url';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

if (isMainThread) {
  const [, , moduleUrl, kind, threads, xml] = process.argv;
  const megabytes = [];
  for (let i = 0; i < Number(threads); i++) {
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { moduleUrl, kind, xml } });
    await new Promise((resolve, reject) => worker.on('error', reject).on('exit', resolve));
    megabytes.push(process.memoryUsage().rss / 2 ** 20);
  }
  console.log(JSON.stringify(megabytes));
} else {
  const { openEngine } = await import(workerData.moduleUrl);
  const engine = await openEngine(workerData.kind);
  const model = engine.compile({ name: 'model', xml: workerData.xml, files: new Map() });
  const simulations = Array.from({ length: 20 }, () => model.newSimulation());
  for (const simulation of simulations) simulation.step(20);
}
