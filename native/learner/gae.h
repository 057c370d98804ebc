#pragma once
#include "batch.h"

namespace leash {

/**
 * Generalized advantage estimation; out arrays are [T, N]. A fall cuts the trace with value 0; a time limit cuts it with
 * the terminal observation's value; where both are set it is a fall. @see Schulman et al. (2016), arXiv:1506.02438
 */
void estimate_advantages(const Batch& batch, float gamma, float lambda, float* advantages, float* returns);

/** 1 − Var(returns − values)/Var(returns); NaN where the returns do not vary. */
double explained_variance(const float* values, const float* returns, size_t count);

}  // namespace leash
