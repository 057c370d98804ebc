import { InvalidArgumentError } from 'commander';

const scales: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, g: 1e9 };

/**
 * A count of steps as people write it: `10M`, `2.5M`, `250k`, `1e6`, `300_000`.
 * @throws InvalidArgumentError (commander turns it into exit code 2)
 */
export function parseStepCount(text: string): number {
  const match = /^(\d[\d_]*(?:\.\d+)?)(?:e(\d{1,2})|([kmg]))?$/i.exec(text);
  const scale = match?.[3] === undefined ? 10 ** Number(match?.[2] ?? 0) : scales[match[3].toLowerCase()];
  const steps = match === null ? Number.NaN : Number(match[1].replaceAll('_', '')) * scale;
  const whole = Math.round(steps);
  // The tolerance forgives binary rounding in 2.3M, not a fraction of a step.
  if (!Number.isSafeInteger(whole) || whole < 1 || Math.abs(steps - whole) > 1e-6)
    throw new InvalidArgumentError('Write a whole number of steps such as 10M, 250k or 1e6.');
  return whole;
}

/** A whole number from 1 on. */
export function parsePositiveInteger(text: string): number {
  const value = wholeNumber(text);
  if (value === null || value < 1) throw new InvalidArgumentError('Write a whole number from 1 on, such as 4.');
  return value;
}

/** A seed: a whole number from 0 to 2³² − 1. */
export function parseSeed(text: string): number {
  const value = wholeNumber(text);
  if (value === null || value > 0xffffffff) throw new InvalidArgumentError('Write a whole number from 0 to 4294967295, such as 42.');
  return value;
}

function wholeNumber(text: string): number | null {
  if (!/^\d+$/.test(text)) return null;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : null;
}
