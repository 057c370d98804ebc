#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace leash {

/**
 * Standard normal noise as a pure function of (seed, stream, counter): Philox4x32-10, then Box–Muller.
 * @see Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011)
 */
void philox_normals(uint64_t seed, uint32_t stream, uint32_t counter, float* out, size_t count);

/** xoshiro256**, for shuffles and initial weights. @see Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2021) */
struct Xoshiro {
  std::array<uint64_t, 4> state;
  explicit Xoshiro(uint64_t seed);
  uint64_t next();
  /** Uniform in [0, 1). */
  double uniform();
  double normal();
  /** Fisher–Yates. */
  void shuffle(std::vector<uint32_t>& items);
};

}  // namespace leash
