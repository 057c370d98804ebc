// Compiles, steps and frees a model again and again, and says after each tenth how much memory there is outside V8's own heap.
// Usage: node --expose-gc load_and_free.mjs <URL of open_engine> <engine> <rounds> <model's XML>
const [, , moduleUrl, kind, rounds, xml] = process.argv;
const { openEngine } = await import(moduleUrl);

const engine = await openEngine(kind);
const source = { name: 'model', xml, files: new Map() };
const megabytes = [];
for (let round = 1; round <= Number(rounds); round++) {
  const model = engine.compile(source);
  const simulation = model.newSimulation();
  simulation.step(5);
  simulation.contacts();
  simulation.getState(new Float64Array(model.sizes.nstate));
  simulation.dispose();
  model.dispose();
  if (round % (rounds / 10) !== 0) continue;
  globalThis.gc();
  await new Promise((resolve) => setImmediate(resolve));
  globalThis.gc();
  const { rss, heapTotal } = process.memoryUsage();
  megabytes.push((rss - heapTotal) / 2 ** 20);
}
console.log(JSON.stringify(megabytes));
