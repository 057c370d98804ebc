import { describe, expect, it } from 'vitest';
import { benchmarkJobs } from '../../worker/evaluation/benchmark.ts';
import type { EpisodeResult } from '../../worker/evaluation/episode.ts';
import { PROTOCOL } from '../../worker/evaluation/protocol.ts';
import { alignedTable, benchmarkReport } from '../../worker/evaluation/report.ts';
import { summarize } from '../../worker/evaluation/score.ts';

/** 15 episodes alike but for the first `fallen`, which fell half-way. */
function result(linear: number, yaw: number, tilt: number, fallen: number) {
  const episodes = benchmarkJobs.map(
    ({ scenario, seed, command }, i): EpisodeResult => ({
      scenario,
      seed,
      command,
      steps: i < fallen ? 250 : 500,
      survival_s: i < fallen ? 5 : 10,
      survival_ratio: i < fallen ? 0.5 : 1,
      completed: i >= fallen,
      cause: i < fallen ? 'tilt' : null,
      episode_return: 20,
      vx_mean: 0,
      vy_mean: 0,
      wz_mean: 0,
      linear_rmse: linear,
      yaw_rmse: yaw,
      tilt_deg: tilt,
      settled: null,
    }),
  );
  return { protocol: PROTOCOL, ...summarize(episodes), episodes };
}
const row = (text: string, label: string): string[] => {
  const line = text.split('\n').find((candidate) => candidate.startsWith(label));
  return line === undefined ? [] : line.slice(label.length).trim().split(/ {2,}/);
};

describe('the benchmark table', () => {
  // By hand: 100·(0.4·1 + 0.3·e^−1 + 0.2·e^−1 + 0.1·e^−1) = 62.07; with 3 of 15 at half time S = 0.9, so 4 less.
  const text = benchmarkReport([{ name: 'mine', result: result(0.25, 0.5, 15, 3) }], result(0.25, 0.5, 15, 0));

  it('has the score of a robot that never moves beside each policy’s', () => {
    expect(row(text, ' ')).toEqual(['mine', 'never moves']);
    expect(row(text, 'score (of 100)')).toEqual(['58.07', '62.07']);
  });
  it('counts completed episodes out of all, with the interval that so few allow', () => {
    expect(row(text, 'completed')).toEqual(['12/15', '15/15']);
    expect(row(text, '  95 % interval, %')).toEqual(['55–93', '80–100']);
  });
  it('shows where it fell by scenario', () => {
    expect(row(text, 'stand')[0]).toBe('0/3');
    expect(row(text, 'forward')[0]).toBe('3/3');
  });
});

it('a table keeps its columns where a row is shorter', () => {
  expect(
    alignedTable([
      ['a', 'long', 'z'],
      ['bb', '1'],
    ]),
  ).toBe('a   long  z\nbb     1');
});
