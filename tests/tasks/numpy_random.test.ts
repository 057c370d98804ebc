import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { numpyLegacyRandom } from '../../worker/tasks/numpy_legacy_random.ts';
import { numpyRandom, seedSequence } from '../../worker/tasks/numpy_random.ts';
import { fixture } from '../reference.ts';

interface Vectors {
  readonly pcg64: readonly {
    readonly seed: number;
    readonly seed_sequence_state_uint32: number[];
    readonly raw_uint64: string[];
    readonly random: number[];
  }[];
  readonly pupper_reset: readonly {
    readonly seed: number;
    readonly yaw: number;
    readonly joint_noise: number[];
    readonly zero_test: number;
    readonly command: number[];
  }[];
  readonly legacy: readonly { readonly seed: number; readonly cube_position: number[]; readonly random_sample: number[] }[];
}

describe("NumPy's generators", () => {
  const vectors = (context: Parameters<typeof fixture>[0]): Vectors =>
    JSON.parse(readFileSync(fixture(context, 'numpy-random.json'), 'utf8')) as Vectors;

  it('SeedSequence and PCG64 give its very numbers', (context) => {
    for (const { seed, seed_sequence_state_uint32, raw_uint64, random } of vectors(context).pcg64) {
      expect([...seedSequence(seed, seed_sequence_state_uint32.length)]).toEqual(seed_sequence_state_uint32);
      const raw = numpyRandom(seed);
      expect(raw_uint64.map(() => raw.next64().toString())).toEqual(raw_uint64);
      const doubles = numpyRandom(seed);
      expect(random.map(() => doubles.random())).toEqual(random);
    }
  });

  it('the draws of a reset come in its order', (context) => {
    for (const { seed, yaw, joint_noise, zero_test, command } of vectors(context).pupper_reset) {
      const random = numpyRandom(seed);
      expect(random.uniform(-Math.PI, Math.PI)).toBe(yaw);
      expect(joint_noise.map(() => random.uniform(-0.05, 0.05))).toEqual(joint_noise);
      expect(random.random()).toBe(zero_test);
      expect([0.75, 0.5, 2].map((limit) => random.uniform(-limit, limit))).toEqual(command);
    }
  });

  it('RandomState gives its very numbers', (context) => {
    for (const { seed, cube_position, random_sample } of vectors(context).legacy) {
      const random = numpyLegacyRandom(seed);
      expect([random.uniform(0, 0.2), random.uniform(0.4, 0.6), random.uniform(0.05, 0.05)]).toEqual(cube_position);
      const again = numpyLegacyRandom(seed);
      expect(random_sample.map(() => again.random())).toEqual(random_sample);
    }
  });

  it('goes on from a saved state', () => {
    const random = numpyRandom([7, 3]);
    random.random();
    const state = new BigUint64Array(4);
    random.save(state);
    const expected = [random.next64(), random.next64()];
    const other = numpyRandom(0);
    other.restore(state);
    expect([other.next64(), other.next64()]).toEqual(expected);
  });

  it.each([-1, 0.5, 2 ** 32])('RandomState refuses the seed %d, as NumPy does', (seed) => {
    expect(() => numpyLegacyRandom(seed)).toThrow(/0 to 4294967295/);
  });

  it('refuses a seed that is no whole number from 0 on', () => {
    expect(() => numpyRandom(-1)).toThrow(/at least 0/);
    expect(() => numpyRandom(1.5)).toThrow(/whole number/);
  });
});
