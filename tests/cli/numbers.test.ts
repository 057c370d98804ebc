import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';
import { parsePositiveInteger, parseSeed, parseStepCount } from '../../worker/cli/numbers.ts';

describe('a count of steps', () => {
  it.each([
    ['10M', 10_000_000],
    ['2.3M', 2_300_000],
    ['250k', 250_000],
    ['250K', 250_000],
    ['1e6', 1_000_000],
    ['1.5e3', 1500],
    ['300_000', 300_000],
    ['1', 1],
  ])('%s is %d', (text, steps) => {
    expect(parseStepCount(text)).toBe(steps);
  });

  it.each(['abc', '', '-5', '0', '1.5', '0.0001k', '10 M', '10MB', '1e', 'e6', '0x10', 'Infinity', '1e30', '5M5', '1e3k'])(
    'refuses "%s"',
    (text) => {
      expect(() => parseStepCount(text)).toThrow(InvalidArgumentError);
    },
  );
});

describe('whole numbers', () => {
  it('count from 1', () => {
    expect(parsePositiveInteger('4')).toBe(4);
    for (const text of ['0', '-1', '1.0', 'four', '']) expect(() => parsePositiveInteger(text)).toThrow(InvalidArgumentError);
  });

  it('seed from 0 to 2³² − 1', () => {
    expect(parseSeed('0')).toBe(0);
    expect(parseSeed('4294967295')).toBe(4294967295);
    for (const text of ['4294967296', '-1', '1e3']) expect(() => parseSeed(text)).toThrow(InvalidArgumentError);
  });
});
