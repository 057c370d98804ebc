#include "gaussian.h"

#include <cmath>

namespace leash {

constexpr float kHalfLogTwoPi = 0.91893853320467274f;

void Gaussian::refresh(const float* log_std) {
  log_scale_ = 0;
  for (size_t i = 0; i < size(); ++i) {
    log_std_[i] = log_std[i];
    std_[i] = std::exp(log_std[i]);
    inverse_std_[i] = std::exp(-log_std[i]);
    log_scale_ += log_std[i] + kHalfLogTwoPi;
  }
}

float Gaussian::log_density(const float* action, const float* mean) const {
  float squares = 0;
  for (size_t i = 0; i < size(); ++i) {
    float z = (action[i] - mean[i]) * inverse_std_[i];
    squares += z * z;
  }
  return -0.5f * squares - log_scale_;
}

float Gaussian::entropy() const { return log_scale_ + 0.5f * static_cast<float>(size()); }

}  // namespace leash
