// The seam between PPO's bookkeeping and a device. The CPU's implementation is ppo.cc; one for HIP joins beside it and is
// compiled into an addon of its own behind the same binding.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "batch.h"
#include "network.h"

namespace leash {

struct LearnerConfig {
  Layout layout;
  /** Shared with the actors: the learner writes, they read between updates. */
  float* parameters;
  /** mean, variance, count; null when observations are not normalized. */
  double* normalizer;
  int threads;
  uint64_t seed;
  float min_log_std, max_log_std;
  bool mirrored;
  Mirror mirror;
};

struct Stats {
  double policy_loss = 0, value_loss = 0, entropy = 0, approx_kl = 0, clip_fraction = 0, gradient_norm = 0;
  double explained_variance = 0, std = 0, learning_rate = 0;
  int gradient_steps = 0, epochs_done = 0;
  bool stopped_by_kl = false;
  /** Empty unless a loss or a gradient was not finite. */
  std::string not_finite;
};

/** What resuming needs besides parameters and normalizer. */
struct OptimizerState {
  std::vector<float> mean, variance;
  int64_t step = 0;
  uint64_t random[4] = {};
  /** Of the adaptive rate; negative before the first update. */
  double learning_rate = -1;
};

class Learner {
 public:
  virtual ~Learner() = default;
  virtual Stats update(const Batch& batch, const Settings& settings) = 0;
  /** Loss of the whole batch as one minibatch, and its gradient [count] before clipping. */
  virtual double loss_and_gradient(const Batch& batch, const float* advantages, const float* returns, const Settings& settings, float* gradient) = 0;
  virtual OptimizerState state() const = 0;
  virtual void set_state(const OptimizerState& state) = 0;
};

/** The device's name, as `--device` takes it, and its learner. */
extern const char* const kDevice;
std::unique_ptr<Learner> make_learner(const LearnerConfig& config);

}  // namespace leash
