import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { type BenchmarkResult, type EvaluationOptions, runBenchmark } from '../evaluation/benchmark.ts';
import { type CommandGrid, type GridResult, parseGrid, runGrid } from '../evaluation/command_grid.ts';
import { pupperVariant } from '../evaluation/controllers.ts';
import { type EvaluationRecord, writeEvaluation } from '../evaluation/evaluation_files.ts';
import { PROTOCOL, SEEDS } from '../evaluation/protocol.ts';
import { benchmarkReport, gridReport } from '../evaluation/report.ts';
import { root } from '../paths.ts';
import { ENGINE_CHOICES, type EngineChoice, openEngine, resolveEngine } from '../physics/open_engine.ts';
import { loadPolicy } from '../policies/load_policy.ts';
import { RUN_FILES } from '../protocol/run_layout.ts';
import { UsageError } from '../user_error.ts';
import { parsePositiveInteger, parseSeed } from './numbers.ts';

interface BenchFlags {
  readonly json?: true;
  readonly out?: string;
  readonly threads?: number;
  readonly engine: EngineChoice;
  readonly grid?: readonly CommandGrid[];
  readonly seeds?: readonly number[];
}

export function registerBench(program: Command): void {
  program
    .command('bench')
    .description(`Measure policies: the fixed benchmark ${PROTOCOL} (15 episodes of 10 s), or sweeps of the command.`)
    .argument('<policy...>', 'run directories, checkpoints, policy folders or .onnx files')
    .option('--json', 'print one JSON object (a list for several policies) instead of tables')
    .option('--out <folder>', 'keep the results in <folder>/<policy>/ (a run directory also keeps its own in eval/)')
    .option(
      '--grid <axis=from:to:step>',
      'instead of the benchmark: commanded against measured velocity; may be repeated',
      (text: string, all: readonly CommandGrid[] = []) => [...all, parseGrid(text)],
    )
    .option('--seeds <list>', `seeds of a sweep, with commas between them (default: ${SEEDS.join(',')})`, parseSeeds)
    .option('--threads <count>', 'threads for episodes (default: all cores); results do not depend on it', parsePositiveInteger)
    .addOption(new Option('--engine <kind>', 'MuJoCo build; auto: native where it is built').choices([...ENGINE_CHOICES]).default('auto'))
    .addHelpText(
      'after',
      `
Examples:
  npx leash bench assets/policies/pupper-walk
  npx leash bench assets/policies/pupper-walk --json
  npx leash bench runs/walk runs/other --out bench/
  npx leash bench runs/walk --grid vx=-0.6:0.6:0.1 --grid wz=-1:1:0.25
  npx leash bench runs/walk --grid vy=0.2 --seeds 1,2,3,4,5`,
    )
    .action(bench);
}

interface Measured {
  readonly name: string;
  readonly record: EvaluationRecord;
  readonly benchmark: BenchmarkResult | null;
  readonly grids: readonly GridResult[];
}

async function bench(paths: readonly string[], flags: BenchFlags): Promise<void> {
  if (flags.seeds !== undefined && flags.grid === undefined)
    throw new UsageError(`The benchmark ${PROTOCOL} has seeds of its own (${SEEDS.join(', ')}); use --seeds together with --grid.`);
  const engine = await openEngine(flags.engine);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const versions = { leash: version, mujoco: engine.mujocoVersion, node: process.version };
  const options = { engine: resolveEngine(flags.engine), threads: flags.threads ?? availableParallelism() };
  // All policies are looked at before the first is measured: a mistyped last one must not cost the others' time.
  const copies = mkdtempSync(join(tmpdir(), 'leash-bench-'));
  process.on('exit', () => rmSync(copies, { recursive: true, force: true }));
  const machine = { engine: options.engine, versions };
  const targets: Target[] = [];
  for (const [i, path] of paths.entries()) targets.push(await openTarget(path, machine, join(copies, `${i}.onnx`)));
  const names = distinctNames(paths);
  const still = flags.grid !== undefined ? null : await runBenchmark({ kind: 'zero' }, options);
  const all: Measured[] = [];
  for (const [i, target] of targets.entries()) {
    const measured = await measure(names[i]!, target, flags, withProgress(options, names[i]!));
    all.push(measured);
    keep(measured, target, still, flags.out);
  }
  if (flags.json) {
    const objects = all.map((one) => jsonResult(one, still));
    process.stdout.write(`${JSON.stringify(objects.length === 1 ? objects[0] : objects, null, 2)}\n`);
  } else {
    const results = all.flatMap(({ name, benchmark }) => (benchmark ? [{ name, result: benchmark }] : []));
    if (still) process.stdout.write(benchmarkReport(results, still));
    for (const { name, grids } of all) for (const grid of grids) process.stdout.write(`${gridReport(name, grid)}\n`);
  }
}

