// What the learner makes of the processor, as ratios: `node tests/bench/learner.mjs [threads]`. The shape is the default preset's.
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const addon = createRequire(import.meta.url)(fileURLToPath(new URL('../../build/native/leash_learner_cpu.node', import.meta.url)));
const threads = Number(process.argv[2] ?? availableParallelism());
const attempts = 12;

const network = { observationSize: 48, actionSize: 12, policyHidden: [256, 256], valueHidden: [256, 256], activation: 'elu' };
const [steps, environments] = [48, 128];
const samples = steps * environments;
const settings = {
  gamma: 0.98,
  lambda: 0.95,
  epochs: 5,
  minibatchSize: 768,
  learningRate: 1e-4,
  clipRange: 0.2,
  valueCoefficient: 1,
  entropyCoefficient: 0.002,
  maxGradientNorm: 1,
  normalizeAdvantages: true,
  targetKl: null,
  adaptiveRate: null,
};

/** Useful matrix operations of one update: forward, by the weights, and by the inputs of every layer but the first. */
function updateOperations() {
  const perRow = [
    [...network.policyHidden, network.actionSize],
    [...network.valueHidden, 1],
  ].map((widths) => {
    const sizes = widths.map((width, i) => width * (i === 0 ? network.observationSize : widths[i - 1]));
    return sizes.reduce((sum, size, i) => sum + (i === 0 ? 4 : 6) * size, 0);
  });
  return (perRow[0] + perRow[1]) * 2 * samples * settings.epochs;
}

function openUpdate() {
  const last = addon.parameterLayout(network).at(-1);
  const alternate = (n) => ({
    index: Int32Array.from({ length: n }, (_, i) => i ^ 1),
    sign: Float32Array.from({ length: n }, (_, i) => (i % 3 ? 1 : -1)),
  });
  const [seen, acted] = [alternate(network.observationSize), alternate(network.actionSize)];
  const options = {
    network,
    parameters: new Float32Array(last.offset + last.shape[0]),
    normalizer: new Float64Array(2 * network.observationSize + 1).fill(1, network.observationSize, 2 * network.observationSize),
    normalizeObservations: true,
    threads,
    seed: 1,
    initialLogStd: -0.2,
    minLogStd: -3,
    maxLogStd: 0.5,
    mirror: { observationIndex: seen.index, observationSign: seen.sign, actionIndex: acted.index, actionSign: acted.sign },
  };
  const learner = new addon.Learner(options);
  const actor = new addon.Actor(options);
  const wave = (n, k) => Float32Array.from({ length: n }, (_, i) => Math.sin(i * k) + Math.cos(i * i * k));
  const batch = {
    steps,
    environments,
    observations: wave(samples * network.observationSize, 0.37),
    actions: new Float32Array(samples * network.actionSize),
    logProbs: new Float32Array(samples),
    values: new Float32Array(samples),
    rewards: wave(samples, 0.7),
    terminated: new Uint8Array(samples),
    truncated: new Uint8Array(samples),
    terminalValues: new Float32Array(samples),
    lastValues: new Float32Array(environments),
  };
  const streams = Uint32Array.from({ length: samples }, (_, i) => i % environments);
  actor.sample(batch.observations, streams, new Uint32Array(samples), batch.actions, batch.logProbs, batch.values);
  return { actor, batch, update: () => learner.update(batch, settings) };
}

/** Seconds by the clock and of the processor (all threads), best of several attempts each: other programs only ever add. */
async function best(work) {
  const seconds = { clock: Number.POSITIVE_INFINITY, processor: Number.POSITIVE_INFINITY };
  for (let i = 0; i < attempts; i++) {
    const before = process.cpuUsage();
    const start = performance.now();
    await work();
    seconds.clock = Math.min(seconds.clock, (performance.now() - start) / 1e3);
    const { user, system } = process.cpuUsage(before);
    seconds.processor = Math.min(seconds.processor, (user + system) / 1e6);
  }
  return seconds;
}

const line = (name, value, detail) => console.log(`${name.padEnd(58)} ${value}${detail ? `   ${detail}` : ''}`);
const gigaflops = (operations, seconds) => `${(operations / seconds / 1e9).toFixed(0)} GFLOP/s`;

const peak = addon.arithmeticPeak(threads);
const repeats = 200;
const productOperations = 2 * 1024 * 256 * 256 * repeats;
const { batch, actor, update } = openUpdate();
await update();
const product = await best(() => addon.timeMatrixProduct(1024, 256, 256, repeats, threads));
const updates = await best(update);
const useful = updateOperations();

console.log(`learner on ${addon.device}, ${addon.simd}, ${threads} thread${threads === 1 ? '' : 's'}\n`);
line(
  'matrix product 1024x256 by 256x256 / multiply-adds',
  (productOperations / product.clock / peak).toFixed(2),
  gigaflops(productOperations, product.clock),
);
line(
  'update / matrix product, by the clock',
  ((useful / updates.clock) * (product.clock / productOperations)).toFixed(2),
  `${gigaflops(useful, updates.clock)}, ${(1e3 * updates.clock).toFixed(0)} ms`,
);
line(
  'update / matrix product, by processor time',
  ((useful / updates.processor) * (product.processor / productOperations)).toFixed(2),
  `${(1e3 * updates.processor).toFixed(0)} ms of processor`,
);

for (const rows of [16, 64]) {
  const [actions, logProbs, values] = [network.actionSize, 1, 1].map((size) => new Float32Array(rows * size));
  const [streams, counters] = [new Uint32Array(rows), new Uint32Array(rows)];
  const observations = batch.observations.subarray(0, rows * network.observationSize);
  const { clock } = await best(() => {
    for (let i = 0; i < 200; i++) actor.sample(observations, streams, counters, actions, logProbs, values);
  });
  const perRow = 2 * (2 * 48 * 256 + 2 * 256 * 256 + 256 * 12 + 256);
  const one = addon.arithmeticPeak(1);
  line(
    `acting on ${rows} observations / multiply-adds, 1 thread`,
    ((200 * rows * perRow) / clock / one).toFixed(2),
    `${((1e6 * clock) / 200).toFixed(0)} us`,
  );
}
