#include "actor.h"

#include <algorithm>
#include <cmath>

#include "gaussian.h"
#include "random.h"

namespace leash {

Actor::Actor(const Layout& layout, const float* parameters, const double* normalizer, uint64_t seed, float min_log_std, float max_log_std)
    : layout_(layout), shared_(parameters), parameters_(layout.count), normalizer_(layout.observations, normalizer), policy_(layout_.policy, false), value_(layout_.value, false), seed_(seed), min_log_std_(min_log_std), max_log_std_(max_log_std) {
  refresh();
}

void Actor::refresh() {
  std::copy(shared_, shared_ + layout_.count, parameters_.begin());
  for (size_t i = 0; i < layout_.actions; ++i) {
    float& x = parameters_[layout_.log_std + i];
    x = std::min(std::max(x, min_log_std_), max_log_std_);
  }
  for (size_t i = 0; i < layout_.policy.size(); ++i) policy_.pack(i, parameters_.data());
  for (size_t i = 0; i < layout_.value.size(); ++i) value_.pack(i, parameters_.data());
  normalizer_.refresh();
}

void Actor::make_room(size_t rows) {
  if (rows <= room_) return;
  room_ = rows;
  inputs_.resize(rows * layout_.observations);
  policy_room_ = std::make_unique<Workspace>(layout_.policy, layout_.activation, rows, false);
  value_room_ = std::make_unique<Workspace>(layout_.value, layout_.activation, rows, false);
}

void Actor::sample(size_t rows, const float* observations, const uint32_t* streams, const uint32_t* counters, float* actions, float* log_probs, float* values) {
  make_room(rows);
  normalizer_.apply(rows, observations, inputs_.data());
  const float* means = policy_room_->forward(rows, inputs_.data(), policy_, parameters_.data());
  const float* estimates = value_room_->forward(rows, inputs_.data(), value_, parameters_.data());
  const float* log_std = parameters_.data() + layout_.log_std;
  size_t n = layout_.actions;
  for (size_t r = 0; r < rows; ++r) {
    float* action = actions + r * n;
    philox_normals(seed_, streams[r], counters[r], action, n);
    for (size_t i = 0; i < n; ++i) action[i] = means[r * n + i] + std::exp(log_std[i]) * action[i];
    log_probs[r] = log_density(n, action, means + r * n, log_std);
    values[r] = estimates[r];
  }
}

void Actor::mean(size_t rows, const float* observations, float* actions) {
  make_room(rows);
  normalizer_.apply(rows, observations, inputs_.data());
  const float* means = policy_room_->forward(rows, inputs_.data(), policy_, parameters_.data());
  std::copy(means, means + rows * layout_.actions, actions);
}

void Actor::value(size_t rows, const float* observations, float* values) {
  make_room(rows);
  normalizer_.apply(rows, observations, inputs_.data());
  const float* estimates = value_room_->forward(rows, inputs_.data(), value_, parameters_.data());
  std::copy(estimates, estimates + rows, values);
}

}  // namespace leash
