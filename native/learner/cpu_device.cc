#include "cpu_device.h"

#include <algorithm>
#include <cmath>

#include "kernels.h"
#include "surrogate.h"

namespace leash {

const char* const kDevice = "cpu";

std::unique_ptr<Device> make_device(const DeviceConfig& config) { return std::make_unique<CpuDevice>(config); }

/** Rows that go through the networks together: their activations stay in the second-level cache. */
constexpr size_t kBlock = 256;

Room::Room(const Layout& layout)
    : policy(layout.policy, layout.activation, kBlock, true),
      value(layout.value, layout.activation, kBlock, true),
      observations(kBlock * layout.observations),
      inputs(kBlock * layout.observations),
      actions(kBlock * layout.actions),
      mean_gradient(kBlock * layout.actions),
      value_gradient(kBlock),
      gradient(layout.count) {}

CpuDevice::CpuDevice(const DeviceConfig& config)
    : config_(config),
      normalizer_(config.layout.observations, config.normalizer),
      gaussian_(config.layout.actions),
      policy_(config_.layout.policy, true),
      value_(config_.layout.value, true),
      pool_(config.threads) {
  for (int i = 0; i < pool_.size(); ++i) rooms_.emplace_back(config_.layout);
  adam_.mean.resize(config_.layout.count);
  adam_.variance.resize(config_.layout.count);
}

void CpuDevice::begin(const Batch& batch, const float* advantages, const float* returns) {
  batch_ = batch;
  advantages_ = advantages;
  returns_ = returns;
  normalizer_.refresh();
}

void CpuDevice::copy_observation(size_t sample, bool is_image, float* observation) const {
  size_t n = config_.layout.observations;
  const float* seen = batch_.observations + sample * n;
  if (is_image) {
    for (size_t i = 0; i < n; ++i) observation[i] = config_.mirror.observation_sign[i] * seen[config_.mirror.observation_index[i]];
  } else {
    std::copy(seen, seen + n, observation);
  }
}

void CpuDevice::copy_action(size_t sample, bool is_image, float* action) const {
  size_t n = config_.layout.actions;
  const float* taken = batch_.actions + sample * n;
  if (is_image) {
    for (size_t i = 0; i < n; ++i) action[i] = config_.mirror.action_sign[i] * taken[config_.mirror.action_index[i]];
  } else {
    std::copy(taken, taken + n, action);
  }
}

void CpuDevice::pack_weights() {
  size_t policies = config_.layout.policy.size(), layers = policies + config_.layout.value.size();
  pool_.run([&](int thread) {
    for (size_t i = thread; i < layers; i += pool_.size()) {
      if (i < policies) policy_.pack(i, config_.parameters);
      else value_.pack(i - policies, config_.parameters);
    }
  });
}

/** Row r is sample r, and from `samples` on the mirror image of sample r − samples. */
Losses CpuDevice::evaluate(const Minibatch& minibatch) {
  size_t rows = config_.mirrored ? 2 * minibatch.samples : minibatch.samples;
  gaussian_.refresh(config_.parameters + config_.layout.log_std);
  pack_weights();
  pool_.run([&](int thread) {
    Room& room = rooms_[thread];
    room.losses = Losses{};
    std::fill(room.gradient.begin(), room.gradient.end(), 0.f);
    Range part = part_of(rows, pool_.size(), thread);
    for (size_t from = part.from; from < part.to; from += kBlock) {
      run_rows(minibatch, room, Range{from, std::min(from + kBlock, part.to)});
    }
  });
  Losses total;
  for (const Room& room : rooms_) total.add(room.losses);
  total.entropy = gaussian_.entropy();
  return total;
}

void CpuDevice::run_rows(const Minibatch& minibatch, Room& room, Range rows) const {
  const Layout& layout = config_.layout;
  size_t count = rows.to - rows.from;
  for (size_t r = 0; r < count; ++r) {
    size_t row = rows.from + r, sample = minibatch.index[row % minibatch.samples];
    bool is_image = row >= minibatch.samples;
    copy_observation(sample, is_image, room.observations.data() + r * layout.observations);
    copy_action(sample, is_image, room.actions.data() + r * layout.actions);
  }
  const float* inputs = room.inputs.data();
  normalizer_.apply(count, room.observations.data(), room.inputs.data());
  const float* means = room.policy.forward(count, inputs, policy_, config_.parameters);
  const float* values = room.value.forward(count, inputs, value_, config_.parameters);
  run_losses(minibatch, room, rows, means, values);
  room.policy.backward(count, inputs, room.mean_gradient.data(), policy_, room.gradient.data());
  room.value.backward(count, inputs, room.value_gradient.data(), value_, room.gradient.data());
}

void CpuDevice::run_losses(const Minibatch& minibatch, Room& room, Range rows, const float* means, const float* values) const {
  size_t n = config_.layout.actions;
  float share = 1.f / static_cast<float>(config_.mirrored ? 2 * minibatch.samples : minibatch.samples);
  for (size_t r = 0; r < rows.to - rows.from; ++r) {
    size_t row = rows.from + r, sample = minibatch.index[row % minibatch.samples];
    LossSample one{room.actions.data() + r * n,
                   means + r * n,
                   batch_.log_probs[sample],
                   (advantages_[sample] - minibatch.advantage_mean) * minibatch.advantage_scale,
                   values[r],
                   returns_[sample],
                   row >= minibatch.samples};
    LossGradient gradient{share, room.mean_gradient.data() + r * n, &room.value_gradient[r], &room.gradient[config_.layout.log_std]};
    add_loss(one, gaussian_, minibatch, gradient, room.losses);
  }
}

/** The sum ends in the first room. */
double CpuDevice::gradient_norm(float entropy_coefficient) {
  const Layout& layout = config_.layout;
  pool_.run([&](int thread) {
    Range part = part_of(layout.count, pool_.size(), thread);
    float* sum = rooms_[0].gradient.data();
    for (size_t other = 1; other < rooms_.size(); ++other) {
      const float* g = rooms_[other].gradient.data();
      for (size_t i = part.from; i < part.to; ++i) sum[i] += g[i];
    }
    // The entropy grows by 1 with each log σ.
    for (size_t i = std::max(part.from, layout.log_std); i < part.to; ++i) sum[i] -= entropy_coefficient;
    rooms_[thread].norm_squared = kernels().squares(part.to - part.from, sum + part.from);
  });
  double total = 0;
  for (const Room& room : rooms_) total += room.norm_squared;
  return std::sqrt(total);
}

void CpuDevice::copy_gradient(float* gradient) const { std::copy(rooms_[0].gradient.begin(), rooms_[0].gradient.end(), gradient); }

void CpuDevice::step(double rate, double scale) {
  const Layout& layout = config_.layout;
  ++adam_.step;
  double steps = static_cast<double>(adam_.step);
  auto correction = [&](double beta) { return static_cast<float>(1.0 / (1.0 - std::pow(beta, steps))); };
  AdamStep adam{static_cast<float>(rate), static_cast<float>(scale), correction(kAdamBeta1), correction(kAdamBeta2)};
  pool_.run([&](int thread) {
    Range part = part_of(layout.count, pool_.size(), thread);
    size_t at = part.from;
    const float* gradient = rooms_[0].gradient.data() + at;
    kernels().adam(part.to - at, gradient, adam, adam_.mean.data() + at, adam_.variance.data() + at, config_.parameters + at);
  });
  for (size_t i = layout.log_std; i < layout.count; ++i) {
    config_.parameters[i] = std::min(std::max(config_.parameters[i], config_.min_log_std), config_.max_log_std);
  }
}

void CpuDevice::learn_normalizer(const Batch& batch) {
  size_t n = config_.layout.observations;
  std::vector<Moments> parts(pool_.size(), Moments(n));
  batch_ = batch;
  pool_.run([&](int thread) {
    Range part = part_of(batch.size(), pool_.size(), thread);
    parts[thread].add_rows(part.to - part.from, batch.observations + part.from * n);
    if (!config_.mirrored) return;
    float* image = rooms_[thread].observations.data();
    for (size_t i = part.from; i < part.to; ++i) {
      copy_observation(i, true, image);
      parts[thread].add_rows(1, image);
    }
  });
  for (size_t i = 1; i < parts.size(); ++i) parts[0].merge(parts[i]);
  merge_into_state(parts[0], config_.normalizer);
}

}  // namespace leash
