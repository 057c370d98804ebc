import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { benchmarkJobs } from '../../worker/evaluation/benchmark.ts';
import { type Controller, type EpisodeResult, runEpisode } from '../../worker/evaluation/episode.ts';
import { summarize } from '../../worker/evaluation/score.ts';
import { resolveEngine } from '../../worker/physics/open_engine.ts';
import { PupperEnvironment } from '../../worker/tasks/pupper/environment.ts';
import { fixture } from '../reference.ts';
import { openPupper } from '../tasks/pupper_cases.ts';

interface Run {
  readonly policy: string;
  readonly actions: {
    readonly kind: string;
    readonly period_steps: number;
    readonly offset: number[];
    readonly amplitude: number[];
    readonly phase: number[];
    readonly W?: number[][];
    readonly action_table?: number[][];
  };
  readonly result: {
    readonly summary: Record<string, number>;
    readonly episodes: readonly (Record<string, number | boolean | string> & { readonly scenario: string; readonly seed: number })[];
  };
}

/** The fixture's gaits, by its own formulas. */
function gait({ actions }: Run): Controller {
  let k = 0;
  return {
    reset() {
      k = 0;
    },
    act(observation, action) {
      const step = k++;
      action.fill(0);
      if (actions.kind === 'zero') return;
      const table = actions.action_table?.[step % actions.period_steps];
      if (table) {
        action.set(table);
        return;
      }
      const phase = (2 * Math.PI * (step % actions.period_steps)) / actions.period_steps;
      for (let i = 0; i < 12; i++) {
        let value = actions.offset[i]! + actions.amplitude[i]! * Math.sin(phase + actions.phase[i]!);
        actions.W?.[i]?.forEach((weight, j) => {
          value += weight * observation[j]!;
        });
        action[i] = Math.min(Math.max(value, -1), 1);
      }
    },
  };
}

describe('the fixed benchmark against the published one', () => {
  it('measures standing still and three gaits alike: every episode and summary, to 1e-6', async (context) => {
    const { runs } = JSON.parse(readFileSync(fixture(context, 'pupper', 'pupper-benchmark.json'), 'utf8')) as { runs: Run[] };
    const environment = new PupperEnvironment(await openPupper(resolveEngine('auto')), {
      angularVelocity: 'rotated',
      episodeSteps: Number.POSITIVE_INFINITY,
    });
    for (const run of runs) {
      const controller = gait(run);
      const episodes: EpisodeResult[] = [];
      for (const job of benchmarkJobs) episodes.push(await runEpisode(environment, controller, job));
      const keys = {
        survival_ratio: 'survival_ratio',
        episode_return: 'episode_return',
        vx_mean: 'vx_mean',
        vy_mean: 'vy_mean',
        wz_mean: 'wz_mean',
        linear_rmse: 'linear_rmse',
        yaw_rmse: 'yaw_rmse',
        tilt_deg: 'tilt_deg_mean',
      } as const;
      episodes.forEach((episode, i) => {
        const published = run.result.episodes[i]!;
        expect([episode.scenario, episode.seed, episode.completed]).toEqual([published.scenario, published.seed, published['completed']]);
        for (const [ours, theirs] of Object.entries(keys)) {
          expect(
            Math.abs(episode[ours as keyof typeof keys] - (published[theirs] as number)),
            `${run.policy}, ${episode.scenario} ${episode.seed}: ${ours}`,
          ).toBeLessThan(1e-6);
        }
      });
      const summary = summarize(episodes);
      for (const key of [
        'score',
        'survival_ratio',
        'completion_rate',
        'episode_return',
        'linear_rmse',
        'yaw_rmse',
        'translation_rmse',
        'yaw_command_rmse',
      ] as const) {
        expect(Math.abs(summary[key] - run.result.summary[key]!), `${run.policy}: ${key}`).toBeLessThan(1e-6);
      }
    }
  });
});
