/**
 * Sine and cosine rounded from twice the precision. V8's differ from the C library's, and so from NumPy's, in the last
 * bit now and then; a start that must agree digit for digit cannot use them.
 *
 * Numbers here are pairs [high, low] whose exact sum is meant.
 * @see Dekker, "A floating-point technique for extending the available precision" (1971)
 */
type Pair = readonly [high: number, low: number];

function sum(a: number, b: number): Pair {
  const s = a + b;
  const part = s - a;
  return [s, a - (s - part) + (b - part)];
}

const SPLIT = 134217729;
function product(a: number, b: number): Pair {
  const p = a * b;
  const aBig = SPLIT * a - (SPLIT * a - a);
  const bBig = SPLIT * b - (SPLIT * b - b);
  const aSmall = a - aBig;
  const bSmall = b - bBig;
  return [p, aSmall * bSmall - (p - aBig * bBig - aSmall * bBig - aBig * bSmall)];
}

function add(a: Pair, b: Pair): Pair {
  const [s, error] = sum(a[0], b[0]);
  return sum(s, error + a[1] + b[1]);
}

function multiply(a: Pair, b: Pair): Pair {
  const [p, error] = product(a[0], b[0]);
  return sum(p, error + a[0] * b[1] + a[1] * b[0]);
}

function divide(a: Pair, by: number): Pair {
  const q = a[0] / by;
  const [p, error] = product(q, by);
  return sum(q, (a[0] - p - error + a[1]) / by);
}

/** Taylor series whose first term is `first`, the next by −x²/(n(n+1)) each. */
function series(x: number, first: Pair, firstPower: number): number {
  const square = multiply([x, 0], [x, 0]);
  const minusSquare: Pair = [-square[0], -square[1]];
  let term = first;
  let total = first;
  for (let n = firstPower + 1; Math.abs(term[0]) > 1e-40; n += 2) {
    term = divide(multiply(term, minusSquare), n * (n + 1));
    total = add(total, term);
  }
  return total[0];
}

/** @param x radians, |x| ≤ π */
export const roundedCos = (x: number): number => series(x, [1, 0], 0);
/** @param x radians, |x| ≤ π */
export const roundedSin = (x: number): number => (x === 0 ? x : series(x, [x, 0], 1));
