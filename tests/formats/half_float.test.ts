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
  for (let bits = 0; bits < 65_536; bits++) {
    const value = fromHalf(bits);
    if (Number.isNaN(value)) expect(fromHalf(toHalf(value))).toBeNaN();
    else if (toHalf(value) !== bits) expect.fail(`${bits} became ${toHalf(value)}`);
  }
});

it('rounds to the nearest half, and ties to the even one', () => {
  // Between every two neighbours: a quarter of the way goes down, three quarters up, the middle to the even one.
  for (let bits = 0; bits < 0x7bff; bits++) {
    const [low, high] = [fromHalf(bits), fromHalf(bits + 1)];
    const rounded = [toHalf(low * 0.75 + high * 0.25), toHalf(low * 0.25 + high * 0.75), toHalf((low + high) / 2)];
    const expected = [bits, bits + 1, bits % 2 === 0 ? bits : bits + 1];
    if (rounded.join() !== expected.join()) expect.fail(`above ${low}: ${rounded.join()} instead of ${expected.join()}`);
  }
  expect(toHalf(65_519)).toBe(0x7bff);
  expect(toHalf(65_520)).toBe(0x7c00);
});
