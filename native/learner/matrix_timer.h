#pragma once
#include <cstddef>

namespace leash {

/** Seconds for `repeats` products a [m, k]·bᵀ [k, n] with b already packed, the rows of a split over the threads. */
double time_matrix_product(size_t m, size_t n, size_t k, int repeats, int threads);

/** Floating-point operations a second of multiply-adds out of registers, over that many threads. */
double arithmetic_peak(int threads);

}  // namespace leash
