// A diagonal Gaussian whose log σ does not depend on the observation.
#pragma once
#include <cstddef>
#include <vector>

namespace leash {

class Gaussian {
 public:
  explicit Gaussian(size_t size) : log_std_(size), std_(size), inverse_std_(size) {}

  /** Takes in log σ [size] as it is now. */
  void refresh(const float* log_std);
  size_t size() const { return log_std_.size(); }
  const float* std() const { return std_.data(); }
  const float* inverse_std() const { return inverse_std_.data(); }
  float log_density(const float* action, const float* mean) const;
  float entropy() const;

 private:
  std::vector<float> log_std_, std_, inverse_std_;
  /** Σ log σ + n/2·log 2π */
  float log_scale_ = 0;
};

}  // namespace leash
