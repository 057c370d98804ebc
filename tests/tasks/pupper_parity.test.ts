import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { numpyRandom } from '../../worker/tasks/numpy_random.ts';
import { PupperEnvironment } from '../../worker/tasks/pupper/environment.ts';
import { REWARD_TERMS } from '../../worker/tasks/pupper/spec.ts';
import { fixture } from '../reference.ts';
import { engines, openPupper } from './pupper_cases.ts';

interface Trajectory {
  readonly name: string;
  readonly seed: number;
  readonly max_steps: number;
  readonly command: [number, number, number];
  readonly command_forced_after_reset: boolean;
  readonly action: number[][];
  readonly qpos: number[][];
  readonly qvel: number[][];
  readonly obs: number[][];
  readonly reward: number[];
  readonly terminated: boolean[];
  readonly truncated: boolean[];
  readonly foot_height: number[][];
  readonly contact: boolean[][];
  readonly first_contact: boolean[][];
  readonly air_time: number[][];
  readonly base_xmat: number[][];
  readonly terms: Record<string, number[]>;
}

/** Largest difference of two lists of numbers. */
const difference = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a, (x, i) => Math.abs(x - b[i]!)).reduce((most, x) => Math.max(most, x), 0);
const flags = (bits: Uint8Array): boolean[] => [...bits].map(Boolean);

describe.each(engines)('the Pupper task against the published environment (%s engine)', (kind) => {
  it('starts from the same state and observation, digit for digit', async (context) => {
    const { resets } = JSON.parse(readFileSync(fixture(context, 'pupper', 'pupper-resets.json'), 'utf8')) as {
      resets: { seed: number; qpos: number[]; obs: number[]; command: number[] }[];
    };
    const environment = new PupperEnvironment(await openPupper(kind), { angularVelocity: 'rotated' });
    for (const { seed, qpos, obs, command } of resets) {
      environment.reset(numpyRandom(seed));
      expect([...environment.simulation.qpos]).toEqual(qpos);
      expect([...environment.observation].map((x) => x + 0)).toEqual(obs.map((x) => x + 0));
      expect([...environment.command]).toEqual(command);
    }
  });

  it('agrees with every trajectory to 1e-6: state, observation, each reward term, contacts, ends', async (context) => {
    const pupper = await openPupper(kind);
    for (const part of [1, 2, 3]) {
      const { trajectories } = JSON.parse(readFileSync(fixture(context, 'pupper', `pupper-trajectories-${part}.json`), 'utf8')) as {
        trajectories: Trajectory[];
      };
      for (const t of trajectories) expectSame(pupper, t);
    }
  });
});

function expectSame(pupper: Awaited<ReturnType<typeof openPupper>>, t: Trajectory): void {
  const environment = new PupperEnvironment(pupper, { angularVelocity: 'rotated', episodeSteps: t.max_steps });
  environment.reset(numpyRandom(t.seed));
  if (t.command_forced_after_reset) environment.setCommand(...t.command);
  t.action.forEach((action, k) => {
    environment.step(action);
    const at = `${t.name}, step ${k}`;
    expect(difference(environment.simulation.qpos, t.qpos[k]!), at).toBeLessThan(1e-6);
    expect(difference(environment.simulation.qvel, t.qvel[k]!), at).toBeLessThan(1e-6);
    expect(difference(environment.observation, t.obs[k]!), at).toBeLessThan(1e-6);
    expect(difference(environment.rotation, t.base_xmat[k]!), at).toBeLessThan(1e-6);
    // The published height is that of the sole, a foot's radius below its site.
    expect(
      difference(
        environment.footHeight.map((z) => z - 0.02),
        t.foot_height[k]!,
      ),
      at,
    ).toBeLessThan(1e-6);
    expect(Math.abs(environment.reward - t.reward[k]!), at).toBeLessThan(1e-6);
    REWARD_TERMS.forEach((term, i) =>
      expect(Math.abs(environment.rewardTerms[i]! - t.terms[`r_${term}`]![k]!), `${at}: ${term}`).toBeLessThan(1e-6),
    );
    expect(flags(environment.contact), at).toEqual(t.contact[k]);
    expect(flags(environment.firstContact), at).toEqual(t.first_contact[k]);
    expect([environment.terminated, environment.truncated], at).toEqual([t.terminated[k], t.truncated[k]]);
  });
  environment.dispose();
}
