import { describe, expect, it } from 'vitest';
import { type NumpyRandom, numpyRandom } from '../../worker/tasks/numpy_random.ts';
import { drawCommand } from '../../worker/tasks/pupper/command.ts';
import { PupperEnvironment } from '../../worker/tasks/pupper/environment.ts';
import { pupperMirror } from '../../worker/tasks/pupper/mirror.ts';
import { COMMAND_LIMITS, FALL_UPRIGHT, REWARD_TERMS } from '../../worker/tasks/pupper/spec.ts';
import { engines, openPupper } from './pupper_cases.ts';

const still = new Float32Array(12);

describe.each(engines)('a Pupper episode (%s engine)', (kind) => {
  async function started(seed = 1, options = {}) {
    const environment = new PupperEnvironment(await openPupper(kind), options);
    environment.reset(numpyRandom(seed));
    return environment;
  }

  it('falls when tilted past the limit of 0.52 rad, and says so', async () => {
    const environment = await started();
    const { qpos } = environment.simulation;
    const half = Math.acos(FALL_UPRIGHT) / 2 + 0.02;
    qpos.set([0, 0, 0.4, Math.cos(half), Math.sin(half), 0, 0]);
    environment.step(still);
    expect([environment.terminated, environment.cause]).toEqual([true, 'tilt']);
    expect(environment.rewardTerms[REWARD_TERMS.indexOf('termination')]).toBe(-100);
  });

  it('falls when lower than 0.10 m, and says so', async () => {
    const environment = await started();
    environment.simulation.qpos[2] = 0.05;
    environment.step(still);
    expect([environment.terminated, environment.cause]).toEqual([true, 'height']);
  });

  it('is truncated, not terminated, at the time limit', async () => {
    const environment = await started(1, { episodeSteps: 3 });
    for (let k = 0; k < 3; k++) environment.step(still);
    expect([environment.terminated, environment.truncated, environment.cause]).toEqual([false, true, 'time']);
  });

  it('ends as unstable with finite numbers when the simulation breaks down', async () => {
    const environment = await started();
    environment.simulation.qvel[3] = Number.NaN;
    environment.step(still);
    expect([environment.terminated, environment.cause, environment.reward]).toEqual([true, 'unstable', 0]);
    expect(environment.observation.every(Number.isFinite)).toBe(true);
    environment.reset(numpyRandom(2));
    environment.step(still);
    expect(environment.terminated).toBe(false);
  });

  it('ends as unstable when a policy acts with NaN, and the learner sees none of it', async () => {
    const environment = await started();
    environment.step(new Float32Array(12).fill(Number.NaN, 3, 4));
    expect([environment.terminated, environment.cause, environment.reward]).toEqual([true, 'unstable', 0]);
    expect(environment.observation.every(Number.isFinite)).toBe(true);
    expect(environment.rewardTerms.every(Number.isFinite)).toBe(true);
  });

  it('can go back to a state from before it broke down', async () => {
    const environment = await started();
    const state = new Float64Array(environment.stateSize);
    environment.saveState(state);
    environment.step(still);
    const expected = environment.observation.slice();
    environment.simulation.qvel[3] = Number.NaN;
    environment.step(still);
    environment.loadState(state, numpyRandom(1));
    expect([environment.terminated, environment.cause]).toEqual([false, null]);
    environment.step(still);
    expect([environment.terminated, environment.cause]).toEqual([false, null]);
    expect(environment.observation).toEqual(expected);
  });

  it('takes an action beyond ±1 for ±1', async () => {
    const a = await started();
    const b = await started();
    a.step(new Float32Array(12).fill(5));
    b.step(new Float32Array(12).fill(1));
    expect(a.simulation.qpos).toEqual(b.simulation.qpos);
    expect(a.observation[36]).toBe(1);
  });

  it('goes on from a saved state to the last bit, generator included', async () => {
    const commands = { zeroProbability: 0, lowSpeedProbability: 0.5, singleAxisProbability: 0.5, resampleSeconds: 0.1 };
    const random = numpyRandom(3);
    const environment = new PupperEnvironment(await openPupper(kind), { commands });
    environment.reset(random);
    const action = (k: number): Float32Array => Float32Array.from({ length: 12 }, (_, i) => 0.3 * Math.sin(k + i));
    for (let k = 0; k < 20; k++) environment.step(action(k));
    const state = new Float64Array(environment.stateSize);
    const generator = new BigUint64Array(4);
    environment.saveState(state);
    random.save(generator);
    for (let k = 20; k < 40; k++) environment.step(action(k));

    const other = new PupperEnvironment(await openPupper(kind), { commands });
    const restored: NumpyRandom = numpyRandom(99);
    other.reset(restored);
    restored.restore(generator);
    other.loadState(state, restored);
    for (let k = 20; k < 40; k++) other.step(action(k));
    expect(other.observation).toEqual(environment.observation);
    expect(other.simulation.qpos).toEqual(environment.simulation.qpos);
    expect(other.reward).toBe(environment.reward);
    expect(other.command).toEqual(environment.command);
  });

  it('behaves in a mirror as mirrored: state, command and action reflected give the reflected observation', async () => {
    const a = await started(6);
    const b = await started(6);
    const { observationIndex, observationSign, actionIndex, actionSign } = pupperMirror;
    const reflect = (x: ArrayLike<number>, index: Int32Array, sign: Float32Array): Float32Array =>
      Float32Array.from(index, (from, i) => sign[i]! * x[from]!);
    const joints = (x: Float64Array): Float64Array => Float64Array.from(actionIndex, (from, i) => actionSign[i]! * x[from]!);
    const [qa, qb] = [a.simulation.qpos, b.simulation.qpos];
    // y → −y turns a rotation (w, x, y, z) into (w, −x, y, −z).
    qb.set([qa[0]!, -qa[1]!, qa[2]!, qa[3]!, -qa[4]!, qa[5]!, -qa[6]!]);
    qb.set(joints(qa.subarray(7)), 7);
    b.simulation.forward();
    a.setCommand(0.4, 0.2, 0.7);
    b.setCommand(0.4, -0.2, -0.7);
    for (let k = 0; k < 25; k++) {
      const action = Float32Array.from({ length: 12 }, (_, i) => 0.5 * Math.sin(0.4 * k + 2 * i));
      a.step(action);
      b.step(reflect(action, actionIndex, actionSign));
      const expected = reflect(a.observation, observationIndex, observationSign);
      // The two sides of the robot differ by rounded quaternions of the published model, about 1e-5; contacts make more of it.
      b.observation.forEach((value, i) => expect(Math.abs(value - expected[i]!), `step ${k}, observation ${i}`).toBeLessThan(0.02));
      expect(Math.abs(a.reward - b.reward)).toBeLessThan(1e-3);
    }
  });
});

