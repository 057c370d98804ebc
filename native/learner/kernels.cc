#include "kernels.h"

#include <cstdlib>
#include <cstring>

namespace leash {

namespace {

[[maybe_unused]] bool allowed(const Kernels& table) {
  const char* wanted = std::getenv("LEASH_SIMD");
  return wanted == nullptr || std::strcmp(wanted, table.name) == 0;
}

const Kernels& choose() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
  if (avx512 && allowed(kernels_avx512)) return kernels_avx512;
  if (avx2 && allowed(kernels_avx2)) return kernels_avx2;
#endif
  return kernels_baseline;
}

}  // namespace

const Kernels& kernels() {
  static const Kernels& chosen = choose();
  return chosen;
}

}  // namespace leash
