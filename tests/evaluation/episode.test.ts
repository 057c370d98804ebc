import { describe, expect, it } from 'vitest';
import { type Controller, type EpisodeJob, runEpisode } from '../../worker/evaluation/episode.ts';
import { summarizeScenario } from '../../worker/evaluation/score.ts';
import { PupperEnvironment } from '../../worker/tasks/pupper/environment.ts';
import { openPupper } from '../tasks/pupper_cases.ts';

/** Stands still, then acts with NaN from step `from` on. */
function breaksAt(from: number): Controller {
  let k = 0;
  return { act: (_, action) => void action.fill(k++ < from ? 0 : Number.NaN) };
}

describe('an episode whose policy acts with NaN', () => {
  const job: EpisodeJob = { scenario: 'forward', seed: 11, command: [0.5, 0, 0], steps: 50, settleSteps: 5 };
  const run = async (from: number) => runEpisode(new PupperEnvironment(await openPupper('wasm')), breaksAt(from), job);

  it('ends there as unstable, with figures that are numbers all the same', async () => {
    const broken = await run(10);
    expect(broken).toMatchObject({ steps: 11, completed: false, cause: 'unstable', survival_ratio: 11 / 50 });
    expect(Object.values(summarizeScenario([broken])).every(Number.isFinite)).toBe(true);
    // It stood, so it missed the commanded 0.5 m/s by about that.
    expect(broken.linear_rmse).toBeCloseTo(0.5, 1);
    expect(broken.settled!.every(Number.isFinite)).toBe(true);
  });

  it('has no settled velocity when it broke down before settling, and no NaN from its first step either', async () => {
    const broken = await run(0);
    expect(broken).toMatchObject({ steps: 1, cause: 'unstable', settled: null, linear_rmse: 0.5, vx_mean: 0 });
    expect(Number.isFinite(broken.tilt_deg)).toBe(true);
    expect((await run(5)).settled).toBeNull();
  });
});
