#include "gae.h"

#include <cmath>

namespace leash {

void estimate_advantages(const Batch& b, float gamma, float lambda, float* advantages, float* returns) {
  for (size_t n = 0; n < b.environments; ++n) {
    float trace = 0, next_value = b.last_values[n];
    for (size_t t = b.steps; t-- > 0;) {
      size_t at = t * b.environments + n;
      bool fell = b.terminated[at], ended = fell || b.truncated[at];
      float after = fell ? 0.f : (ended ? b.terminal_values[at] : next_value);
      float delta = b.rewards[at] + gamma * after - b.values[at];
      trace = delta + (ended ? 0.f : gamma * lambda * trace);
      advantages[at] = trace;
      returns[at] = trace + b.values[at];
      next_value = b.values[at];
    }
  }
}

double explained_variance(const float* values, const float* returns, size_t count) {
  double mean = 0, mean_error = 0, total = 0, left = 0;
  for (size_t i = 0; i < count; ++i) {
    mean += returns[i];
    mean_error += returns[i] - values[i];
  }
  mean /= count;
  mean_error /= count;
  for (size_t i = 0; i < count; ++i) {
    double error = returns[i] - values[i] - mean_error;
    total += (returns[i] - mean) * (returns[i] - mean);
    left += error * error;
  }
  return total > 0 ? 1 - left / total : std::nan("");
}

}  // namespace leash
