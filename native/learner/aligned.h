#pragma once
#include <cstddef>
#include <new>
#include <vector>

namespace leash {

/** Allocates on the borders of cache lines, so that no vector straddles two. */
template <class T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  LineAllocator() = default;
  template <class U>
  LineAllocator(const LineAllocator<U>&) {}
  T* allocate(size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), line)); }
  void deallocate(T* p, size_t) { ::operator delete(p, line); }
  template <class U>
  bool operator==(const LineAllocator<U>&) const { return true; }
  template <class U>
  bool operator!=(const LineAllocator<U>&) const { return false; }
};

using Floats = std::vector<float, LineAllocator<float>>;

}  // namespace leash
