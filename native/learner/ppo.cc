// Clipped PPO on the CPU. A minibatch's rows are split over the threads in fixed parts; each adds into a gradient of its
// own, and the parts are summed in their order, so that the same seed and thread count give the same bits.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "gaussian.h"
#include "learner.h"
#include "normalizer.h"
#include "random.h"
#include "thread_pool.h"

namespace leash {

const char* const kDevice = "cpu";

namespace {

/** Rows that go through the networks together: their activations stay in the second-level cache. */
constexpr size_t kBlock = 256;

struct Sums {
  double policy_loss = 0, value_loss = 0, kl = 0, clipped = 0;
  void add(const Sums& o) {
    policy_loss += o.policy_loss;
    value_loss += o.value_loss;
    kl += o.kl;
    clipped += o.clipped;
  }
};

/** What one thread works in. */
struct Room {
  Workspace policy, value;
  std::vector<float> raw, inputs, actions, mean_gradient, value_gradient, gradient;
  Sums sums;
  double norm_squared = 0;
  explicit Room(const Layout& layout)
      : policy(layout.policy, layout.activation, kBlock, true),
        value(layout.value, layout.activation, kBlock, true),
        raw(kBlock * layout.observations),
        inputs(kBlock * layout.observations),
        actions(kBlock * layout.actions),
        mean_gradient(kBlock * layout.actions),
        value_gradient(kBlock),
        gradient(layout.count) {}
};

/** One minibatch: which samples, and how each counts. */
struct Minibatch {
  const Batch& batch;
  const Settings& settings;
  /** Sample of each row; row r ≥ samples is the mirror image of row r − samples. */
  const uint32_t* index;
  size_t samples, rows;
  const float *advantages, *returns;
  float advantage_mean, advantage_scale;
};

class CpuLearner final : public Learner {
 public:
  explicit CpuLearner(const LearnerConfig& config)
      : config_(config),
        normalizer_(config.layout.observations, config.normalizer),
        policy_(config_.layout.policy, true),
        value_(config_.layout.value, true),
        pool_(config.threads),
        random_(config.seed) {
    for (int i = 0; i < pool_.size(); ++i) rooms_.emplace_back(config_.layout);
    state_.mean.resize(config_.layout.count);
    state_.variance.resize(config_.layout.count);
  }

  Stats update(const Batch& batch, const Settings& settings) override;
  double loss_and_gradient(const Batch& batch, const float* advantages, const float* returns, const Settings& settings, float* gradient) override;

  OptimizerState state() const override {
    OptimizerState out = state_;
    std::copy(random_.state.begin(), random_.state.end(), out.random);
    return out;
  }
  void set_state(const OptimizerState& state) override {
    state_ = state;
    std::copy(state.random, state.random + 4, random_.state.begin());
  }

 private:
  Minibatch minibatch(const Batch& batch, const Settings& settings, const uint32_t* index, size_t samples, const float* advantages, const float* returns) const;
  void copy_row(const Batch& batch, size_t sample, bool image, float* observation, float* action) const;
  Sums evaluate(const Minibatch& m);
  void rows_of(const Minibatch& m, Room& room, size_t from, size_t to);
  void loss_rows(const Minibatch& m, Room& room, size_t from, size_t rows, const float* means, const float* values);
  double reduce(const Settings& settings);
  std::string not_finite_gradient() const;
  void step(double rate, double scale);
  void learn_normalizer(const Batch& batch);

