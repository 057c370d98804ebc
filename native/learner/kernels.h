// What an update spends its time in, as a table of functions: one table an instruction set.
#pragma once
#include <cstddef>

namespace leash {

enum class Activation { tanh, elu };

struct Kernels {
  const char* name;
  /** Columns of a packed panel. */
  size_t panel;
  /** Floats that packing a [k, n] matrix takes. */
  size_t (*packed_size)(size_t k, size_t n);
  /** Packs b, element (i, j) at b[i·row_stride + j·column_stride], into panels of columns padded with zeros. */
  void (*pack)(size_t k, size_t n, const float* b, size_t row_stride, size_t column_stride, float* packed);
  /** c [m, n] row-major (+)= a·b; a's element (i, l) at a[i·row_stride + l·column_stride], b packed. */
  void (*multiply)(size_t m, size_t n, size_t k, const float* a, size_t row_stride, size_t column_stride, const float* packed, float* c, size_t c_stride, bool accumulate);
  /** y[r, :] = f(y[r, :] + bias) */
  void (*bias_activate)(size_t rows, size_t width, float* y, const float* bias, Activation f);
  /** y[r, :] += bias */
  void (*add_bias)(size_t rows, size_t width, float* y, const float* bias);
  /** dy *= f'(x), from the activation's output y. */
  void (*activation_gradient)(size_t count, const float* y, float* dy, Activation f);
  /** sums[j] += Σ_r x[r, j] */
  void (*add_column_sums)(size_t rows, size_t width, const float* x, float* sums);
  /** Adam on [count]: moments and parameters in place; `scale` multiplies the gradient first. */
  void (*adam)(size_t count, const float* gradient, float scale, float rate, float bias_mean, float bias_variance, float* mean, float* variance, float* parameters);
};

/** The best table that this processor runs. */
const Kernels& kernels();

extern const Kernels kernels_baseline;
extern const Kernels kernels_avx2;
extern const Kernels kernels_avx512;

constexpr float kAdamBeta1 = 0.9f;
constexpr float kAdamBeta2 = 0.999f;
constexpr float kAdamEpsilon = 1e-5f;

}  // namespace leash
