import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readTensorboard } from '../../worker/formats/tensorboard_reader.ts';
import { openTensorboard } from '../../worker/formats/tensorboard_writer.ts';
import { decodeRecords } from '../../worker/formats/tfrecord.ts';
import { fixture } from '../reference.ts';
import { temporaryFolder } from '../temporary_folder.ts';

type Pairs = Record<string, [number, number][]>;

const pairs = (path: string): Pairs =>
  Object.fromEntries([...readTensorboard(path).scalars].map(([tag, points]) => [tag, points.map(({ step, value }) => [step, value])]));

const onlyFile = (folder: string): string => join(folder, readdirSync(folder).find((name) => name.startsWith('events.'))!);

/** TensorBoard's own readings spell what JSON cannot hold. */
const number = (value: number | string): number => (typeof value === 'string' ? Number(value) : value);

it('reads back what it wrote', () => {
  const folder = temporaryFolder();
  const writer = openTensorboard(folder, null);
  writer.scalars(6144, { 'rollout/ep_rew_mean': 1.5, 'train/std': null, 'train/loss': -0.1 });
  writer.scalars(12_288, { 'rollout/ep_rew_mean': 2.5, 'train/std': 0.75, 'train/loss': 1e40 });
  writer.close();
  expect(pairs(onlyFile(folder))).toEqual({
    'rollout/ep_rew_mean': [
      [6144, 1.5],
      [12_288, 2.5],
    ],
    'train/std': [[12_288, 0.75]],
    'train/loss': [
      [6144, Math.fround(-0.1)],
      [12_288, Number.POSITIVE_INFINITY],
    ],
  });
});

it('begins a file as TensorBoard wants: name with the time, host and process, then the version record', () => {
  const folder = temporaryFolder();
  openTensorboard(folder, null).close();
  const [name] = readdirSync(folder);
  expect(name).toMatch(new RegExp(`^events\\.out\\.tfevents\\.\\d{10}\\..+\\.${process.pid}\\.0$`));
  const { records, brokenAt } = decodeRecords(readFileSync(join(folder, name!)));
  expect(brokenAt).toBeNull();
  expect(records.length).toBe(1);
  // Its last field: number 3 (file_version) of 13 bytes.
  expect(Buffer.from(records[0]!).subarray(-15)).toEqual(Buffer.from([0x1a, 13, ...Buffer.from('brain.Event:2')]));
});

it('voids what an earlier file says of later steps when a run goes on', () => {
  const folder = temporaryFolder();
  const first = openTensorboard(folder, null);
  first.scalars(100, { x: 1 });
  first.close();
  const second = openTensorboard(folder, 100);
  second.scalars(200, { x: 2 });
  second.close();
  const files = readdirSync(folder).toSorted();
  expect(files.length).toBe(2);
  const restarts = files.map((name) => readTensorboard(join(folder, name)).restarts);
  // Step 100 itself stays: the run goes on after it.
  expect(restarts).toEqual([[], [101]]);
});

for (const name of ['sb3', 'torn', 'torch']) {
  it(`reads ${name}/ as TensorBoard itself does`, (context) => {
    const folder = fixture(context, 'tensorboard');
    const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as {
      scalars: Record<string, Record<string, [number, number | string][]>>;
    };
    const read = readTensorboard(onlyFile(join(folder, name)));
    expect(Object.fromEntries([...read.scalars].map(([tag, points]) => [tag, points.map(({ step, value }) => [step, value])]))).toEqual(
      Object.fromEntries(
        Object.entries(expected.scalars[name]!).map(([tag, points]) => [tag, points.map(([step, value]) => [step, number(value)])]),
      ),
    );
    expect(read.brokenAt === null).toBe(name !== 'torn');
  });
}

for (const name of ['torn_head', 'summarywriter']) {
  it(`reads ${name}/ as TensorBoard itself does, with wall times, tensors and infinities`, (context) => {
    const folder = fixture(context, 'tensorboard-more');
    interface Expected {
      runs: Record<string, { scalars: Record<string, { step: number; value: number | string; wall_time: number }[]> }>;
    }
    const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Expected;
    const read = readTensorboard(onlyFile(join(folder, name)));
    expect(Object.fromEntries(read.scalars)).toEqual(
      Object.fromEntries(
        Object.entries(expected.runs[name]!.scalars).map(([tag, points]) => [
          tag,
          points.map((point) => ({ step: point.step, value: number(point.value), wallTime: point.wall_time })),
        ]),
      ),
    );
    expect(read.brokenAt === null).toBe(name !== 'torn_head');
  });
}

it('stops at a record whose checksum is wrong', () => {
  const folder = temporaryFolder();
  const writer = openTensorboard(folder, null);
  for (let step = 1; step <= 3; step++) writer.scalars(step, { x: step });
  writer.close();
  const bytes = readFileSync(onlyFile(folder));
  const whole = decodeRecords(bytes);
  const third = bytes.length - (whole.records[3]!.length + 16);
  bytes[third + 20]! ^= 1;
  expect(decodeRecords(bytes)).toEqual({ records: whole.records.slice(0, 3), brokenAt: third });
});
