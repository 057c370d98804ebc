#pragma once
#include <cstddef>
#include <vector>

namespace leash {

constexpr double kNormalizerEpsilon = 1e-8;
constexpr float kNormalizerClip = 10.f;

/** Applies (x − mean)/√(variance + ε), clipped to ±10, with the figures as they were at refresh(). */
class Normalizer {
 public:
  /** @param state mean [n], variance [n], count [1]; null: observations pass as they are */
  Normalizer(size_t size, const double* state);
  void refresh();
  void apply(size_t rows, const float* x, float* y) const;

 private:
  size_t size_;
  const double* state_;
  std::vector<float> mean_, inverse_;
};

/**
 * Count, mean and sum of squared deviations, gathered row by row and merged part by part.
 * @see Welford (1962); Chan, Golub and LeVeque (1979)
 */
struct Moments {
  std::vector<double> mean, squares;
  double count = 0;
  explicit Moments(size_t n) : mean(n), squares(n) {}
  void add_rows(size_t rows, const float* x);
  void merge(const Moments& other);
};

/** Merges a batch into the state (mean, variance, count). */
void merge_into_state(const Moments& batch, double* state);

}  // namespace leash
