#include "gaussian.h"

#include <cmath>

namespace leash {

constexpr float kHalfLogTwoPi = 0.91893853320467274f;

float log_density(size_t n, const float* action, const float* mean, const float* log_std) {
  float sum = 0;
  for (size_t i = 0; i < n; ++i) {
    float z = (action[i] - mean[i]) * std::exp(-log_std[i]);
    sum -= 0.5f * z * z + log_std[i] + kHalfLogTwoPi;
  }
  return sum;
}

float entropy(size_t n, const float* log_std) {
  float sum = 0;
  for (size_t i = 0; i < n; ++i) sum += log_std[i] + 0.5f + kHalfLogTwoPi;
  return sum;
}

}  // namespace leash
