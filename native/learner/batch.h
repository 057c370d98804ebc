// What an update reads: views of arrays that JavaScript owns. [T, N] is time-major.
#pragma once
#include <cstddef>
#include <cstdint>

namespace leash {

struct Batch {
  size_t steps, environments;
  const float *observations, *actions, *log_probs, *values, *rewards;
  const uint8_t *terminated, *truncated;
  const float *terminal_values, *last_values;
  size_t size() const { return steps * environments; }
};

struct Mirror {
  const int32_t* observation_index;
  const float* observation_sign;
  const int32_t* action_index;
  const float* action_sign;
};

struct Settings {
  float gamma, lambda;
  int epochs;
  size_t minibatch;
  float learning_rate, clip_range, value_coefficient, entropy_coefficient, max_gradient_norm;
  bool normalize_advantages;
  /** Negative: none. */
  float target_kl;
  bool adaptive;
  float adaptive_kl, rate_min, rate_max;
};

/** Generalized advantage estimation; a fall cuts, a time limit bootstraps from the terminal observation's value. */
void advantages(const Batch& batch, float gamma, float lambda, float* advantages, float* returns);

}  // namespace leash
