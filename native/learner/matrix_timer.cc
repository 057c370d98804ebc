#include "matrix_timer.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "aligned.h"
#include "kernels.h"
#include "thread_pool.h"

namespace leash {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

double time_matrix_product(size_t m, size_t n, size_t k, int repeats, int threads) {
  const Kernels& f = kernels();
  Floats a(m * k, 0.5f), b(n * k, 0.25f), c(m * n), packed(f.packed_size(k, n));
  f.pack(k, n, {b.data(), 1, k}, packed.data());
  ThreadPool pool(threads);
  auto run = [&](int count) {
    pool.run([&](int thread) {
      Range rows = part_of(m, threads, thread);
      MatrixView mine{a.data() + rows.from * k, k, 1};
      for (int i = 0; i < count; ++i) f.multiply(rows.to - rows.from, n, k, mine, packed.data(), c.data() + rows.from * n, false);
    });
  };
  run(1);
  auto start = Clock::now();
  run(repeats);
  return seconds_since(start);
}

double arithmetic_peak(int threads) {
  constexpr size_t kRepeats = 200000;
  ThreadPool pool(threads);
  double best = 0;
  for (int attempt = 0; attempt < 10; ++attempt) {
    std::vector<double> operations(threads);
    auto start = Clock::now();
    pool.run([&](int thread) { operations[thread] = kernels().multiply_adds(kRepeats); });
    double total = 0;
    for (double one : operations) total += one;
    best = std::max(best, total / seconds_since(start));
  }
  return best;
}

}  // namespace leash
