import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { root } from '../paths.ts';
import { ENGINE_CHOICES, type EngineChoice, openEngine, resolveEngine } from '../physics/open_engine.ts';
import type { RunConfig } from '../protocol/run.ts';
import { loadLearnerAddon } from '../training/learner_addon.ts';
import { presets } from '../training/presets.ts';
import { progressLine } from '../training/progress.ts';
import { createRun, openRun, type RunDirectory } from '../training/run_directory.ts';
import { trainSession } from '../training/training_session.ts';
import { trainingTask, trainingTaskNames } from '../training/training_tasks.ts';
import { UsageError, UserError } from '../user_error.ts';
import { EXIT } from './exit_code.ts';
import { parsePositiveInteger, parseSeed, parseStepCount } from './numbers.ts';
import { applySettings, parseSetting, type Setting } from './training_overrides.ts';

interface TrainFlags {
  readonly steps?: number;
  readonly seed: number;
  readonly out?: string;
  readonly resume?: string;
  readonly preset: string;
  readonly set?: readonly Setting[];
  readonly threads?: number;
  readonly engine: EngineChoice;
  readonly device: string;
  readonly checkpointEvery: number;
}

/** One Ctrl-C may arrive twice, from the terminal and from a parent (npx, timeout) that passes it on. */
const SAME_INTERRUPT_MS = 300;

export function registerTrain(program: Command): void {
  program
    .command('train')
    .description('Train a policy with PPO. Everything about a run lies in its directory.')
    .argument('<task>', `what to learn: ${trainingTaskNames.join(', ')}`)
    .option('--steps <count>', 'environment steps to stop at, such as 10M; with --resume the new total', parseStepCount)
    .option('--seed <number>', 'decides starts, commands, noise and weights', parseSeed, 0)
    .option('--out <folder>', 'directory of a new run')
    .option('--resume <run>', 'go on with a run from its newest checkpoint')
    .addOption(new Option('--preset <name>', 'settings to start from').choices(Object.keys(presets)).default('default'))
    .option(
      '--set <key=value>',
      'change one setting, such as ppo.gamma=0.99 or reward.weights.torques=-0.001; may be repeated',
      (text: string, all: readonly Setting[] = []) => [...all, parseSetting(text)],
    )
    .option('--threads <count>', 'threads for simulation and learner (default: all cores)', parsePositiveInteger)
    .addOption(new Option('--engine <kind>', 'MuJoCo build; auto: native where it is built').choices([...ENGINE_CHOICES]).default('auto'))
    .option('--device <name>', 'where the learner runs: cpu or hip:0', 'cpu')
    .option('--checkpoint-every <steps>', 'environment steps between checkpoints', parseStepCount, 1_000_000)
    .addHelpText(
      'after',
      `
Ctrl-C ends the run after the current iteration with a checkpoint; a second Ctrl-C ends it at once.

Examples:
  npx leash train pupper --steps 10M --seed 42 --out runs/walk
  npx leash train pupper --resume runs/walk --steps 15M
  npx leash train pupper --steps 3M --preset published --out runs/published
  npx leash train pupper --steps 5M --set ppo.epochs=3 --set reward.weights.torques=-0.001 --out runs/soft`,
    )
    .action((task: string, flags: TrainFlags, command: Command) => train(task, flags, command));
}

