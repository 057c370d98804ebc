// Leash beside Stable-Baselines3 on this machine: `npm run bench:peers [iterations]`. It makes a Python environment of its own in
// build/peers (several GB, because PyTorch comes with its libraries for NVIDIA cards); no test needs it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './simulation_rate.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const venv = join(root, 'build', 'peers');
const python = join(venv, 'bin', 'python');
const iterations = Number(process.argv[2] ?? 2);
const WANTED_GB = 8;

function run(program, args, options = {}) {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], cwd: root, ...options });
  if (status === 0) return stdout;
  process.stderr.write(`bench:peers: ${program} ${args.join(' ')} failed (exit code ${status}).\n`);
  process.exit(1);
}

function prepare() {
  if (existsSync(python) && spawnSync(python, ['-c', 'import stable_baselines3, mujoco'], { stdio: 'ignore' }).status === 0) return;
  const { bavail, bsize } = statfsSync(root);
  if ((bavail * bsize) / 1e9 < WANTED_GB) {
    process.stderr.write(`bench:peers: PyTorch and Stable-Baselines3 want about ${WANTED_GB} GB in build/peers; free some space first.\n`);
    process.exit(1);
  }
  console.log(`Installing Stable-Baselines3 and PyTorch into build/peers (up to ${WANTED_GB} GB)…`);
  run('python3', ['-m', 'venv', venv]);
  run(python, ['-m', 'pip', 'install', '--quiet', 'stable-baselines3', 'mujoco==3.14.0']);
}

/** Environment steps a second of `leash train`, median of its iterations but the first two. */
function leash(preset, steps) {
  const folder = mkdtempSync(join(tmpdir(), 'leash-peers-'));
  try {
    const out = join(folder, 'run');
    run(process.execPath, ['bin/leash.js', 'train', 'pupper', '--steps', String(steps), '--seed', '1', '--preset', preset, '--out', out]);
    const lines = readFileSync(join(out, 'metrics.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    return median(lines.slice(2).map((line) => line['time/fps']));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

prepare();
const rounds = [];
for (let round = 0; round < 2; round++) {
  const peer = JSON.parse(
    run(python, [join('tests', 'bench', 'peers', 'train_sb3.py'), String(iterations)])
      .trim()
      .split('\n')
      .at(-1),
  );
  rounds.push({ peer, standard: leash('default', 100_000), published: leash('published', 100_000) });
}
const { peer } = rounds[0];
const rate = (pick) => median(rounds.map(pick)).toFixed(0);
console.log(
  `Stable-Baselines3 ${peer.stable_baselines3}, torch ${peer.torch}, published settings   ${rate((r) => r.peer.steps_per_second)} steps/s`,
);
console.log(
  `Leash, preset published   ${rate((r) => r.published)} steps/s   ${median(rounds.map((r) => r.published / r.peer.steps_per_second)).toFixed(1)} times`,
);
console.log(
  `Leash, preset default     ${rate((r) => r.standard)} steps/s   ${median(rounds.map((r) => r.standard / r.peer.steps_per_second)).toFixed(1)} times`,
);
