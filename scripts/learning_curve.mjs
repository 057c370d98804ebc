/**
 * Measures every checkpoint of some runs with the fixed benchmark, and writes the curve as a table and a picture:
 *
 *     node scripts/learning_curve.mjs docs/learning_curve runs/seed-1 runs/seed-2 …
 *
 * writes docs/learning_curve.json (every figure) and docs/learning_curve.svg, and prints the table in Markdown.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { runBenchmark } from '../dist/worker/evaluation/benchmark.js';
import { resolveEngine } from '../dist/worker/physics/open_engine.js';
import { listCheckpoints, readRunConfig } from '../dist/worker/training/run_files.js';

const [out, ...runs] = process.argv.slice(2);
if (out === undefined || runs.length === 0) {
  process.stderr.write('Usage: node scripts/learning_curve.mjs <output without ending> <run> [<run> …]\n');
  process.exit(2);
}

const options = { engine: resolveEngine('auto'), threads: availableParallelism() };
const neverMoves = (await runBenchmark({ kind: 'zero' }, options)).score;
const measured = [];
for (const run of runs) {
  const { seed, settings } = readRunConfig(run);
  const points = [];
  for (const { step, path } of listCheckpoints(run)) {
    const result = await runBenchmark({ kind: 'policy', path }, options);
    const { score, survival_ratio, completion_rate, translation_rmse, yaw_command_rmse, tilt_deg } = result;
    points.push({ step, score, survival_ratio, completion_rate, translation_rmse, yaw_command_rmse, tilt_deg });
    process.stderr.write(`${run}: ${step} steps, score ${score.toFixed(2)}\n`);
  }
  measured.push({ run, seed, preset: settings.preset, points });
}
writeFileSync(`${out}.json`, `${JSON.stringify({ never_moves_score: neverMoves, curves: measured }, null, 1)}\n`);
writeFileSync(`${out}.svg`, picture(measured, neverMoves));
process.stdout.write(table(measured));

/** A row a million steps, a column a run. */
function table(curves) {
  const millions = [...new Set(curves.flatMap(({ points }) => points.map(({ step }) => Math.floor(step / 1e6))))].toSorted((a, b) => a - b);
  const rows = millions.map((million) => {
    const scores = curves.map(({ points }) => points.find(({ step }) => Math.floor(step / 1e6) === million)?.score.toFixed(2) ?? '');
    return `| ${million} M | ${scores.join(' | ')} |`;
  });
  return [
    `| steps | ${curves.map(({ preset, seed }) => `${preset}, seed ${seed}`).join(' | ')} |`,
    `|---|${curves.map(() => '---').join('|')}|`,
    ...rows,
    '',
  ].join('\n');
}

/** Score against steps; colours that colour-blind eyes tell apart, and a dash pattern each. */
function picture(curves, still) {
  const [width, height, left, bottom, top, right] = [750, 360, 52, 44, 16, 180];
  const last = Math.max(...curves.flatMap(({ points }) => points.map(({ step }) => step)));
  const low = 40;
  const x = (step) => left + ((width - left - right) * step) / last;
  const y = (score) => height - bottom - ((height - bottom - top) * (score - low)) / (100 - low);
  const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9'];
  const dashes = ['', '7 4', '2 3', '9 3 2 3', '4 4'];
  const text = (tx, ty, words, anchor = 'start', extra = '') =>
    `<text x="${tx.toFixed(1)}" y="${ty.toFixed(1)}" text-anchor="${anchor}"${extra}>${words}</text>`;
  const parts = [];
  for (let score = low; score <= 100; score += 10) {
    parts.push(
      `<line x1="${left}" x2="${width - right}" y1="${y(score)}" y2="${y(score)}" stroke="#888" stroke-opacity="0.25"/>`,
      text(left - 8, y(score) + 4, String(score), 'end'),
    );
  }
  for (let step = 0; step <= last; step += 1e6) parts.push(text(x(step), height - bottom + 18, `${step / 1e6}`, 'middle'));
  parts.push(text((left + width - right) / 2, height - 8, 'environment steps, millions', 'middle'));
  parts.push(
    `<line x1="${left}" x2="${width - right}" y1="${y(still)}" y2="${y(still)}" stroke="#666" stroke-dasharray="1 4"/>`,
    text(width - right + 6, y(still) + 4, `never moves ${still.toFixed(1)}`),
  );
  curves.forEach(({ preset, seed, points }, i) => {
    const line = points.map(({ step, score }) => `${x(step).toFixed(1)},${y(score).toFixed(1)}`).join(' ');
    parts.push(`<polyline points="${line}" fill="none" stroke="${colours[i % 5]}" stroke-width="2" stroke-dasharray="${dashes[i % 5]}"/>`);
    const at = top + 14 + 20 * i;
    parts.push(
      `<line x1="${width - right + 6}" x2="${width - right + 34}" y1="${at}" y2="${at}" stroke="${colours[i % 5]}" stroke-width="2" stroke-dasharray="${dashes[i % 5]}"/>`,
      text(width - right + 40, at + 4, `${preset}, seed ${seed}`),
    );
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#444" role="img"><title>Benchmark score against environment steps</title><rect width="${width}" height="${height}" fill="#fff"/>${parts.join('')}</svg>\n`;
}
