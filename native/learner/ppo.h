#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device.h"
#include "random.h"

namespace leash {

struct Stats {
  double policy_loss = 0, value_loss = 0, entropy = 0, approx_kl = 0, clip_fraction = 0, gradient_norm = 0;
  double explained_variance = 0, std = 0, learning_rate = 0;
  int gradient_steps = 0, epochs_done = 0;
  bool stopped_by_kl = false;
  /** Empty unless a loss or a gradient was not finite. */
  std::string not_finite;
};

/** What resuming needs besides parameters and normalizer. */
struct LearnerState {
  AdamState adam;
  uint64_t random[4] = {};
  /** Of the adaptive rate; negative before its first update. */
  double learning_rate = -1;
};

/** Clipped PPO over a device. */
class Learner {
 public:
  Learner(const DeviceConfig& config, uint64_t seed);

  Stats update(const Batch& batch, const Settings& settings);
  /** Loss of the whole batch as one minibatch, and its gradient [count] before clipping. */
  double loss_and_gradient(const Batch& batch, const float* advantages, const float* returns, const Settings& settings, float* gradient);
  LearnerState state() const;
  void set_state(const LearnerState& state);

 private:
  bool step_minibatch(const Minibatch& minibatch, const Settings& settings, Stats& stats);
  bool is_finite(const Losses& losses, Stats& stats) const;
  std::string not_finite_gradient() const;

  DeviceConfig config_;
  std::unique_ptr<Device> device_;
  Xoshiro random_;
  double adaptive_rate_ = -1;
};

}  // namespace leash
