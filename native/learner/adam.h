#pragma once

namespace leash {

constexpr double kAdamBeta1 = 0.9;
constexpr double kAdamBeta2 = 0.999;
constexpr double kAdamEpsilon = 1e-5;

/** One step of Adam. @see Kingma and Ba (2015), arXiv:1412.6980 */
struct AdamStep {
  float rate;
  /** Multiplies the gradient first (of the clip by its norm). */
  float scale;
  /** 1/(1 − β₁ᵗ) and 1/(1 − β₂ᵗ). */
  float mean_correction, variance_correction;
};

}  // namespace leash
