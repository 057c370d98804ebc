#include "surrogate.h"

#include <algorithm>
#include <cmath>

namespace leash {

void add_loss(const LossSample& s, const Gaussian& gaussian, const Minibatch& settings, const LossGradient& gradient, Losses& losses) {
  float clip = settings.clip_range;
  float log_ratio = gaussian.log_density(s.action, s.mean) - s.old_log_prob;
  float ratio = std::exp(log_ratio);
  float bounded = std::min(std::max(ratio, 1.f - clip), 1.f + clip);
  bool outside = ratio * s.advantage > bounded * s.advantage;
  losses.policy -= outside ? bounded * s.advantage : ratio * s.advantage;
  ++losses.rows;
  if (!s.is_image) {
    losses.kl += (ratio - 1.f) - log_ratio;
    losses.clipped += std::fabs(ratio - 1.f) > clip ? 1 : 0;
    ++losses.samples;
  }
  float by_log_prob = outside ? 0.f : -ratio * s.advantage * gradient.share;
  const float* inverse_std = gaussian.inverse_std();
  for (size_t i = 0; i < gaussian.size(); ++i) {
    float z = (s.action[i] - s.mean[i]) * inverse_std[i];
    gradient.mean[i] = by_log_prob * z * inverse_std[i];
    gradient.log_std[i] += by_log_prob * (z * z - 1.f);
  }
  float error = s.value - s.return_;
  losses.value += error * error;
  *gradient.value = 2.f * settings.value_coefficient * error * gradient.share;
}

}  // namespace leash