interface Target {
  /** A copy of the network: a run that trains on replaces its newest policy every few seconds. */
  readonly path: string;
  readonly record: EvaluationRecord;
  /** Where a run keeps its own results; null for a policy that is no run. */
  readonly own: string | null;
}

async function openTarget(path: string, machine: Pick<EvaluationRecord, 'engine' | 'versions'>, copy: string): Promise<Target> {
  const policy = await loadPolicy(path);
  try {
    pupperVariant(policy.spec, path);
    const record = { policy: path, policy_sha256: policy.sha256, step: policy.spec.training?.step ?? null, ...machine };
    copyFileSync(policy.path, copy);
    const spec = { ...policy.spec, network: { ...policy.spec.network, file: basename(copy) } };
    const specFile = copy.replace(/\.onnx$/, '.json');
    writeFileSync(specFile, JSON.stringify(spec));
    return {
      path: specFile,
      record,
      own: existsSync(join(path, RUN_FILES.config)) && existsSync(join(path, RUN_FILES.latest)) ? join(path, 'eval', PROTOCOL) : null,
    };
  } finally {
    await policy.dispose();
  }
}

async function measure(
  name: string,
  target: Target,
  { grid: grids = [], seeds }: BenchFlags,
  options: EvaluationOptions,
): Promise<Measured> {
  const controller = { kind: 'policy', path: target.path } as const;
  if (grids.length === 0) return { name, record: target.record, benchmark: await runBenchmark(controller, options), grids: [] };
  const results: GridResult[] = [];
  for (const grid of grids) results.push(await runGrid(controller, grid, options, seeds));
  return { name, record: target.record, benchmark: null, grids: results };
}

function keep(measured: Measured, target: Target, still: BenchmarkResult | null, out: string | undefined): void {
  const folders = [...(target.own === null ? [] : [target.own]), ...(out === undefined ? [] : [join(out, measured.name)])];
  for (const folder of folders) writeEvaluation(folder, measured.record, measured.benchmark, still, measured.grids);
}

function jsonResult({ record, benchmark, grids }: Measured, still: BenchmarkResult | null): object {
  return { ...record, ...(benchmark ? { ...benchmark, never_moves_score: still!.score } : { grids }) };
}

/** Seeds with commas between them, each once. */
const parseSeeds = (text: string): number[] => [...new Set(text.split(',').map((part) => parseSeed(part.trim())))];

/** The last part of each path, made different where two are alike. */
function distinctNames(paths: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return paths.map((path) => {
    const name = basename(resolve(path)).replace(/\.onnx$/, '');
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name}-${count}`;
  });
}

/** A counter on standard error while someone watches. */
function withProgress(options: EvaluationOptions, name: string): EvaluationOptions {
  if (!process.stderr.isTTY) return options;
  return {
    ...options,
    onProgress: (done, total) => void process.stderr.write(done === total ? '\r\x1b[2K' : `\r\x1b[2K${name}: ${done} of ${total} episodes`),
  };
}
