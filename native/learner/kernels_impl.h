// The kernels in GCC's vector extensions; included once by each kernels_<set>.cc, which says how wide a vector is.
#include <cstdint>
#include <cstring>

#include "kernels.h"

namespace leash {
namespace {

constexpr size_t kLanes = LEASH_VECTOR_BYTES / sizeof(float);
constexpr size_t kPanel = 2 * kLanes;
constexpr size_t kTileRows = LEASH_TILE_ROWS;

typedef float Vector __attribute__((vector_size(LEASH_VECTOR_BYTES)));
typedef int32_t Ints __attribute__((vector_size(LEASH_VECTOR_BYTES)));
/** The same without a claim on alignment. */
typedef float Loose __attribute__((vector_size(LEASH_VECTOR_BYTES), aligned(4)));

inline Vector load(const float* p) { return *reinterpret_cast<const Loose*>(p); }
inline void store(float* p, Vector v) { *reinterpret_cast<Loose*>(p) = v; }
inline Vector all(float x) { return x - Vector{}; }

// --- matrix product ---

size_t packed_size(size_t k, size_t n) { return k * ((n + kPanel - 1) / kPanel) * kPanel; }

void pack(size_t k, size_t n, const float* b, size_t row_stride, size_t column_stride, float* packed) {
  for (size_t j0 = 0; j0 < n; j0 += kPanel) {
    size_t width = n - j0 < kPanel ? n - j0 : kPanel;
    if (column_stride == 1 && width == kPanel) {
      for (size_t l = 0; l < k; ++l) std::memcpy(packed + l * kPanel, b + l * row_stride + j0, kPanel * sizeof(float));
    } else if (row_stride == 1) {
      for (size_t j = 0; j < kPanel; ++j) {
        const float* column = b + (j0 + j) * column_stride;
        for (size_t l = 0; l < k; ++l) packed[l * kPanel + j] = j < width ? column[l] : 0.f;
      }
    } else {
      for (size_t l = 0; l < k; ++l) {
        for (size_t j = 0; j < kPanel; ++j) packed[l * kPanel + j] = j < width ? b[l * row_stride + (j0 + j) * column_stride] : 0.f;
      }
    }
    packed += k * kPanel;
  }
}

/** c [Rows, up to kPanel] (+)= a [Rows, k]·panel [k, kPanel], Vectors of each panel row computed. */
template <size_t Rows, size_t Vectors>
void tile(size_t k, size_t width, const float* a, size_t row_stride, size_t column_stride, const float* panel, float* c, size_t c_stride, bool accumulate) {
  Vector sum[Rows][Vectors];
  for (size_t i = 0; i < Rows; ++i) {
    for (size_t v = 0; v < Vectors; ++v) sum[i][v] = Vector{};
  }
  for (size_t l = 0; l < k; ++l) {
    Vector b[Vectors];
    for (size_t v = 0; v < Vectors; ++v) b[v] = load(panel + l * kPanel + v * kLanes);
#pragma GCC unroll 16
    for (size_t i = 0; i < Rows; ++i) {
      Vector x = all(a[i * row_stride + l * column_stride]);
      for (size_t v = 0; v < Vectors; ++v) sum[i][v] += x * b[v];
    }
  }
  if (width == Vectors * kLanes) {
    for (size_t i = 0; i < Rows; ++i) {
      for (size_t v = 0; v < Vectors; ++v) {
        float* out = c + i * c_stride + v * kLanes;
        store(out, accumulate ? load(out) + sum[i][v] : sum[i][v]);
      }
    }
    return;
  }
  float row[kPanel] = {};
  for (size_t i = 0; i < Rows; ++i) {
    for (size_t v = 0; v < Vectors; ++v) store(row + v * kLanes, sum[i][v]);
    float* out = c + i * c_stride;
    for (size_t j = 0; j < width; ++j) out[j] = accumulate ? out[j] + row[j] : row[j];
  }
}

using Tile = void (*)(size_t, size_t, const float*, size_t, size_t, const float*, float*, size_t, bool);
template <size_t Vectors>
Tile tile_of(size_t rows) {
  static const Tile table[] = {nullptr,          tile<1, Vectors>, tile<2, Vectors>, tile<3, Vectors>,  tile<4, Vectors>,  tile<5, Vectors>, tile<6, Vectors>,
#if LEASH_TILE_ROWS > 6
                               tile<7, Vectors>, tile<8, Vectors>, tile<9, Vectors>, tile<10, Vectors>, tile<11, Vectors>, tile<12, Vectors>
#endif
  };
  return table[rows];
}

/** Depth of one pass: a panel of it stays in the first-level cache. */
constexpr size_t kDepth = 256;

void multiply(size_t m, size_t n, size_t k, const float* a, size_t row_stride, size_t column_stride, const float* packed, float* c, size_t c_stride, bool accumulate) {
  for (size_t j0 = 0; j0 < n; j0 += kPanel) {
    const float* panel = packed + j0 * k;
    size_t width = n - j0 < kPanel ? n - j0 : kPanel;
    bool narrow = width <= kLanes;
    for (size_t l0 = 0; l0 < k; l0 += kDepth) {
      size_t depth = k - l0 < kDepth ? k - l0 : kDepth;
      bool add = accumulate || l0 > 0;
      for (size_t i0 = 0; i0 < m; i0 += kTileRows) {
        size_t rows = m - i0 < kTileRows ? m - i0 : kTileRows;
        Tile run = narrow ? tile_of<1>(rows) : tile_of<2>(rows);
        run(depth, width, a + i0 * row_stride + l0 * column_stride, row_stride, column_stride, panel + l0 * kPanel, c + i0 * c_stride + j0, c_stride, add);
      }
    }
  }
}

// --- activations ---

/** exp to about 1e-7 relative: 2^n·p(r), |r| ≤ ln 2 / 2. Arguments beyond ±87 are clipped; NaN stays NaN. */
inline Vector exponential(Vector x) {
  const Vector low = all(-87.f), high = all(87.f);
  x = x < low ? low : x;
  x = x > high ? high : x;
  const float to_integer = 12582912.f;  // 1.5·2^23: adding it rounds to a whole number
  Vector shifted = x * 1.44269504088896341f + to_integer;
  Vector n = shifted - to_integer;
  Vector r = x - n * 0.693359375f + n * 2.12194440e-4f;
  Vector p = all(1.9875691500e-4f);
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * (r * r) + r + 1.f;
  // The low bits of `shifted` are n; moved into the exponent they make 2^n.
  Ints bits = ((Ints)shifted << 23) + 0x3f800000;
  return p * (Vector)bits;
}

inline Vector activated(Vector x, Activation f) {
  if (f == Activation::elu) {
    Vector negative = exponential(x) - 1.f;
    return x > Vector{} ? x : (x <= Vector{} ? negative : x);
  }
  const Vector limit = all(9.f);
  Vector inside = x > limit ? limit : (x < -limit ? -limit : x);
  Vector e = exponential(inside + inside);
  return (e - 1.f) / (e + 1.f);
}

template <class Step>
void each_row(size_t rows, size_t width, float* y, const float* bias, Step step) {
  size_t whole = width - width % kLanes;
  for (size_t r = 0; r < rows; ++r) {
    float* row = y + r * width;
    for (size_t j = 0; j < whole; j += kLanes) store(row + j, step(load(row + j) + load(bias + j)));
    if (whole < width) {
      float rest[kLanes] = {};
      for (size_t j = whole; j < width; ++j) rest[j - whole] = row[j] + bias[j];
      store(rest, step(load(rest)));
      for (size_t j = whole; j < width; ++j) row[j] = rest[j - whole];
    }
  }
}

void bias_activate(size_t rows, size_t width, float* y, const float* bias, Activation f) {
  if (f == Activation::elu) each_row(rows, width, y, bias, [](Vector x) { return activated(x, Activation::elu); });
  else each_row(rows, width, y, bias, [](Vector x) { return activated(x, Activation::tanh); });
}

void add_bias(size_t rows, size_t width, float* y, const float* bias) {
  each_row(rows, width, y, bias, [](Vector x) { return x; });
}

void activation_gradient(size_t count, const float* y, float* dy, Activation f) {
  if (f == Activation::elu) {
    for (size_t i = 0; i < count; ++i) dy[i] *= y[i] > 0.f ? 1.f : y[i] + 1.f;
  } else {
    for (size_t i = 0; i < count; ++i) dy[i] *= 1.f - y[i] * y[i];
  }
}

void add_column_sums(size_t rows, size_t width, const float* x, float* sums) {
  for (size_t r = 0; r < rows; ++r) {
    for (size_t j = 0; j < width; ++j) sums[j] += x[r * width + j];
  }
}

void adam(size_t count, const float* gradient, float scale, float rate, float bias_mean, float bias_variance, float* mean, float* variance, float* parameters) {
  for (size_t i = 0; i < count; ++i) {
    float g = gradient[i] * scale;
    mean[i] = kAdamBeta1 * mean[i] + (1.f - kAdamBeta1) * g;
    variance[i] = kAdamBeta2 * variance[i] + (1.f - kAdamBeta2) * g * g;
    parameters[i] -= rate * (mean[i] * bias_mean) / (__builtin_sqrtf(variance[i] * bias_variance) + kAdamEpsilon);
  }
}

}  // namespace

const Kernels LEASH_KERNELS = {LEASH_KERNELS_NAME, kPanel, packed_size, pack, multiply, bias_activate, add_bias, activation_gradient, add_column_sums, adam};

}  // namespace leash
