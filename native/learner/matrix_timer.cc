#include "matrix_timer.h"

#include <chrono>
#include <vector>

#include "kernels.h"
#include "thread_pool.h"

namespace leash {

double time_matrix_product(size_t m, size_t n, size_t k, int repeats, int threads) {
  const Kernels& f = kernels();
  std::vector<float> a(m * k, 0.5f), b(n * k, 0.25f), c(m * n), packed(f.packed_size(k, n));
  f.pack(k, n, {b.data(), 1, k}, packed.data());
  ThreadPool pool(threads);
  auto run = [&](int count) {
    pool.run([&](int thread) {
      Range rows = part_of(m, threads, thread);
      for (int i = 0; i < count; ++i) f.multiply(rows.to - rows.from, n, k, {a.data() + rows.from * k, k, 1}, packed.data(), c.data() + rows.from * n, false);
    });
  };
  run(1);
  auto start = std::chrono::steady_clock::now();
  run(repeats);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace leash
