#pragma once
#include <cstdint>
#include <memory>

#include "gaussian.h"
#include "network.h"
#include "normalizer.h"

namespace leash {

struct ActorConfig {
  Layout layout;
  /** Flat [count], shared with the learner. */
  const float* parameters;
  /** mean, variance, count; null when observations are not normalized. */
  const double* normalizer;
  uint64_t seed;
  float min_log_std, max_log_std;
};

/**
 * Acts with a network on the processor, whatever the learner's device; one a thread. Parameters and normalizer are read
 * at refresh() only.
 */
class Actor {
 public:
  explicit Actor(const ActorConfig& config);
  void refresh();
  void sample(size_t rows, const float* observations, const uint32_t* streams, const uint32_t* counters, float* actions, float* log_probs,
              float* values);
  void mean(size_t rows, const float* observations, float* actions);
  void value(size_t rows, const float* observations, float* values);

 private:
  /** The network's inputs for these observations; makes room first. */
  const float* normalized(size_t rows, const float* observations);

  ActorConfig config_;
  std::vector<float> parameters_;
  Normalizer normalizer_;
  Gaussian gaussian_;
  PackedWeights policy_, value_;
  std::unique_ptr<Workspace> policy_room_, value_room_;
  size_t room_ = 0;
  Floats inputs_;
};

}  // namespace leash
