#pragma once
#include <cstddef>

namespace leash {

/** log density of a diagonal Gaussian at `action` [n]. */
float log_density(size_t n, const float* action, const float* mean, const float* log_std);
/** Entropy of a diagonal Gaussian. */
float entropy(size_t n, const float* log_std);

}  // namespace leash
