import type { BenchmarkResult } from './benchmark.ts';
import type { GridResult } from './command_grid.ts';
import { SCENARIO_NAMES } from './protocol.ts';
import { wilsonInterval } from './statistics.ts';

/** A benchmark result with the name that people know the policy by. */
export interface NamedResult {
  readonly name: string;
  readonly result: BenchmarkResult;
}

/** Rows of cells as aligned text: the first column to the left, figures to the right. */
export function alignedTable(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, c) => Math.max(...rows.map((row) => (row[c] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, c) => (c === 0 ? cell.padEnd(widths[c]!) : cell.padStart(widths[c]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The benchmark for people: the score beside that of a robot that never moves, then each scenario. */
export function benchmarkReport(results: readonly NamedResult[], still: BenchmarkResult): string {
  const column = (value: (result: BenchmarkResult) => string): string[] => [...results.map(({ result }) => value(result)), value(still)];
  const share = (result: BenchmarkResult): string => {
    const completed = result.episodes.filter((episode) => episode.completed).length;
    return `${completed}/${result.episodes.length}`;
  };
  const interval = (result: BenchmarkResult): string => {
    const completed = result.episodes.filter((episode) => episode.completed).length;
    return wilsonInterval(completed, result.episodes.length)
      .map((bound) => (100 * bound).toFixed(0))
      .join('–');
  };
  const summary = [
    ['', ...results.map(({ name }) => name), 'never moves'],
    ['score (of 100)', ...column((r) => r.score.toFixed(2))],
    ['completed', ...column(share)],
    ['  95 % interval, %', ...column(interval)],
    ['survival', ...column((r) => r.survival_ratio.toFixed(3))],
    ['translation RMSE, m/s', ...column((r) => r.translation_rmse.toFixed(4))],
    ['yaw RMSE, rad/s', ...column((r) => r.yaw_command_rmse.toFixed(4))],
    ['tilt, °', ...column((r) => r.tilt_deg.toFixed(2))],
  ];
  const scenarios = results.map(({ name, result }) => {
    const rows = SCENARIO_NAMES.map((scenario) => {
      const s = result.by_scenario[scenario]!;
      const velocity = [s.vx_mean, s.vy_mean, s.wz_mean].map((v) => v.toFixed(3));
      return [
        scenario,
        `${s.completed}/${s.episodes}`,
        s.linear_rmse.toFixed(4),
        s.yaw_rmse.toFixed(4),
        s.tilt_deg.toFixed(2),
        ...velocity,
      ];
    });
    return `${name}\n${alignedTable([['scenario', 'completed', 'linear RMSE, m/s', 'yaw RMSE, rad/s', 'tilt, °', 'mean vx', 'vy', 'wz'], ...rows])}`;
  });
  return `${[alignedTable(summary), ...scenarios].join('\n\n')}\n`;
}

/** Commanded against measured, a row a command. */
export function gridReport(name: string, grid: GridResult): string {
  const figure = (value: number | null): string => (value === null ? '–' : value.toFixed(3));
  const rows = grid.points.map((point) => [
    point.commanded.toFixed(2),
    figure(point.measured),
    figure(point.deviation),
    figure(point.measured === null ? null : point.measured - point.commanded),
    `${point.completed}/${point.episodes}`,
    point.causes.join(', '),
  ]);
  return `${name}: ${grid.axis} in ${grid.unit}, ${grid.seeds.length} seeds a command, mean after 2 s\n${alignedTable([['commanded', 'measured', '± seeds', 'error', 'completed', 'fell by'], ...rows])}\n`;
}
