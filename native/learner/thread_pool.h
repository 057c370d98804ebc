#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace leash {

/** A fixed set of threads that run one job together; the caller is thread 0. Idle threads sleep. */
class ThreadPool {
 public:
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const { return static_cast<int>(workers_.size()) + 1; }
  /** Calls job(index) once on each thread and returns when all are done. Jobs must not throw. */
  void run(const std::function<void(int)>& job);

 private:
  void work(int index);

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable start_, done_;
  const std::function<void(int)>* job_ = nullptr;
  unsigned generation_ = 0;
  int pending_ = 0;
  bool stop_ = false;
};

/** Part `index` of `parts` of [0, count): fixed bounds, so that sums over parts keep their order. */
struct Range {
  size_t from, to;
};
inline Range part_of(size_t count, int parts, int index) {
  return {count * index / parts, count * (index + 1) / parts};
}

}  // namespace leash