async function train(taskName: string, flags: TrainFlags, command: Command): Promise<void> {
  if (!trainingTaskNames.includes(taskName))
    throw new UsageError(`There is no task "${taskName}"; choose one of ${trainingTaskNames.join(', ')}.`);
  refuseDevice(flags.device);
  if ((flags.out === undefined) === (flags.resume === undefined))
    throw new UsageError('Give either --out for a new run or --resume for one that exists.');
  if (flags.resume !== undefined) refuseNewRunOptions(command);
  const run = flags.resume === undefined ? await newRun(taskName, flags, flags.out!) : await resumedRun(taskName, flags.resume);
  const totalSteps = flags.steps ?? run.config.steps;
  let interruptedAt: number | null = null;
  let told: string | null = null;
  const onInterrupt = (): void => {
    const now = performance.now();
    if (interruptedAt === null) {
      interruptedAt = now;
      process.stderr.write('\nleash: ending after this iteration with a checkpoint; Ctrl-C again ends at once.\n');
    } else if (now - interruptedAt > SAME_INTERRUPT_MS) {
      process.exit(EXIT.interrupted);
    }
  };
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onInterrupt);
  const live = process.stdout.isTTY;
  let shownAt = 0;
  let rate = 0;
  try {
    const ending = await trainSession(run, {
      totalSteps,
      resume: flags.resume !== undefined,
      interrupted: () => interruptedAt !== null,
      onProblem(problem) {
        if (problem !== null && problem !== told) process.stderr.write(`\nleash: ${problem} Until then the run goes on.\n`);
        told = problem;
      },
      onIteration(line) {
        const fps = line['time/fps'] ?? 0;
        rate = rate === 0 ? fps : 0.9 * rate + 0.1 * fps;
        const now = performance.now();
        if (!live && now - shownAt < 10_000 && line.step < totalSteps) return;
        shownAt = now;
        const text = progressLine(line, totalSteps, Math.max(0, totalSteps - line.step) / rate);
        process.stdout.write(live ? `\r\x1b[2K${text}` : `${text}\n`);
      },
    });
    if (live) process.stdout.write('\n');
    const next = ending.state === 'finished' ? `npx leash bench ${run.path}` : `npx leash train ${taskName} --resume ${run.path}`;
    process.stdout.write(`${ending.state} at step ${ending.step}; checkpoint ${ending.checkpoint}\nnext: ${next}\n`);
    if (interruptedAt !== null) process.exitCode = EXIT.interrupted;
  } finally {
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', onInterrupt);
    run.release();
  }
}

/** A resumed run keeps what it was begun with; an option that would be ignored is refused instead. */
function refuseNewRunOptions(command: Command): void {
  const given = ['seed', 'preset', 'set', 'threads', 'engine', 'device', 'checkpointEvery'].filter(
    (name) => command.getOptionValueSource(name) === 'cli',
  );
  if (given.length === 0) return;
  const flags = given.map((name) => `--${name.replace('checkpointEvery', 'checkpoint-every')}`).join(', ');
  throw new UsageError(`A resumed run keeps what it was begun with; leave out ${flags}, or begin a new run with --out.`);
}

/** The learner for AMD GPUs is not part of this version; asking for it must never train on something else in silence. */
function refuseDevice(device: string): void {
  if (device === 'cpu') return;
  if (!/^hip:\d+$/.test(device)) throw new UsageError(`There is no device "${device}"; write cpu or hip:0.`);
  throw new UserError(`${device} cannot be used: this Leash has no learner for AMD GPUs yet; train with --device cpu.`);
}

async function newRun(taskName: string, flags: TrainFlags, out: string): Promise<RunDirectory> {
  if (flags.steps === undefined) throw new UsageError('Say how long to train, such as --steps 10M.');
  const settings = applySettings(presets[flags.preset]!, flags.set ?? []);
  const task = trainingTask(taskName);
  const engine = await openEngine(flags.engine);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const threads = flags.threads ?? availableParallelism();
  const config: Omit<RunConfig, 'format' | 'created' | 'name'> = {
    versions: { leash: version, mujoco: engine.mujocoVersion, node: process.version },
    engine: resolveEngine(flags.engine),
    modelHash: task.modelHash(engine),
    task: taskName,
    policy: task.policy,
    rewardWeights: { ...task.rewardWeights },
    settings,
    seed: flags.seed,
    steps: flags.steps,
    checkpointEvery: flags.checkpointEvery,
    threads: { rollout: threads, learner: threads },
    device: flags.device,
    simd: loadLearnerAddon().simd,
    gpuName: null,
    hipVersion: null,
    parentCheckpoint: null,
  };
  return createRun(out, config);
}

async function resumedRun(taskName: string, path: string): Promise<RunDirectory> {
  const run = openRun(path);
  try {
    const { config } = run;
    if (config.task !== taskName)
      throw new UserError(
        `${path} is a run of the task ${config.task}, not ${taskName}; write \`leash train ${config.task} --resume ${path}\`.`,
      );
    refuseDevice(config.device);
    const hash = trainingTask(taskName).modelHash(await openEngine(config.engine));
    if (hash !== config.modelHash) {
      throw new UserError(
        `${path} was trained on another model (${config.modelHash.slice(0, 12)}…) than this Leash has (${hash.slice(0, 12)}…); go on with the copy of Leash that began it (version ${config.versions.leash}), or begin a new run with --out.`,
      );
    }
    return run;
  } catch (error) {
    run.release();
    throw error;
  }
}
