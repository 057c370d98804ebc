// Sums over a gradient, and Adam's step with it.
#pragma once
#include "simd_vector.h"

namespace leash {
namespace {

void add_column_sums(size_t rows, size_t width, const float* x, float* sums) {
  auto column = [&](size_t j, size_t lanes) {
    Vector sum = load_some(sums + j, lanes);
    for (size_t r = 0; r < rows; ++r) {
      const float* from = x + r * width + j;
      sum += lanes == kLanes ? load(from) : load_some(from, lanes);
    }
    store_some(sums + j, lanes, sum);
  };
  along(width, [&](size_t j) { column(j, kLanes); }, column);
}

double squares(size_t count, const float* x) {
  double sums[8] = {};
  size_t whole = count - count % 8;
  for (size_t i = 0; i < whole; i += 8) {
    for (size_t j = 0; j < 8; ++j) sums[j] += static_cast<double>(x[i + j]) * x[i + j];
  }
  for (size_t i = whole; i < count; ++i) sums[0] += static_cast<double>(x[i]) * x[i];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

void adam(size_t count, const float* __restrict gradient, AdamStep step, float* __restrict mean, float* __restrict variance,
          float* __restrict parameters) {
  constexpr float beta1 = static_cast<float>(kAdamBeta1), beta2 = static_cast<float>(kAdamBeta2), 
                  epsilon = static_cast<float>(kAdamEpsilon);
  for (size_t i = 0; i < count; ++i) {
    float g = gradient[i] * step.scale;
    mean[i] = beta1 * mean[i] + (1.f - beta1) * g;
    variance[i] = beta2 * variance[i] + (1.f - beta2) * g * g;
    float deviation = __builtin_sqrtf(variance[i] * step.variance_correction);
    parameters[i] -= step.rate * (mean[i] * step.mean_correction) / (deviation + epsilon);
  }
}

}  // namespace
}  // namespace leash
