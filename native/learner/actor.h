#pragma once
#include <cstdint>
#include <memory>

#include "network.h"
#include "normalizer.h"

namespace leash {

/** Acts with a network; one a thread. Parameters and normalizer are read at refresh() only. */
class Actor {
 public:
  Actor(const Layout& layout, const float* parameters, const double* normalizer, uint64_t seed, float min_log_std, float max_log_std);
  void refresh();
  void sample(size_t rows, const float* observations, const uint32_t* streams, const uint32_t* counters, float* actions, float* log_probs, float* values);
  void mean(size_t rows, const float* observations, float* actions);
  void value(size_t rows, const float* observations, float* values);

 private:
  void make_room(size_t rows);

  Layout layout_;
  const float* shared_;
  std::vector<float> parameters_;
  Normalizer normalizer_;
  PackedWeights policy_, value_;
  std::unique_ptr<Workspace> policy_room_, value_room_;
  size_t room_ = 0;
  std::vector<float> inputs_;
  uint64_t seed_;
  float min_log_std_, max_log_std_;
};

}  // namespace leash
