/** IEEE 754 half precision as bits, for networks that take or give float16 (Node 20 has no Float16Array). */

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** Rounds to the nearest half, ties to even; too large becomes infinite. @returns 16 bits */
export function toHalf(value: number): number {
  float[0] = value;
  const sign = (bits[0]! >>> 16) & 0x8000;
  const magnitude = bits[0]! & 0x7fffffff;
  if (magnitude > 0x7f800000) return sign | 0x7e00;
  // From 65520 on the nearest half is infinity.
  if (magnitude >= 0x477ff000) return sign | 0x7c00;
  if (magnitude < 0x38800000) return sign | subnormal(Math.abs(float[0]));
  const rebased = magnitude - 0x38000000;
  const odd = (rebased >>> 13) & 1;
  return sign | ((rebased + 0xfff + odd) >>> 13);
}

/** Halves below 2⁻¹⁴ are multiples of 2⁻²⁴. */
function subnormal(value: number): number {
  const scaled = value * 2 ** 24;
  const below = Math.floor(scaled);
  const rest = scaled - below;
  return rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below;
}

/** Exact. @param half 16 bits */
export function fromHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >>> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
