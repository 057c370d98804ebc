// The seam between PPO (ppo.cc, the same everywhere) and where its arithmetic runs. The CPU is cpu_device.cc; another
// device is one more implementation with its own make_device, built with the same binding into an addon of its own.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "aligned.h"
#include "batch.h"
#include "network.h"

namespace leash {

struct DeviceConfig {
  Layout layout;
  /** Flat [count], shared with the actors: written during an update, read by them between updates. */
  float* parameters;
  /** mean, variance, count; null when observations are not normalized. */
  double* normalizer;
  int threads;
  float min_log_std, max_log_std;
  bool mirrored;
  Mirror mirror;
};

/** Adam's moments [count] and how many steps they have seen. */
struct AdamState {
  Floats mean, variance;
  int64_t step = 0;
};

/** One update is begin(), then evaluate(), gradient_norm() and step() for each minibatch, then finish(). */
class Device {
 public:
  virtual ~Device() = default;

  /** Takes in the batch with its advantages and returns [T, N], and the parameters and normalizer as they are now. */
  virtual void begin(const Batch& batch, const float* advantages, const float* returns) = 0;
  /** Losses of a minibatch (with its mirror images); their gradient stays on the device. */
  virtual Losses evaluate(const Minibatch& minibatch) = 0;
  /** Completes the gradient of the last evaluate() with the entropy's. @returns its norm */
  virtual double gradient_norm(float entropy_coefficient) = 0;
  /** The completed gradient, out [count]. */
  virtual void copy_gradient(float* gradient) const = 0;
  /** Adam with the gradient times `scale`, then log σ back within its bounds. */
  virtual void step(double rate, double scale) = 0;
  /** Ends the update: the parameters are in their shared array afterwards. */
  virtual void finish() = 0;
  /** Merges a batch's observations (and their mirror images) into the normalizer. */
  virtual void learn_normalizer(const Batch& batch) = 0;

  virtual const AdamState& adam() const = 0;
  virtual void set_adam(const AdamState& state) = 0;
};

/** The device's name, as `--device` takes it. */
extern const char* const kDevice;
std::unique_ptr<Device> make_device(const DeviceConfig& config);

}  // namespace leash
