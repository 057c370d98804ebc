// What an update spends its time in, as a table of functions: one table an instruction set.
#pragma once
#include <cstddef>

#include "adam.h"

namespace leash {

enum class Activation { tanh, elu };

/** Element (i, j) of a matrix lies at data[i·row_stride + j·column_stride]. */
struct MatrixView {
  const float* data;
  size_t row_stride, column_stride;
};

struct Kernels {
  const char* name;
  /** Floats that packing a [k, n] matrix takes. */
  size_t (*packed_size)(size_t k, size_t n);
  /** Packs b [k, n] into panels of columns, the last padded with zeros. */
  void (*pack)(size_t k, size_t n, MatrixView b, float* packed);
  /** c [m, n], row-major and contiguous, = or += a [m, k]·b with b packed. The order of each sum over k depends on nothing but k. */
  void (*multiply)(size_t m, size_t n, size_t k, MatrixView a, const float* packed, float* c, bool accumulate);
  /** y[r, :] = f(y[r, :] + bias) */
  void (*bias_activate)(size_t rows, size_t width, float* y, const float* bias, Activation f);
  /** y[r, :] += bias */
  void (*add_bias)(size_t rows, size_t width, float* y, const float* bias);
  /** dy *= f'(x), from the activation's output y. */
  void (*activation_gradient)(size_t count, const float* y, float* dy, Activation f);
  /** sums[j] += Σ_r x[r, j] */
  void (*add_column_sums)(size_t rows, size_t width, const float* x, float* sums);
  /** Σ x² in double precision. */
  double (*squares)(size_t count, const float* x);
  /** Moments and parameters [count] in place. */
  void (*adam)(size_t count, const float* gradient, AdamStep step, float* mean, float* variance, float* parameters);
  /** Multiply-adds out of registers; returns how many operations these were. */
  double (*multiply_adds)(size_t repeats);
};

/** The best table that this processor runs; the environment variable LEASH_SIMD (avx512, avx2, baseline) asks for another. */
const Kernels& kernels();

extern const Kernels kernels_baseline;
extern const Kernels kernels_avx2;
extern const Kernels kernels_avx512;

}  // namespace leash
