/** Means over nothing are NaN: a figure without data must not look like one. */
export const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Standard deviation of a sample (ddof 1); 0 for a single value. */
export function sampleDeviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const centre = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1));
}

/**
 * Wilson's 95 % interval of a proportion, [low, high].
 * @see Wilson, "Probable inference, the law of succession, and statistical inference" (1927)
 */
export function wilsonInterval(successes: number, trials: number): readonly [number, number] {
  const z = 1.959963984540054;
  const p = successes / trials;
  const centre = p + z ** 2 / (2 * trials);
  const spread = z * Math.sqrt((p * (1 - p)) / trials + z ** 2 / (4 * trials ** 2));
  const scale = 1 + z ** 2 / trials;
  return [Math.max(0, (centre - spread) / scale), Math.min(1, (centre + spread) / scale)];
}
