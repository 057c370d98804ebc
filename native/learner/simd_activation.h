// Biases and activations, and their gradients.
#pragma once
#include "simd_vector.h"

namespace leash {
namespace {

/** exp to about 1e-7 relative: 2ⁿ·p(r) with |r| ≤ ln 2 / 2. Arguments beyond ±87 are clipped; NaN stays NaN. */
inline Vector exponential(Vector x) {
  const Vector low = all(-87.f), high = all(87.f);
  x = x < low ? low : x;
  x = x > high ? high : x;
  const float to_integer = 12582912.f;  // 1.5·2²³: adding it rounds to a whole number
  Vector shifted = x * 1.44269504088896341f + to_integer;
  Vector n = shifted - to_integer;
  // ln 2 in two parts, so that the rest r is exact.
  Vector r = x - n * 0.693359375f + n * 2.12194440e-4f;
  // Taylor's series of (eʳ − 1 − r)/r² to r⁷; what is left out is below 1e-8 here.
  Vector p = all(1.f / 5040);
  p = p * r + 1.f / 720;
  p = p * r + 1.f / 120;
  p = p * r + 1.f / 24;
  p = p * r + 1.f / 6;
  p = p * r + 0.5f;
  p = p * (r * r) + r + 1.f;
  // The low bits of `shifted` are n; moved into the exponent they make 2ⁿ.
  Ints bits = ((Ints)shifted << 23) + 0x3f800000;
  return p * (Vector)bits;
}

struct Elu {
  static Vector value(Vector x) {
    Vector negative = exponential(x) - 1.f;
    return x <= Vector{} ? negative : x;
  }
  /** f'(x) from y = f(x). */
  static Vector slope(Vector y) { return y > Vector{} ? all(1.f) : y + 1.f; }
};

struct Tanh {
  static Vector value(Vector x) {
    const Vector limit = all(9.f);
    x = x > limit ? limit : x;
    x = x < -limit ? -limit : x;
    Vector e = exponential(x + x);
    return (e - 1.f) / (e + 1.f);
  }
  static Vector slope(Vector y) { return 1.f - y * y; }
};

struct Identity {
  static Vector value(Vector x) { return x; }
};

template <class F>
inline void bias_then(size_t rows, size_t width, float* y, const float* bias) {
  for (size_t r = 0; r < rows; ++r, y += width) {
    along(
        width, [&](size_t j) { store(y + j, F::value(load(y + j) + load(bias + j))); },
        [&](size_t j, size_t n) { store_some(y + j, n, F::value(load_some(y + j, n) + load_some(bias + j, n))); });
  }
}

void bias_activate(size_t rows, size_t width, float* y, const float* bias, Activation f) {
  if (f == Activation::elu) bias_then<Elu>(rows, width, y, bias);
  else bias_then<Tanh>(rows, width, y, bias);
}

void add_bias(size_t rows, size_t width, float* y, const float* bias) { bias_then<Identity>(rows, width, y, bias); }

template <class F>
void times_slope(size_t count, const float* y, float* dy) {
  along(
      count, [&](size_t i) { store(dy + i, load(dy + i) * F::slope(load(y + i))); },
      [&](size_t i, size_t n) { store_some(dy + i, n, load_some(dy + i, n) * F::slope(load_some(y + i, n))); });
}

void activation_gradient(size_t count, const float* y, float* dy, Activation f) {
  if (f == Activation::elu) times_slope<Elu>(count, y, dy);
  else times_slope<Tanh>(count, y, dy);
}

}  // namespace
}  // namespace leash