describe('commands of a training', () => {
  const draw = (sampling: Parameters<typeof drawCommand>[1], count = 4000): Float64Array[] => {
    const random = numpyRandom(1);
    return Array.from({ length: count }, () => {
      const command = new Float64Array(3);
      drawCommand(random, sampling, command);
      return command;
    });
  };
  const plain = { zeroProbability: 0, lowSpeedProbability: 0, singleAxisProbability: 0, resampleSeconds: null };

  it('stay within the limits and are zero as often as asked', () => {
    const commands = draw({ ...plain, zeroProbability: 0.25 });
    expect(commands.every((c) => c.every((x, i) => Math.abs(x) <= COMMAND_LIMITS[i]!))).toBe(true);
    const zeros = commands.filter((c) => c.every((x) => x === 0)).length / commands.length;
    expect(Math.abs(zeros - 0.25)).toBeLessThan(5 * Math.sqrt((0.25 * 0.75) / commands.length));
  });
  it('lie along one axis when asked', () => {
    expect(draw({ ...plain, singleAxisProbability: 1 }).every((c) => c.filter((x) => x !== 0).length === 1)).toBe(true);
  });
  it('are at most half of the range when slow ones are asked for', () => {
    expect(draw({ ...plain, lowSpeedProbability: 1 }).every((c) => c.every((x, i) => Math.abs(x) <= 0.5 * COMMAND_LIMITS[i]! + 1e-6))).toBe(
      true,
    );
  });
});
