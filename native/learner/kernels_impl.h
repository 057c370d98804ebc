// The table of one instruction set; kernels_<set>.cc says which and how wide.
#include "simd_activation.h"
#include "simd_gemm.h"
#include "simd_peak.h"
#include "simd_reductions.h"

namespace leash {

const Kernels LEASH_KERNELS = {LEASH_KERNELS_NAME,  packed_size,     pack,    multiply, bias_activate, add_bias,
                               activation_gradient, add_column_sums, squares, adam,     multiply_adds};

}  // namespace leash
