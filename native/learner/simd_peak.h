// What the arithmetic units could do at best: multiply-adds that wait for nothing, for the bench.
#pragma once
#include "simd_vector.h"

namespace leash {
namespace {

double multiply_adds(size_t repeats) {
  // As many independent sums as keep every unit busy, and few enough to stay in registers.
  constexpr size_t kSums = LEASH_TILE_ROWS > 6 ? 24 : 12;
  // From a value that the compiler cannot know, each sum another, or it would compute one for all.
  volatile float unknown = 0.1f;
  Vector sum[kSums];
  for (size_t i = 0; i < kSums; ++i) sum[i] = all(unknown * static_cast<float>(i));
  Vector factor = all(0.999f), term = all(1e-3f);
  for (size_t r = 0; r < repeats; ++r) {
#pragma GCC unroll 24
    for (size_t i = 0; i < kSums; ++i) sum[i] = sum[i] * factor + term;
  }
  Vector total{};
  for (size_t i = 0; i < kSums; ++i) total += sum[i];
  // Keeps the loop from being optimized away.
  volatile float sink = total[0];
  (void)sink;
  return 2.0 * kLanes * kSums * static_cast<double>(repeats);
}

}  // namespace
}  // namespace leash
