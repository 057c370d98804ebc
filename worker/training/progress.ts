import type { MetricsLine } from '../protocol/run.ts';

/** Seconds as a person reads them: `42 s`, `3 min 05 s`, `1 h 12 min`. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const two = (n: number): string => String(n).padStart(2, '0');
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  return `${Math.floor(whole / 3600)} h ${two(Math.floor((whole % 3600) / 60))} min`;
}

/** A count of steps in at most five figures: `950 k`, `4.25 M`. */
export function stepCount(steps: number): string {
  if (steps < 1e4) return String(steps);
  return steps < 1e6 ? `${(steps / 1e3).toFixed(0)} k` : `${(steps / 1e6).toFixed(2)} M`;
}

/** One line about an iteration: step, steps/s, return, length, fall rate, KL, σ, time left. */
export function progressLine(line: MetricsLine, totalSteps: number, remainingSeconds: number): string {
  const figure = (key: string, digits: number): string => {
    const value = line[key];
    return typeof value === 'number' ? value.toFixed(digits) : '–';
  };
  const falls = line['episodes/fall_rate'];
  return [
    `step ${stepCount(line.step)} of ${stepCount(totalSteps)}`,
    `${figure('time/fps', 0)} steps/s`,
    `return ${figure('rollout/ep_rew_mean', 2)}`,
    `length ${figure('rollout/ep_len_mean', 0)}`,
    `falls ${typeof falls === 'number' ? `${(100 * falls).toFixed(0)} %` : '–'}`,
    `KL ${figure('train/approx_kl', 4)}`,
    `σ ${figure('train/std', 3)}`,
    `${duration(remainingSeconds)} left`,
  ].join(' · ');
}
