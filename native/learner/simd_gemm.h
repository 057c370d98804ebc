// The matrix product: b in packed panels, a as it lies, a tile of c in registers.
#pragma once
#include "simd_vector.h"

namespace leash {
namespace {

/** Columns of a panel. With LEASH_TILE_ROWS rows a tile's sums fill most of the registers. */
constexpr size_t kPanel = 2 * kLanes;
constexpr size_t kTileRows = LEASH_TILE_ROWS;
/** Depth of one pass: that much of a panel stays in the first-level cache. */
constexpr size_t kDepth = 256;

size_t packed_size(size_t k, size_t n) { return k * ((n + kPanel - 1) / kPanel) * kPanel; }

void pack(size_t k, size_t n, MatrixView b, float* packed) {
  for (size_t j0 = 0; j0 < n; j0 += kPanel, packed += k * kPanel) {
    size_t width = n - j0 < kPanel ? n - j0 : kPanel;
    if (width < kPanel) std::memset(packed, 0, k * kPanel * sizeof(float));
    const float* from = b.data + j0 * b.column_stride;
    for (size_t l = 0; b.column_stride == 1 && l < k; ++l) {
      float* row = packed + l * kPanel;
      if (width == kPanel) std::memcpy(row, from + l * b.row_stride, kPanel * sizeof(float));
      else for (size_t j = 0; j < width; ++j) row[j] = from[l * b.row_stride + j];
    }
    for (size_t j = 0; b.column_stride != 1 && j < width; ++j) {
      for (size_t l = 0; l < k; ++l) packed[l * kPanel + j] = from[l * b.row_stride + j * b.column_stride];
    }
  }
}

/** p + stride, computed here and now: the compiler would rather keep the addresses of all rows from the start, on the stack. */
template <class T>
inline T* next_row(T* p, size_t stride) {
  p += stride;
  asm volatile("" : "+r"(p));
  return p;
}

/**
 * c [Rows, whole vectors] (+)= a [Rows, k]·panel [k, kPanel], of which Vectors a row are computed. Element
 * (i, l) of a lies at a[i·a_row + l·a_column]. Without the pragmas the sums would go through memory before and after the
 * loop over k; a MatrixView as an argument would, and costs a short product a third of its time.
 */
template <size_t Rows, size_t Vectors>
void whole_tile(size_t k, const float* a, size_t a_row, size_t a_column, const float* panel, float* c, size_t c_stride, bool accumulate) {
  Vector sum[Rows][Vectors];
#pragma GCC unroll 16
  for (size_t i = 0; i < Rows; ++i) {
#pragma GCC unroll 2
    for (size_t v = 0; v < Vectors; ++v) sum[i][v] = Vector{};
  }
  if (accumulate) {
    const float* row = c;
#pragma GCC unroll 16
    for (size_t i = 0; i < Rows; ++i, row = next_row(row, c_stride)) {
#pragma GCC unroll 2
      for (size_t v = 0; v < Vectors; ++v) sum[i][v] = load(row + v * kLanes);
    }
  }
  for (size_t l = 0; l < k; ++l) {
    Vector b[Vectors];
#pragma GCC unroll 2
    for (size_t v = 0; v < Vectors; ++v) b[v] = load(panel + l * kPanel + v * kLanes);
#pragma GCC unroll 16
    for (size_t i = 0; i < Rows; ++i) {
      Vector x = all(a[i * a_row + l * a_column]);
#pragma GCC unroll 2
      for (size_t v = 0; v < Vectors; ++v) sum[i][v] += x * b[v];
    }
  }
#pragma GCC unroll 16
  for (size_t i = 0; i < Rows; ++i, c = next_row(c, c_stride)) {
#pragma GCC unroll 2
    for (size_t v = 0; v < Vectors; ++v) store(c + v * kLanes, sum[i][v]);
  }
}

/** The same for any width. */
template <size_t Rows, size_t Vectors>
void tile(size_t k, size_t width, const float* a, size_t a_row, size_t a_column, const float* panel, float* c, size_t c_stride,
          bool accumulate) {
  constexpr size_t kWidth = Vectors * kLanes;
  if (width == kWidth) return whole_tile<Rows, Vectors>(k, a, a_row, a_column, panel, c, c_stride, accumulate);
  float part[Rows * kWidth] = {};
  for (size_t i = 0; accumulate && i < Rows; ++i) std::memcpy(part + i * kWidth, c + i * c_stride, width * sizeof(float));
  whole_tile<Rows, Vectors>(k, a, a_row, a_column, panel, part, kWidth, accumulate);
  for (size_t i = 0; i < Rows; ++i) std::memcpy(c + i * c_stride, part + i * kWidth, width * sizeof(float));
}

using Tile = void (*)(size_t, size_t, const float*, size_t, size_t, const float*, float*, size_t, bool);

template <size_t Vectors>
Tile tile_of(size_t rows) {
  static constexpr Tile table[] = {
      nullptr,          tile<1, Vectors>, tile<2, Vectors>, tile<3, Vectors>,  tile<4, Vectors>,  tile<5, Vectors>, tile<6, Vectors>,
#if LEASH_TILE_ROWS > 6
      tile<7, Vectors>, tile<8, Vectors>, tile<9, Vectors>, tile<10, Vectors>, tile<11, Vectors>, tile<12, Vectors>,
#endif
  };
  return table[rows];
}

void multiply(size_t m, size_t n, size_t k, MatrixView a, const float* packed, float* c, bool accumulate) {
  for (size_t j0 = 0; j0 < n; j0 += kPanel) {
    const float* panel = packed + j0 * k;
    size_t width = n - j0 < kPanel ? n - j0 : kPanel;
    for (size_t l0 = 0; l0 < k; l0 += kDepth) {
      size_t depth = k - l0 < kDepth ? k - l0 : kDepth;
      for (size_t i0 = 0; i0 < m; i0 += kTileRows) {
        size_t rows = m - i0 < kTileRows ? m - i0 : kTileRows;
        Tile run = width <= kLanes ? tile_of<1>(rows) : tile_of<2>(rows);
        const float* from = a.data + i0 * a.row_stride + l0 * a.column_stride;
        run(depth, width, from, a.row_stride, a.column_stride, panel + l0 * kPanel, c + i0 * n + j0, n, accumulate || l0 > 0);
      }
    }
  }
}

}  // namespace
}  // namespace leash
