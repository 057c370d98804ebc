import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import { latestPolicy } from '../../worker/policies/latest_policy.ts';
import type { RunConfig } from '../../worker/protocol/run.ts';
import { presets } from '../../worker/training/presets.ts';
import { askRun, createRun, cutRunAfter, openRun, type RunDirectory } from '../../worker/training/run_directory.ts';
import { listCheckpoints, readMetrics, readRunConfig, readStatus, readSummary } from '../../worker/training/run_files.ts';
import type { TrainingSettings } from '../../worker/training/settings.ts';
import { temporaryFolder } from '../temporary_folder.ts';
import { exampleConfig } from './example_config.ts';

const newPath = (): string => join(temporaryFolder(), 'runs', 'walk');

/** A run that is let go of when the test ends. */
function held(run: RunDirectory): RunDirectory {
  onTestFinished(() => run.release());
  return run;
}

const files = (text: string): Map<string, string> =>
  new Map([
    ['policy.onnx', text],
    ['policy.json', text],
  ]);
const textAt = (folder: string | null): string => readFileSync(join(folder!, 'policy.onnx'), 'utf8');

describe('a new run', () => {
  it('has its config, with format, name and time, and nobody wants anything of it', () => {
    const path = newPath();
    const run = held(createRun(path, exampleConfig));
    expect(readRunConfig(path)).toEqual({
      ...exampleConfig,
      format: 1,
      name: 'walk',
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
    });
    expect(run.config).toEqual(readRunConfig(path));
    expect(run.pollControl()).toEqual({ control: { format: 1, wish: 'run', checkpointRequests: 0 }, problem: null });
    expect(readStatus(path)).toBeNull();
    expect(readMetrics(path)).toEqual([]);
    expect(latestPolicy(path)).toBeNull();
  });

  it('keeps the settings of every preset as they are', () => {
    expectTypeOf<RunConfig['settings']>().toExtend<TrainingSettings>();
    expectTypeOf<TrainingSettings>().toExtend<RunConfig['settings']>();
    for (const settings of Object.values(presets)) {
      const path = newPath();
      held(createRun(path, { ...exampleConfig, settings }));
      expect(readRunConfig(path).settings).toEqual(settings);
    }
  });

  it('is not made over another run', () => {
    const path = newPath();
    createRun(path, exampleConfig).release();
    expect(() => createRun(path, exampleConfig)).toThrow(
      `${path} holds a run already; go on with it by \`--resume ${path}\`, or choose another --out.`,
    );
  });

  it.each([
    ['somebody’s files', ['notes.txt', 'a', 'b', 'c'], 'is not empty and no run (it holds a, b, c, …); choose another --out.'],
    ['checkpoints of another program', ['checkpoints'], 'is not empty and no run (it holds checkpoints); choose another --out.'],
  ])('is not made over %s', (_, names, complaint) => {
    const path = newPath();
    for (const name of names) mkdirSync(join(path, name), { recursive: true });
    expect(() => createRun(path, exampleConfig)).toThrow(`${path} ${complaint}`);
    expect(readdirSync(path).toSorted()).toEqual(names.toSorted());
  });

  it('is not made where a file is', () => {
    const path = join(temporaryFolder(), 'walk');
    writeFileSync(path, 'x');
    expect(() => createRun(path, exampleConfig)).toThrow(`${path} is a file, and a folder for the run is wanted; choose another --out.`);
  });
});

describe('an existing run', () => {
  it('is refused while a live process has it, naming that process', () => {
    const path = newPath();
    held(createRun(path, exampleConfig));
    expect(() => openRun(path)).toThrow(
      `${path} is in use by process ${process.pid}; wait for it, stop it with Ctrl-C or \`kill ${process.pid}\``,
    );
  });

  it('is opened once it was let go of, and old wishes are void', () => {
    const path = newPath();
    const run = createRun(path, exampleConfig);
    askRun(path, { wish: 'stop' });
    expect(run.pollControl().control.wish).toBe('stop');
    run.release();
    expect(held(openRun(path)).pollControl().control.wish).toBe('run');
  });

  it.each([
    ['that is none', (path: string) => mkdirSync(path, { recursive: true }), /is no run directory: it has no run_config\.json/],
    ['that is not there', () => undefined, /^There is no folder .*walk; check the path\.$/],
    [
      'of a newer Leash',
      (path: string) => edit(path, (config) => Object.assign(config, { format: 7, task: { name: 'new' } })),
      /run_config\.json was written by a newer Leash \(its format is 7, this one knows up to 1\); update Leash to read it\.$/,
    ],
    [
      'whose config has a wrong entry',
      (path: string) => edit(path, (config) => Object.assign((config['settings'] as { ppo: object }).ppo, { epochs: 0 })),
      /run_config\.json is not valid at "settings\.ppo\.epochs": .*>=1 but received 0/,
    ],
    [
      'whose config was cut off',
      (path: string) => cut(path, 300),
      /run_config\.json is no JSON \(damaged or cut off\); take it from a backup\.$/,
    ],
    ['whose config is empty', (path: string) => cut(path, 0), /run_config\.json is no JSON \(it is empty\)/],
  ])('%s is refused in one sentence', (_, prepare, sentence) => {
    const path = newPath();
    prepare(path);
    expect(() => openRun(path)).toThrow(sentence);
  });
});

/** Changes the run_config.json of a run made for it. */
function edit(path: string, change: (config: Record<string, unknown>) => void): void {
  createRun(path, exampleConfig).release();
  const file = join(path, 'run_config.json');
  const config = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  change(config);
  writeFileSync(file, JSON.stringify(config));
}

