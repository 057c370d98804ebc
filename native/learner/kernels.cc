#include "kernels.h"

namespace leash {

const Kernels& kernels() {
#if defined(__x86_64__)
  static const Kernels& best = [] () -> const Kernels& {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")) return kernels_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return kernels_avx2;
    return kernels_baseline;
  }();
  return best;
#else
  return kernels_baseline;
#endif
}

}  // namespace leash
