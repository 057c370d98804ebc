// The CPU. A minibatch's rows are split over the threads in fixed parts; each adds into a gradient of its own, and the
// parts are summed in their order, so that the same seed and thread count give the same bits.
#pragma once
#include <deque>
#include <vector>

#include "aligned.h"
#include "device.h"
#include "gaussian.h"
#include "normalizer.h"
#include "thread_pool.h"

namespace leash {

/** What one thread works in: a block of rows, its activations, and the gradient over all of its blocks. */
struct Room {
  Workspace policy, value;
  Floats observations, inputs, actions, mean_gradient, value_gradient, gradient;
  Losses losses;
  double norm_squared = 0;
  explicit Room(const Layout& layout);
};

class CpuDevice final : public Device {
 public:
  explicit CpuDevice(const DeviceConfig& config);

  void begin(const Batch& batch, const float* advantages, const float* returns) override;
  Losses evaluate(const Minibatch& minibatch) override;
  double gradient_norm(float entropy_coefficient) override;
  void copy_gradient(float* gradient) const override;
  void step(double rate, double scale) override;
  void finish() override {}
  void learn_normalizer(const Batch& batch) override;
  const AdamState& adam() const override { return adam_; }
  void set_adam(const AdamState& state) override { adam_ = state; }

 private:
  void pack_weights();
  void run_rows(const Minibatch& minibatch, Room& room, Range rows) const;
  void run_losses(const Minibatch& minibatch, Room& room, Range rows, const float* means, const float* values) const;
  void copy_observation(size_t sample, bool is_image, float* observation) const;
  void copy_action(size_t sample, bool is_image, float* action) const;

  DeviceConfig config_;
  Normalizer normalizer_;
  Gaussian gaussian_;
  PackedWeights policy_, value_;
  ThreadPool pool_;
  std::deque<Room> rooms_;
  AdamState adam_;
  /** Of the update that runs. */
  Batch batch_{};
  const float *advantages_ = nullptr, *returns_ = nullptr;
};

}  // namespace leash