function cut(path: string, length: number): void {
  createRun(path, exampleConfig).release();
  const file = join(path, 'run_config.json');
  writeFileSync(file, readFileSync(file).subarray(0, length));
}

describe('checkpoints and the newest policy', () => {
  it('are listed by step, and latest is the newest of both kinds', () => {
    const path = newPath();
    const run = held(createRun(path, exampleConfig));
    expect(run.writeCheckpoint(2_000_000, files('2M'))).toBe(join(path, 'checkpoints', '000002000000'));
    run.publishPolicy(2_500_000, files('2.5M'));
    expect(textAt(latestPolicy(path))).toBe('2.5M');
    run.writeCheckpoint(10_000_000, files('10M'));
    expect(textAt(latestPolicy(path))).toBe('10M');
    expect(listCheckpoints(path).map(({ step, name }) => [step, name])).toEqual([
      [2_000_000, '000002000000'],
      [10_000_000, '000010000000'],
    ]);
  });

  it('leave the policy before the newest to whoever is reading it, and drop older ones', () => {
    const path = newPath();
    const run = held(createRun(path, exampleConfig));
    run.publishPolicy(1, files('1'));
    const first = latestPolicy(path);
    run.publishPolicy(2, files('2'));
    expect(textAt(first)).toBe('1');
    run.publishPolicy(3, files('3'));
    expect(existsSync(first!)).toBe(false);
    expect(textAt(latestPolicy(path))).toBe('3');
  });

  it('of one step are written once', () => {
    const path = newPath();
    const run = held(createRun(path, exampleConfig));
    run.writeCheckpoint(5, files('first'));
    run.writeCheckpoint(5, files('second'));
    expect(textAt(listCheckpoints(path)[0]!.path)).toBe('first');
  });

  it('that are half written are not listed', () => {
    const path = newPath();
    held(createRun(path, exampleConfig));
    mkdirSync(join(path, 'checkpoints', '.000000000005.tmp-1-abc-0'));
    expect(listCheckpoints(path)).toEqual([]);
  });
});

it('going on from a checkpoint, lines after it go, later checkpoints step aside, and latest is that checkpoint', () => {
  const path = newPath();
  const run = held(createRun(path, exampleConfig));
  for (const step of [100, 200, 300]) {
    run.metrics.append({ step });
    if (step !== 200) run.writeCheckpoint(step, files(String(step)));
  }
  run.publishPolicy(350, files('350'));
  cutRunAfter(run, 100);
  expect(readMetrics(path)).toEqual([{ step: 100 }]);
  expect(listCheckpoints(path).map(({ step }) => step)).toEqual([100]);
  expect(textAt(join(path, 'superseded', '000000000300'))).toBe('300');
  expect(textAt(latestPolicy(path))).toBe('100');
  run.metrics.append({ step: 200 });
  expect(readMetrics(path)).toEqual([{ step: 100 }, { step: 200 }]);
});

describe('status', () => {
  it('says who works, where, and since when nothing was heard', () => {
    const path = newPath();
    const run = createRun(path, exampleConfig);
    const before = Date.now();
    run.writeStatus({ state: 'running', step: 6144, totalSteps: 100, why: null });
    const status = readStatus(path)!;
    expect(status).toMatchObject({ format: 1, state: 'running', pid: process.pid, step: 6144, totalSteps: 100, why: null, alive: true });
    expect(Date.parse(status.heartbeat)).toBeGreaterThanOrEqual(before);
    run.release();
    expect(readStatus(path)!.alive).toBe(false);
  });
});

describe('wishes', () => {
  it('stand until they are changed, and requests for a checkpoint add up', () => {
    const path = newPath();
    const run = held(createRun(path, exampleConfig));
    askRun(path, { wish: 'pause', checkpoint: true });
    askRun(path, { checkpoint: true });
    expect(run.pollControl().control).toEqual({ format: 1, wish: 'pause', checkpointRequests: 2 });
    expect(run.pollControl().control.wish).toBe('pause');
  });

  it.each([
    ['half written by hand', '{"wish": "sto', /control\.json is no JSON/],
    ['with a wish that there is not', '{"format":1,"wish":"halt","checkpointRequests":0}', /control\.json is not valid at "wish"/],
  ])('%s do not end a run', (_, text, problem) => {
    const path = newPath();
    const run = held(createRun(path, exampleConfig));
    writeFileSync(join(path, 'control.json'), text);
    const poll = run.pollControl();
    expect(poll.control.wish).toBe('run');
    expect(poll.problem).toMatch(problem);
  });
});

it('a summary is read back', () => {
  const path = newPath();
  const run = held(createRun(path, exampleConfig));
  const summary = {
    state: 'finished',
    why: null,
    step: 10,
    iterations: 2,
    elapsed: 3.5,
    stepsPerSecond: 2.9,
    checkpoint: '000000000010',
    lastMetrics: { step: 10, 'train/loss': null },
  } as const;
  run.writeSummary(summary);
  expect(readSummary(path)).toEqual({ format: 1, ...summary });
});

it('a metrics line that holds no numbers is named', () => {
  const path = newPath();
  held(createRun(path, exampleConfig));
  writeFileSync(join(path, 'metrics.jsonl'), '{"step":1}\n{"step":2,"train/loss":"low"}\n');
  expect(() => readMetrics(path)).toThrow(/metrics\.jsonl, line 2: .*; remove that line, or take the file from a backup\.$/);
});
