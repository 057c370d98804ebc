/**
 * NumPy's seeding and generators, digit for digit, so that a seed gives the same start here and in Python:
 * `SeedSequence` → `PCG64` (`numpy.random.default_rng`).
 * @see O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms" (2014), XSL-RR 128/64
 */

const MASK_64 = (1n << 64n) - 1n;
const MASK_128 = (1n << 128n) - 1n;
const MULTIPLIER = 0x2360ed051fc65da44385df649fccf645n;

const POOL = 4;
const INIT_A = 0x43b0d7e5;
const MULT_A = 0x931e8875;
const INIT_B = 0x8b51f9dd;
const MULT_B = 0x58f38ded;
const MIX_LEFT = 0xca01f9dd;
const MIX_RIGHT = 0x4973f715;

const fold = (x: number): number => (x ^ (x >>> 16)) >>> 0;

/** The 32-bit words, least significant first, that SeedSequence makes of an integer. */
function words(seed: number): number[] {
  if (!Number.isSafeInteger(seed) || seed < 0) throw new RangeError(`A seed is a whole number of at least 0, not ${seed}.`);
  const low = seed % 2 ** 32;
  const high = Math.floor(seed / 2 ** 32);
  return high > 0 ? [low, high] : [low];
}

/** `SeedSequence(entropy).generate_state(count)`: `count` 32-bit words. Several numbers count as a list of entropy. */
export function seedSequence(entropy: number | readonly number[], count: number): Uint32Array {
  const input = (typeof entropy === 'number' ? [entropy] : entropy).flatMap(words);
  let constant = INIT_A;
  const hash = (value: number): number => {
    const mixed = value ^ constant;
    constant = Math.imul(constant, MULT_A) >>> 0;
    return fold(Math.imul(mixed, constant) >>> 0);
  };
  const mix = (x: number, y: number): number => fold((Math.imul(MIX_LEFT, x) - Math.imul(MIX_RIGHT, y)) >>> 0);
  const pool = Array.from({ length: POOL }, (_, i) => hash(input[i] ?? 0));
  for (let from = 0; from < POOL; from++) {
    for (let to = 0; to < POOL; to++) if (from !== to) pool[to] = mix(pool[to]!, hash(pool[from]!));
  }
  for (const word of input.slice(POOL)) {
    for (let to = 0; to < POOL; to++) pool[to] = mix(pool[to]!, hash(word));
  }
  constant = INIT_B;
  return Uint32Array.from({ length: count }, (_, i) => {
    const mixed = pool[i % POOL]! ^ constant;
    constant = Math.imul(constant, MULT_B) >>> 0;
    return fold(Math.imul(mixed, constant) >>> 0);
  });
}

export interface NumpyRandom {
  /** The next raw 64 bits. */
  next64(): bigint;
  /** Uniform in [0, 1), 53 bits. */
  random(): number;
  /** `low + (high − low)·random()`. */
  uniform(low: number, high: number): number;
  /** Writes the whole state into `into` [4]; {@link restore} continues from it. */
  save(into: BigUint64Array): void;
  restore(state: BigUint64Array): void;
}

/** `numpy.random.default_rng(seed)`. */
export function numpyRandom(entropy: number | readonly number[]): NumpyRandom {
  const seeds = seedSequence(entropy, 8);
  const word = (i: number): bigint => BigInt(seeds[2 * i]!) | (BigInt(seeds[2 * i + 1]!) << 32n);
  let increment = (((((word(2) << 64n) | word(3)) << 1n) & MASK_128) | 1n) & MASK_128;
  let state = 0n;
  const advance = (): void => {
    state = (state * MULTIPLIER + increment) & MASK_128;
  };
  advance();
  state = (state + ((word(0) << 64n) | word(1))) & MASK_128;
  advance();

  const next64 = (): bigint => {
    advance();
    const folded = (state >> 64n) ^ (state & MASK_64);
    const rotation = state >> 122n;
    return ((folded >> rotation) | (folded << (64n - rotation))) & MASK_64;
  };
  const random = (): number => Number(next64() >> 11n) * 2 ** -53;
  return {
    next64,
    random,
    uniform: (low, high) => low + (high - low) * random(),
    save(into) {
      into[0] = state >> 64n;
      into[1] = state & MASK_64;
      into[2] = increment >> 64n;
      into[3] = increment & MASK_64;
    },
    restore(saved) {
      state = (saved[0]! << 64n) | saved[1]!;
      increment = (saved[2]! << 64n) | saved[3]!;
    },
  };
}
