#include "batch.h"

namespace leash {

void advantages(const Batch& b, float gamma, float lambda, float* out, float* returns) {
  for (size_t n = 0; n < b.environments; ++n) {
    float trace = 0, next_value = b.last_values[n];
    for (size_t t = b.steps; t-- > 0;) {
      size_t at = t * b.environments + n;
      bool fell = b.terminated[at], ended = fell || b.truncated[at];
      float after = fell ? 0.f : (ended ? b.terminal_values[at] : next_value);
      float delta = b.rewards[at] + gamma * after - b.values[at];
      trace = delta + (ended ? 0.f : gamma * lambda * trace);
      out[at] = trace;
      returns[at] = trace + b.values[at];
      next_value = b.values[at];
    }
  }
}

}  // namespace leash
