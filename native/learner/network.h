// Two multilayer perceptrons (policy and value) over one flat parameter vector, and their passes over a block of rows.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "aligned.h"
#include "kernels.h"

namespace leash {

struct Layer {
  size_t in, out;
  /** Offsets in the flat vector; weight is [out, in] row-major. */
  size_t weight, bias;
};

struct Tensor {
  std::string name;
  std::vector<size_t> shape;
  size_t offset;
};

/** Where every parameter lies. */
struct Layout {
  size_t observations, actions;
  std::vector<Layer> policy, value;
  size_t log_std;
  size_t count;
  Activation activation;
  std::vector<Tensor> tensors;

  Layout(size_t observations, size_t actions, const std::vector<size_t>& policy_hidden, const std::vector<size_t>& value_hidden,
         Activation activation);
  /** Orthogonal weights (gain √2 hidden, 0.01 policy output, 1 value output), zero biases, log σ as given. */
  void initialize(uint64_t seed, float initial_log_std, float* parameters) const;
  /** The tensor that holds a flat position. */
  const std::string& name_at(size_t offset) const;
};

/** Weights of one perceptron packed for its forward pass (and, for training, for the data gradient). */
class PackedWeights {
 public:
  PackedWeights(const std::vector<Layer>& layers, bool backward);
  /** Packs layer `index` from the flat parameters; layers may be packed by different threads. */
  void pack(size_t index, const float* parameters);
  const float* forward(size_t index) const { return forward_[index].data(); }
  const float* backward(size_t index) const { return backward_[index].data(); }

 private:
  const std::vector<Layer>& layers_;
  std::vector<Floats> forward_, backward_;
};

/** One thread's activations of one perceptron for up to `rows` rows. */
class Workspace {
 public:
  Workspace(const std::vector<Layer>& layers, Activation activation, size_t rows, bool backward);

  /** x [rows, in]; returns the output [rows, out], which lives here until the next pass. */
  float* forward(size_t rows, const float* x, const PackedWeights& weights, const float* parameters);
  /**
   * After forward() of the same rows: adds the parameters' gradient into `gradient` (flat, all parameters).
   * @param dy [rows, out] gradient by the output; overwritten
   */
  void backward(size_t rows, const float* x, float* dy, const PackedWeights& weights, float* gradient);

 private:
  const std::vector<Layer>& layers_;
  Activation activation_;
  std::vector<Floats> outputs_, gradients_;
  Floats packed_;
};

}  // namespace leash
