// One vector register in GCC's and Clang's vector extensions, LEASH_VECTOR_BYTES wide. This and the other simd_*.h are
// compiled once for each instruction set (kernels_<set>.cc), each time into an anonymous namespace of its own.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels.h"

namespace leash {
namespace {

constexpr size_t kLanes = LEASH_VECTOR_BYTES / sizeof(float);

typedef float Vector __attribute__((vector_size(LEASH_VECTOR_BYTES)));
typedef int32_t Ints __attribute__((vector_size(LEASH_VECTOR_BYTES)));
/** The same without a claim on alignment. */
typedef float Loose __attribute__((vector_size(LEASH_VECTOR_BYTES), aligned(4), may_alias));

inline Vector load(const float* p) { return *reinterpret_cast<const Loose*>(p); }
inline void store(float* p, Vector v) { *reinterpret_cast<Loose*>(p) = v; }
inline Vector all(float x) { return x - Vector{}; }

/** Calls whole(i) for each whole vector of [0, count), then rest(i, how many) for what is left over. */
template <class Whole, class Rest>
inline void along(size_t count, Whole whole, Rest rest) {
  size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) whole(i);
  if (i < count) rest(i, count - i);
}

/** The first `count` numbers at p, zeros behind them. */
inline Vector load_some(const float* p, size_t count) {
  float lanes[kLanes] = {};
  std::memcpy(lanes, p, count * sizeof(float));
  return load(lanes);
}
inline void store_some(float* p, size_t count, Vector v) {
  float lanes[kLanes];
  store(lanes, v);
  std::memcpy(p, lanes, count * sizeof(float));
}

}  // namespace
}  // namespace leash
