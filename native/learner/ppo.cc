#include "ppo.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gae.h"

namespace leash {

namespace {

std::vector<uint32_t> positions(size_t count) {
  std::vector<uint32_t> out(count);
  std::iota(out.begin(), out.end(), 0u);
  return out;
}

/** Normalizes by the minibatch's own mean and (sample) deviation, as Stable-Baselines3 does, when asked to. */
Minibatch make_minibatch(const Settings& settings, const uint32_t* index, size_t samples, const float* advantages) {
  Minibatch m{index, samples, 0.f, 1.f, settings.clip_range, settings.value_coefficient};
  if (!settings.normalize_advantages || samples < 2) return m;
  double mean = 0, squares = 0;
  for (size_t i = 0; i < samples; ++i) mean += advantages[index[i]];
  mean /= samples;
  for (size_t i = 0; i < samples; ++i) squares += (advantages[index[i]] - mean) * (advantages[index[i]] - mean);
  m.advantage_mean = static_cast<float>(mean);
  m.advantage_scale = static_cast<float>(1.0 / (std::sqrt(squares / (samples - 1)) + 1e-8));
  return m;
}

double within(double x, double low, double high) { return std::min(std::max(x, low), high); }

/** The rate after a minibatch of this KL. @see Heess et al. (2017); rsl_rl adapts it the same way */
double adapted(double rate, double kl, const Settings& s) {
  if (kl > 2 * s.adaptive_kl) rate /= 1.5;
  else if (kl < s.adaptive_kl / 2) rate *= 1.5;
  return within(rate, s.rate_min, s.rate_max);
}

}  // namespace

Learner::Learner(const DeviceConfig& config, uint64_t seed) : config_(config), device_(make_device(config)), random_(seed) {}

std::string Learner::not_finite_gradient() const {
  std::vector<float> gradient(config_.layout.count);
  device_->copy_gradient(gradient.data());
  for (size_t i = 0; i < gradient.size(); ++i) {
    if (!std::isfinite(gradient[i])) return "gradient of " + config_.layout.name_at(i);
  }
  return "norm of the gradient";
}

bool Learner::is_finite(const Losses& losses, Stats& stats) const {
  if (!std::isfinite(losses.value)) stats.not_finite = "value loss";
  else if (!std::isfinite(losses.policy)) stats.not_finite = "policy loss";
  else if (!std::isfinite(losses.kl)) stats.not_finite = "approximate KL divergence";
  return stats.not_finite.empty();
}

/** @returns whether it stepped; else the update is over, and `stats` says why */
bool Learner::step_minibatch(const Minibatch& minibatch, const Settings& settings, Stats& stats) {
  Losses losses = device_->evaluate(minibatch);
  if (!is_finite(losses, stats)) return false;
  double kl = losses.kl / losses.samples;
  if (settings.target_kl >= 0 && kl > 1.5 * settings.target_kl) {
    stats.stopped_by_kl = true;
    return false;
  }
  double norm = device_->gradient_norm(settings.entropy_coefficient);
  if (!std::isfinite(norm)) {
    stats.not_finite = not_finite_gradient();
    return false;
  }
  if (settings.adaptive) stats.learning_rate = adapted(stats.learning_rate, kl, settings);
  device_->step(stats.learning_rate, std::min(1.0, settings.max_gradient_norm / (norm + 1e-6)));
  ++stats.gradient_steps;
  stats.policy_loss += losses.policy / losses.rows;
  stats.value_loss += losses.value / losses.rows;
  stats.approx_kl += kl;
  stats.clip_fraction += losses.clipped / losses.samples;
  stats.gradient_norm += norm;
  stats.entropy += losses.entropy;
  return true;
}

Stats Learner::update(const Batch& batch, const Settings& settings) {
  size_t size = batch.size();
  std::vector<float> advantages(size), returns(size);
  estimate_advantages(batch, settings.gamma, settings.lambda, advantages.data(), returns.data());
  Stats stats;
  stats.explained_variance = explained_variance(batch.values, returns.data(), size);
  stats.learning_rate = settings.learning_rate;
  if (settings.adaptive) {
    double start = adaptive_rate_ > 0 ? adaptive_rate_ : settings.learning_rate;
    stats.learning_rate = within(start, settings.rate_min, settings.rate_max);
  }

  device_->begin(batch, advantages.data(), returns.data());
  std::vector<uint32_t> order = positions(size);
  for (bool goes_on = true; goes_on && stats.epochs_done < settings.epochs; stats.epochs_done += goes_on) {
    random_.shuffle(order);
    for (size_t at = 0; goes_on && at < size; at += settings.minibatch) {
      size_t samples = std::min(settings.minibatch, size - at);
      goes_on = step_minibatch(make_minibatch(settings, order.data() + at, samples, advantages.data()), settings, stats);
    }
  }
  device_->finish();

  double steps = std::max(1, stats.gradient_steps);
  stats.policy_loss /= steps;
  stats.value_loss /= steps;
  stats.entropy /= steps;
  stats.approx_kl /= steps;
  stats.clip_fraction /= steps;
  stats.gradient_norm /= steps;
  const Layout& layout = config_.layout;
  for (size_t i = layout.log_std; i < layout.count; ++i) stats.std += std::exp(config_.parameters[i]);
  stats.std /= static_cast<double>(layout.actions);
  if (settings.adaptive) adaptive_rate_ = stats.learning_rate;
  // Last: the batch was sampled with the normalizer as it was, and the losses above must see the same inputs.
  if (config_.normalizer && stats.not_finite.empty()) device_->learn_normalizer(batch);
  return stats;
}

double Learner::loss_and_gradient(const Batch& batch, const float* advantages, const float* returns, const Settings& settings,
                                  float* gradient) {
  std::vector<uint32_t> all = positions(batch.size());
  device_->begin(batch, advantages, returns);
  Losses losses = device_->evaluate(make_minibatch(settings, all.data(), all.size(), advantages));
  device_->gradient_norm(settings.entropy_coefficient);
  device_->copy_gradient(gradient);
  device_->finish();
  double rows = static_cast<double>(losses.rows);
  return losses.policy / rows + settings.value_coefficient * losses.value / rows - settings.entropy_coefficient * losses.entropy;
}

LearnerState Learner::state() const {
  LearnerState out{device_->adam(), {}, adaptive_rate_};
  std::copy(random_.state.begin(), random_.state.end(), out.random);
  return out;
}

void Learner::set_state(const LearnerState& state) {
  device_->set_adam(state.adam);
  std::copy(state.random, state.random + 4, random_.state.begin());
  adaptive_rate_ = state.learning_rate;
}

}  // namespace leash
