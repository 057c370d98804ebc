/** A number that changes over a run: constant, or piecewise linear through `[environment step, value]` points. */
export type Schedule = number | readonly (readonly [step: number, value: number])[];

/** The schedule's value at an environment step; before the first and after the last point it stays level. */
export function valueAt(schedule: Schedule, step: number): number {
  if (typeof schedule === 'number') return schedule;
  const after = schedule.findIndex(([at]) => at > step);
  if (after === 0) return schedule[0]![1];
  if (after === -1) return schedule[schedule.length - 1]![1];
  const [fromStep, from] = schedule[after - 1]!;
  const [toStep, to] = schedule[after]!;
  return from + ((to - from) * (step - fromStep)) / (toStep - fromStep);
}
