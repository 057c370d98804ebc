#include "normalizer.h"

#include <algorithm>
#include <cmath>

namespace leash {

Normalizer::Normalizer(size_t size, const double* state) : size_(size), state_(state), mean_(size), inverse_(size) { refresh(); }

void Normalizer::refresh() {
  if (!state_) return;
  // Before any batch was seen there is nothing to normalize by.
  bool empty = state_[2 * size_] == 0;
  for (size_t i = 0; i < size_; ++i) {
    mean_[i] = empty ? 0.f : static_cast<float>(state_[i]);
    inverse_[i] = empty ? 1.f : static_cast<float>(1.0 / std::sqrt(state_[size_ + i] + kNormalizerEpsilon));
  }
}

void Normalizer::apply(size_t rows, const float* x, float* y) const {
  if (!state_) {
    std::copy(x, x + rows * size_, y);
    return;
  }
  for (size_t r = 0; r < rows; ++r) {
    for (size_t i = 0; i < size_; ++i) {
      float value = (x[r * size_ + i] - mean_[i]) * inverse_[i];
      y[r * size_ + i] = value > kNormalizerClip ? kNormalizerClip : (value < -kNormalizerClip ? -kNormalizerClip : value);
    }
  }
}

void Moments::add_rows(size_t rows, const float* x) {
  size_t n = mean.size();
  for (size_t r = 0; r < rows; ++r) {
    count += 1;
    double share = 1 / count;
    for (size_t i = 0; i < n; ++i) {
      double delta = x[r * n + i] - mean[i];
      mean[i] += delta * share;
      squares[i] += delta * (x[r * n + i] - mean[i]);
    }
  }
}

void Moments::merge(const Moments& other) {
  if (other.count == 0) return;
  double total = count + other.count;
  for (size_t i = 0; i < mean.size(); ++i) {
    double delta = other.mean[i] - mean[i];
    mean[i] += delta * other.count / total;
    squares[i] += other.squares[i] + delta * delta * count * other.count / total;
  }
  count = total;
}

void merge_into_state(const Moments& batch, double* state) {
  size_t n = batch.mean.size();
  Moments old(n);
  old.count = state[2 * n];
  for (size_t i = 0; i < n; ++i) {
    old.mean[i] = state[i];
    old.squares[i] = state[n + i] * old.count;
  }
  old.merge(batch);
  for (size_t i = 0; i < n; ++i) {
    state[i] = old.mean[i];
    state[n + i] = old.squares[i] / old.count;
  }
  state[2 * n] = old.count;
}

}  // namespace leash
