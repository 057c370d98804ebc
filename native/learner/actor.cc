#include "actor.h"

#include <algorithm>

#include "random.h"

namespace leash {

Actor::Actor(const ActorConfig& config)
    : config_(config),
      parameters_(config.layout.count),
      normalizer_(config.layout.observations, config.normalizer),
      gaussian_(config.layout.actions),
      policy_(config_.layout.policy, false),
      value_(config_.layout.value, false) {
  refresh();
}

void Actor::refresh() {
  const Layout& layout = config_.layout;
  std::copy(config_.parameters, config_.parameters + layout.count, parameters_.begin());
  for (size_t i = layout.log_std; i < layout.count; ++i) {
    parameters_[i] = std::min(std::max(parameters_[i], config_.min_log_std), config_.max_log_std);
  }
  gaussian_.refresh(parameters_.data() + layout.log_std);
  for (size_t i = 0; i < layout.policy.size(); ++i) policy_.pack(i, parameters_.data());
  for (size_t i = 0; i < layout.value.size(); ++i) value_.pack(i, parameters_.data());
  normalizer_.refresh();
}

const float* Actor::normalized(size_t rows, const float* observations) {
  if (rows > room_) {
    const Layout& layout = config_.layout;
    room_ = rows;
    inputs_.resize(rows * layout.observations);
    policy_room_ = std::make_unique<Workspace>(layout.policy, layout.activation, rows, false);
    value_room_ = std::make_unique<Workspace>(layout.value, layout.activation, rows, false);
  }
  normalizer_.apply(rows, observations, inputs_.data());
  return inputs_.data();
}

void Actor::sample(size_t rows, const float* observations, const uint32_t* streams, const uint32_t* counters, float* actions,
                   float* log_probs, float* values) {
  if (rows == 0) return;
  const float* inputs = normalized(rows, observations);
  const float* means = policy_room_->forward(rows, inputs, policy_, parameters_.data());
  const float* estimates = value_room_->forward(rows, inputs, value_, parameters_.data());
  size_t n = config_.layout.actions;
  for (size_t r = 0; r < rows; ++r) {
    float* action = actions + r * n;
    const float* mean = means + r * n;
    philox_normals(config_.seed, streams[r], counters[r], action, n);
    for (size_t i = 0; i < n; ++i) action[i] = mean[i] + gaussian_.std()[i] * action[i];
    log_probs[r] = gaussian_.log_density(action, mean);
    values[r] = estimates[r];
  }
}

void Actor::mean(size_t rows, const float* observations, float* actions) {
  if (rows == 0) return;
  const float* inputs = normalized(rows, observations);
  const float* means = policy_room_->forward(rows, inputs, policy_, parameters_.data());
  std::copy(means, means + rows * config_.layout.actions, actions);
}

void Actor::value(size_t rows, const float* observations, float* values) {
  if (rows == 0) return;
  const float* inputs = normalized(rows, observations);
  const float* estimates = value_room_->forward(rows, inputs, value_, parameters_.data());
  std::copy(estimates, estimates + rows, values);
}

}  // namespace leash
