import { expect, it } from 'vitest';
import { fromHalf, toHalf } from '../../worker/formats/half_float.ts';

// IEEE 754-2008, binary16: bits and values as the standard's own examples and limits have them.
const examples: [number, number][] = [
  [0x0000, 0],
  [0x3c00, 1],
  [0xc000, -2],
  [0x3555, 0.333251953125],
  [0x7bff, 65504],
  [0x0400, 2 ** -14],
  [0x03ff, (1023 / 1024) * 2 ** -14],
  [0x0001, 2 ** -24],
  [0x7c00, Number.POSITIVE_INFINITY],
  [0xfc00, Number.NEGATIVE_INFINITY],
];

it.each(examples)('reads and writes %i as %d', (bits, value) => {
  expect(fromHalf(bits)).toBe(value);
  expect(toHalf(value)).toBe(bits);
});

it('returns every one of the 65,536 halves to its own bits', () => {
  const changed = Array.from({ length: 65_536 }, (_, bits) => bits).filter((bits) => {
    const value = fromHalf(bits);
    return Number.isNaN(value) ? !Number.isNaN(fromHalf(toHalf(value))) : toHalf(value) !== bits;
  });
  expect(changed).toEqual([]);
});

it('rounds to the nearest half, and ties to the even one', () => {
  // Between two neighbours: a quarter of the way goes down, three quarters up, the middle to the even one.
  const wrong = Array.from({ length: 0x7bff }, (_, bits) => bits).filter((bits) => {
    const [low, high] = [fromHalf(bits), fromHalf(bits + 1)];
    const even = bits % 2 === 0 ? bits : bits + 1;
    return toHalf(low * 0.75 + high * 0.25) !== bits || toHalf(low * 0.25 + high * 0.75) !== bits + 1 || toHalf((low + high) / 2) !== even;
  });
  expect(wrong).toEqual([]);
  expect(toHalf(65_519)).toBe(0x7bff);
  expect(toHalf(65_520)).toBe(0x7c00);
});
