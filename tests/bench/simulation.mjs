// What our bookkeeping costs, as ratios to a bare loop over mj_step on the same states and controls, one thread:
// `npm run build && node tests/bench/simulation.mjs [attempts]`. The Pupper, stepping in place with contacts.
const built = (path) => import(new URL(`../../dist/worker/${path}.js`, import.meta.url).href);
const { openEngine, resolveEngine } = await built('physics/open_engine');
const { loadPupper } = await built('tasks/pupper/model');
const { PupperEnvironment } = await built('tasks/pupper/environment');
const { numpyRandom } = await built('tasks/numpy_random');
const { PHYSICS_STEPS } = await built('tasks/pupper/spec');

const attempts = Number(process.argv[2] ?? 20);
const controlSteps = 300;
/** Control steps between two looks at the clock: so few that other programs seldom get in between. */
const chunk = 10;

/** Diagonal legs in turn, twice a second. */
const gait = Array.from({ length: controlSteps }, (_, k) =>
  Float32Array.from({ length: 12 }, (__, i) => {
    const leg = Math.floor(i / 3);
    const diagonal = leg === 0 || leg === 3 ? 0 : Math.PI;
    return i % 3 === 0 ? 0 : 0.25 * Math.sin((2 * Math.PI * 2 * k) / 50 + diagonal);
  }),
);

/** A way to go through the gait once: `start` prepares, `step` goes one control step and returns the seconds to count, or undefined for its own. */
function ways(pupper) {
  const environment = new PupperEnvironment(pupper);
  const [ours, bare] = [pupper.model.newSimulation(), pupper.model.newSimulation()];
  const state = new Float64Array(pupper.model.sizes.nstate);
  const random = () => numpyRandom(11);
  environment.reset(random());
  environment.simulation.getState(state);
  const controls = gait.map((action) => {
    environment.step(action);
    if (environment.terminated) throw new Error('The gait of this bench must not fall.');
    return environment.simulation.ctrl.slice();
  });
  const end = environment.simulation.qpos.slice();
  const from = (simulation) => () => simulation.setState(state);
  return {
    end,
    task: { simulation: environment.simulation, start: () => environment.reset(random()), step: (k) => environment.step(gait[k]) },
    ours: {
      simulation: ours,
      start: from(ours),
      step(k) {
        ours.ctrl.set(controls[k]);
        ours.step(PHYSICS_STEPS);
      },
    },
    bare: {
      simulation: bare,
      start: from(bare),
      step(k) {
        bare.ctrl.set(controls[k]);
        return bare.bareSteps(PHYSICS_STEPS);
      },
    },
  };
}

/** Seconds of each chunk of the gait; the start counts with the first. */
function run({ start, step }) {
  const seconds = [];
  for (let first = 0; first < controlSteps; first += chunk) {
    const begun = performance.now();
    let counted = 0;
    let own = true;
    if (first === 0) start();
    for (let k = first; k < first + chunk; k++) {
      const told = step(k);
      if (told === undefined) continue;
      own = false;
      counted += told;
    }
    seconds.push(own ? (performance.now() - begun) / 1e3 : counted);
  }
  return seconds;
}

/** Seconds of the whole gait, each chunk at its fastest: other programs only ever add. The ways take turns. */
function fastest(all) {
  const best = all.map(() => new Array(controlSteps / chunk).fill(Number.POSITIVE_INFINITY));
  for (let attempt = 0; attempt < attempts; attempt++) {
    all.forEach((way, w) => run(way).forEach((seconds, c) => (best[w][c] = Math.min(best[w][c], seconds))));
  }
  return best.map((seconds) => seconds.reduce((sum, s) => sum + s, 0));
}

const line = (name, ratio, detail) => console.log(`${name.padEnd(46)} ${ratio.toFixed(3)}   ${detail}`);
const perStep = (seconds) => (1e6 * seconds) / controlSteps;

const kinds = resolveEngine('auto') === 'native' ? ['wasm', 'native'] : ['wasm'];
const bareSeconds = {};
for (const kind of kinds) {
  const engine = await openEngine(kind);
  const { end, task, ours, bare } = ways(loadPupper(engine));
  if (kind === kinds[0])
    console.log(`MuJoCo ${engine.mujocoVersion}, ${controlSteps} control steps of ${PHYSICS_STEPS}, ${attempts} attempts\n`);
  const [taskTime, oursTime, bareTime] = fastest([task, ours, bare]);
  for (const { simulation } of [task, ours, bare]) {
    if (simulation.qpos.some((value, i) => value !== end[i])) throw new Error('The ways must end in the same state.');
  }
  bareSeconds[kind] = bareTime;
  const detail = (seconds) => `${perStep(seconds).toFixed(1)} us a control step, ${perStep(seconds - bareTime).toFixed(1)} more than bare`;
  line(`${kind}: through Simulation / bare mj_step`, bareTime / oursTime, detail(oursTime));
  line(`${kind}: with the task's bookkeeping / bare mj_step`, bareTime / taskTime, detail(taskTime));
}
if (bareSeconds.native)
  line(
    'native / wasm, bare mj_step',
    bareSeconds.wasm / bareSeconds.native,
    `${perStep(bareSeconds.native).toFixed(1)} us and ${perStep(bareSeconds.wasm).toFixed(1)} us`,
  );
