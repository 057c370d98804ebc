/**
 * NumPy's legacy `RandomState(seed)`: Mersenne Twister MT19937, doubles of 53 bits.
 * @see Matsumoto and Nishimura, "Mersenne Twister" (1998)
 */
export interface LegacyRandom {
  /** Uniform in [0, 1). */
  random(): number;
  /** `low + (high − low)·random()`. */
  uniform(low: number, high: number): number;
}

const N = 624;
const M = 397;

/** @throws RangeError when the seed is none that NumPy would take. */
export function numpyLegacyRandom(seed: number): LegacyRandom {
  if (!Number.isInteger(seed) || seed < 0 || seed > 0xffffffff)
    throw new RangeError(`A seed of RandomState is a whole number from 0 to 4294967295, not ${seed}.`);
  const state = new Uint32Array(N);
  state[0] = seed;
  for (let i = 1; i < N; i++) {
    const previous = state[i - 1]! ^ (state[i - 1]! >>> 30);
    state[i] = Math.imul(1812433253, previous) + i;
  }
  let at = N;
  const refill = (): void => {
    for (let i = 0; i < N; i++) {
      const y = (state[i]! & 0x80000000) | (state[(i + 1) % N]! & 0x7fffffff);
      state[i] = state[(i + M) % N]! ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
    }
    at = 0;
  };
  const next32 = (): number => {
    if (at === N) refill();
    let y = state[at++]!;
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  };
  const random = (): number => {
    const high = next32() >>> 5;
    const low = next32() >>> 6;
    return (high * 67108864 + low) / 9007199254740992;
  };
  return { random, uniform: (low, high) => low + (high - low) * random() };
}
