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

/** mirrored[i] = sign[i]·x[index[i]]; all null where there are no mirror images. */
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
  double learning_rate;
  float clip_range, value_coefficient, entropy_coefficient;
  double max_gradient_norm;
  bool normalize_advantages;
  /** Negative: none. */
  double target_kl;
  bool adaptive;
  double adaptive_kl, rate_min, rate_max;
};

/** Samples of a batch that make one step, and how each counts. */
struct Minibatch {
  /** Positions in the batch [samples]. */
  const uint32_t* index;
  size_t samples;
  /** An advantage counts as (A − mean)·scale. */
  float advantage_mean, advantage_scale;
  float clip_range, value_coefficient;
};

/** Sums over the rows of a minibatch. */
struct Losses {
  /** Over the samples and their mirror images. */
  double policy = 0, value = 0;
  size_t rows = 0;
  /** Over the samples alone: an image differs by the policy's asymmetry before the first step already; that is no change. */
  double kl = 0, clipped = 0;
  size_t samples = 0;
  /** Of the policy that was evaluated; no sum. */
  double entropy = 0;

  void add(const Losses& other) {
    policy += other.policy;
    value += other.value;
    rows += other.rows;
    kl += other.kl;
    clipped += other.clipped;
    samples += other.samples;
  }
};

}  // namespace leash
