#pragma once
#include "batch.h"
#include "gaussian.h"

namespace leash {

/** One sample as the loss sees it. */
struct LossSample {
  const float* action;
  const float* mean;
  /** Of the action when it was sampled. */
  float old_log_prob;
  /** As it counts, normalized or not. */
  float advantage;
  float value, return_;
  /** A mirror image counts in the loss but not in KL and clip fraction. */
  bool is_image;
};

/** Where the derivatives of one sample's loss go, times `share`, which is 1 / rows of the minibatch. */
struct LossGradient {
  float share;
  /** Written: by the mean [n] and by the value. */
  float* mean;
  float* value;
  /** Added to: by log σ [n]. */
  float* log_std;
};

/**
 * PPO's clipped surrogate −min(r·A, clip(r)·A) and the value's squared error, with their derivatives.
 * KL is estimated by (r − 1) − log r. @see Schulman et al. (2017), arXiv:1707.06347
 */
void add_loss(const LossSample& sample, const Gaussian& gaussian, const Minibatch& settings, const LossGradient& gradient, Losses& losses);

}  // namespace leash