  LearnerConfig config_;
  Normalizer normalizer_;
  PackedWeights policy_, value_;
  ThreadPool pool_;
  Xoshiro random_;
  std::vector<Room> rooms_;
  OptimizerState state_;
};

Minibatch CpuLearner::minibatch(const Batch& batch, const Settings& settings, const uint32_t* index, size_t samples, const float* advantages, const float* returns) const {
  Minibatch m{batch, settings, index, samples, config_.mirrored ? 2 * samples : samples, advantages, returns, 0.f, 1.f};
  if (settings.normalize_advantages && samples > 1) {
    double mean = 0, squares = 0;
    for (size_t i = 0; i < samples; ++i) mean += advantages[index[i]];
    mean /= samples;
    for (size_t i = 0; i < samples; ++i) squares += (advantages[index[i]] - mean) * (advantages[index[i]] - mean);
    m.advantage_mean = static_cast<float>(mean);
    m.advantage_scale = static_cast<float>(1.0 / (std::sqrt(squares / (samples - 1)) + 1e-8));
  }
  return m;
}

void CpuLearner::copy_row(const Batch& batch, size_t sample, bool image, float* observation, float* action) const {
  size_t o = config_.layout.observations, a = config_.layout.actions;
  const float* seen = batch.observations + sample * o;
  const float* done = batch.actions + sample * a;
  if (!image) {
    std::copy(seen, seen + o, observation);
    std::copy(done, done + a, action);
    return;
  }
  const Mirror& mirror = config_.mirror;
  for (size_t i = 0; i < o; ++i) observation[i] = mirror.observation_sign[i] * seen[mirror.observation_index[i]];
  for (size_t i = 0; i < a; ++i) action[i] = mirror.action_sign[i] * done[mirror.action_index[i]];
}

void CpuLearner::loss_rows(const Minibatch& m, Room& room, size_t from, size_t rows, const float* means, const float* values) {
  const Layout& layout = config_.layout;
  size_t n = layout.actions;
  const float* log_std = config_.parameters + layout.log_std;
  float* log_std_gradient = room.gradient.data() + layout.log_std;
  float inverse_std[64];
  for (size_t i = 0; i < n; ++i) inverse_std[i] = std::exp(-log_std[i]);
  float share = 1.f / static_cast<float>(m.rows), clip = m.settings.clip_range;
  for (size_t r = 0; r < rows; ++r) {
    size_t sample = m.index[(from + r) % m.samples];
    const float* action = room.actions.data() + r * n;
    float log_ratio = log_density(n, action, means + r * n, log_std) - m.batch.log_probs[sample];
    float ratio = std::exp(log_ratio);
    float advantage = (m.advantages[sample] - m.advantage_mean) * m.advantage_scale;
    float bounded = std::min(std::max(ratio, 1.f - clip), 1.f + clip);
    bool outside = ratio * advantage > bounded * advantage;
    room.sums.policy_loss -= outside ? bounded * advantage : ratio * advantage;
    room.sums.kl += (ratio - 1.f) - log_ratio;
    room.sums.clipped += std::fabs(ratio - 1.f) > clip ? 1 : 0;
    float by_log_prob = outside ? 0.f : -ratio * advantage * share;
    for (size_t i = 0; i < n; ++i) {
      float z = (action[i] - means[r * n + i]) * inverse_std[i];
      room.mean_gradient[r * n + i] = by_log_prob * z * inverse_std[i];
      log_std_gradient[i] += by_log_prob * (z * z - 1.f);
    }
    float error = values[r] - m.returns[sample];
    room.sums.value_loss += error * error;
    room.value_gradient[r] = 2.f * m.settings.value_coefficient * error * share;
  }
}

void CpuLearner::rows_of(const Minibatch& m, Room& room, size_t from, size_t to) {
  const Layout& layout = config_.layout;
  for (size_t at = from; at < to; at += kBlock) {
    size_t rows = std::min(kBlock, to - at);
    for (size_t r = 0; r < rows; ++r) {
      size_t row = at + r;
      copy_row(m.batch, m.index[row % m.samples], row >= m.samples, room.raw.data() + r * layout.observations, room.actions.data() + r * layout.actions);
    }
    normalizer_.apply(rows, room.raw.data(), room.inputs.data());
    const float* means = room.policy.forward(rows, room.inputs.data(), policy_, config_.parameters);
    const float* values = room.value.forward(rows, room.inputs.data(), value_, config_.parameters);
    loss_rows(m, room, at, rows, means, values);
    room.policy.backward(rows, room.inputs.data(), room.mean_gradient.data(), policy_, room.gradient.data());
    room.value.backward(rows, room.inputs.data(), room.value_gradient.data(), value_, room.gradient.data());
  }
}

/** Losses of a minibatch, summed over rows; each thread's gradient lies in its room. */
Sums CpuLearner::evaluate(const Minibatch& m) {
  size_t policies = config_.layout.policy.size(), layers = policies + config_.layout.value.size();
  pool_.run([&](int thread) {
    for (size_t i = thread; i < layers; i += pool_.size()) {
      if (i < policies) policy_.pack(i, config_.parameters);
      else value_.pack(i - policies, config_.parameters);
    }
  });
  pool_.run([&](int thread) {
    Room& room = rooms_[thread];
    room.sums = Sums{};
    std::fill(room.gradient.begin(), room.gradient.end(), 0.f);
    Range part = part_of(m.rows, pool_.size(), thread);
    rows_of(m, room, part.from, part.to);
  });
  Sums total;
  for (const Room& room : rooms_) total.add(room.sums);
  return total;
}

/** Sums the threads' gradients into the first room's and adds the entropy's; returns the squared norm. */
double CpuLearner::reduce(const Settings& settings) {
  const Layout& layout = config_.layout;
  pool_.run([&](int thread) {
    Range part = part_of(layout.count, pool_.size(), thread);
    float* sum = rooms_[0].gradient.data();
    for (size_t other = 1; other < rooms_.size(); ++other) {
      const float* g = rooms_[other].gradient.data();
      for (size_t i = part.from; i < part.to; ++i) sum[i] += g[i];
    }
    double squares = 0;
    for (size_t i = part.from; i < part.to; ++i) {
      if (i >= layout.log_std) sum[i] -= settings.entropy_coefficient;
      squares += static_cast<double>(sum[i]) * sum[i];
    }
    rooms_[thread].norm_squared = squares;
  });
  double total = 0;
  for (const Room& room : rooms_) total += room.norm_squared;
  return total;
}

std::string CpuLearner::not_finite_gradient() const {
  const std::vector<float>& g = rooms_[0].gradient;
  for (size_t i = 0; i < g.size(); ++i) {
    if (!std::isfinite(g[i])) return "gradient of " + config_.layout.name_at(i);
  }
  return "norm of the gradient";
}

void CpuLearner::step(double rate, double scale) {
  const Layout& layout = config_.layout;
  ++state_.step;
  float bias_mean = static_cast<float>(1.0 / (1.0 - std::pow(static_cast<double>(kAdamBeta1), static_cast<double>(state_.step))));
  float bias_variance = static_cast<float>(1.0 / (1.0 - std::pow(static_cast<double>(kAdamBeta2), static_cast<double>(state_.step))));
  pool_.run([&](int thread) {
    Range part = part_of(layout.count, pool_.size(), thread);
    size_t at = part.from;
    kernels().adam(part.to - at, rooms_[0].gradient.data() + at, static_cast<float>(scale), static_cast<float>(rate), bias_mean, bias_variance, state_.mean.data() + at, state_.variance.data() + at, config_.parameters + at);
  });
  for (size_t i = 0; i < layout.actions; ++i) {
    float& x = config_.parameters[layout.log_std + i];
    x = std::min(std::max(x, config_.min_log_std), config_.max_log_std);
  }
}

void CpuLearner::learn_normalizer(const Batch& batch) {
  if (!config_.normalizer) return;
  const Layout& layout = config_.layout;
  std::vector<Moments> parts(pool_.size(), Moments(layout.observations));
  pool_.run([&](int thread) {
    Range part = part_of(batch.size(), pool_.size(), thread);
    Moments& moments = parts[thread];
    moments.add_rows(part.to - part.from, batch.observations + part.from * layout.observations);
    if (!config_.mirrored) return;
    Room& room = rooms_[thread];
    for (size_t i = part.from; i < part.to; ++i) {
      copy_row(batch, i, true, room.raw.data(), room.actions.data());
      moments.add_rows(1, room.raw.data());
    }
  });
  for (int i = 1; i < pool_.size(); ++i) parts[0].merge(parts[i]);
  merge_into_state(parts[0], config_.normalizer);
}

double explained_variance(const float* values, const float* returns, size_t count) {
  double mean = 0, mean_error = 0, total = 0, left = 0;
  for (size_t i = 0; i < count; ++i) {
    mean += returns[i];
    mean_error += returns[i] - values[i];
  }
  mean /= count;
  mean_error /= count;
  for (size_t i = 0; i < count; ++i) {
    double error = returns[i] - values[i] - mean_error;
    total += (returns[i] - mean) * (returns[i] - mean);
    left += error * error;
  }
  return total > 0 ? 1 - left / total : std::nan("");
}

Stats CpuLearner::update(const Batch& batch, const Settings& settings) {
  const Layout& layout = config_.layout;
  size_t size = batch.size();
  std::vector<float> advantage(size), returns(size);
  advantages(batch, settings.gamma, settings.lambda, advantage.data(), returns.data());
  normalizer_.refresh();
  std::vector<uint32_t> order(size);
  std::iota(order.begin(), order.end(), 0u);

  double rate = settings.learning_rate;
  if (settings.adaptive) {
    if (state_.learning_rate > 0) rate = state_.learning_rate;
    rate = std::min(std::max(rate, static_cast<double>(settings.rate_min)), static_cast<double>(settings.rate_max));
  }
  Stats stats;
  stats.explained_variance = explained_variance(batch.values, returns.data(), size);
  for (int epoch = 0; epoch < settings.epochs && !stats.stopped_by_kl && stats.not_finite.empty(); ++epoch) {
    random_.shuffle(order);
    for (size_t at = 0; at < size; at += settings.minibatch) {
      size_t samples = std::min(settings.minibatch, size - at);
      Minibatch m = minibatch(batch, settings, order.data() + at, samples, advantage.data(), returns.data());
      Sums sums = evaluate(m);
      double rows = static_cast<double>(m.rows), kl = sums.kl / rows;
      if (!std::isfinite(sums.policy_loss) || !std::isfinite(sums.value_loss) || !std::isfinite(kl)) {
        stats.not_finite = !std::isfinite(sums.value_loss) ? "value loss" : "policy loss";
        break;
      }
      if (settings.target_kl >= 0 && kl > 1.5 * settings.target_kl) {
        stats.stopped_by_kl = true;
        break;
      }
      double norm = std::sqrt(reduce(settings));
      if (!std::isfinite(norm)) {
        stats.not_finite = not_finite_gradient();
        break;
      }
      if (settings.adaptive) {
        if (kl > 2 * settings.adaptive_kl) rate /= 1.5;
        else if (kl < settings.adaptive_kl / 2) rate *= 1.5;
        rate = std::min(std::max(rate, static_cast<double>(settings.rate_min)), static_cast<double>(settings.rate_max));
      }
      step(rate, std::min(1.0, settings.max_gradient_norm / (norm + 1e-6)));
      ++stats.gradient_steps;
      stats.policy_loss += sums.policy_loss / rows;
      stats.value_loss += sums.value_loss / rows;
      stats.approx_kl += kl;
      stats.clip_fraction += sums.clipped / rows;
      stats.gradient_norm += norm;
      stats.entropy += entropy(layout.actions, config_.parameters + layout.log_std);
    }
    if (!stats.stopped_by_kl && stats.not_finite.empty()) ++stats.epochs_done;
  }
  double steps = std::max(1, stats.gradient_steps);
  for (double* mean : {&stats.policy_loss, &stats.value_loss, &stats.approx_kl, &stats.clip_fraction, &stats.gradient_norm, &stats.entropy}) *mean /= steps;
  for (size_t i = 0; i < layout.actions; ++i) stats.std += std::exp(config_.parameters[layout.log_std + i]) / static_cast<double>(layout.actions);
  stats.learning_rate = rate;
  if (settings.adaptive) state_.learning_rate = rate;
  if (stats.not_finite.empty()) learn_normalizer(batch);
  return stats;
}

double CpuLearner::loss_and_gradient(const Batch& batch, const float* advantage, const float* returns, const Settings& settings, float* gradient) {
  normalizer_.refresh();
  std::vector<uint32_t> order(batch.size());
  std::iota(order.begin(), order.end(), 0u);
  Minibatch m = minibatch(batch, settings, order.data(), batch.size(), advantage, returns);
  Sums sums = evaluate(m);
  reduce(settings);
  std::copy(rooms_[0].gradient.begin(), rooms_[0].gradient.end(), gradient);
  double rows = static_cast<double>(m.rows);
  return sums.policy_loss / rows + settings.value_coefficient * sums.value_loss / rows - settings.entropy_coefficient * entropy(config_.layout.actions, config_.parameters + config_.layout.log_std);
}

}  // namespace

std::unique_ptr<Learner> make_learner(const LearnerConfig& config) { return std::make_unique<CpuLearner>(config); }

}  // namespace leash
