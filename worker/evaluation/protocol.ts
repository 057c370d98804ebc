/** The fixed benchmark of the Pupper task: what is run, and how it is scored. */

export const PROTOCOL = 'pupper-fixed-v1';

/** Commands vx, vy (m/s), wz (rad/s) by scenario. */
export const SCENARIOS = {
  stand: [0, 0, 0],
  forward: [0.5, 0, 0],
  backward: [-0.3, 0, 0],
  lateral: [0, 0.3, 0],
  yaw: [0, 0, 0.8],
} as const satisfies Record<string, readonly [number, number, number]>;
export type Scenario = keyof typeof SCENARIOS;
export const SCENARIO_NAMES = Object.keys(SCENARIOS) as readonly Scenario[];
/** The scenarios whose linear error counts in the score. */
export const TRANSLATIONS: readonly Scenario[] = ['forward', 'backward', 'lateral'];

export const SEEDS = [11, 22, 33] as const;
/** Control steps: 10 s. */
export const BENCHMARK_STEPS = 500;
