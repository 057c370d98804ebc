#include "network.h"

#include <algorithm>
#include <cmath>

#include "random.h"

namespace leash {

namespace {

/** Lays one perceptron's tensors out from position `at` on, and moves that behind them. */
std::vector<Layer> place(const char* net, size_t in, const std::vector<size_t>& hidden, size_t out, size_t& at,
                         std::vector<Tensor>& tensors) {
  std::vector<size_t> widths(hidden);
  widths.push_back(out);
  std::vector<Layer> layers;
  for (size_t i = 0; i < widths.size(); ++i) {
    Layer layer{in, widths[i], at, at + in * widths[i]};
    std::string name = std::string(net) + "." + std::to_string(i);
    tensors.push_back({name + ".weight", {layer.out, layer.in}, layer.weight});
    tensors.push_back({name + ".bias", {layer.out}, layer.bias});
    at = layer.bias + layer.out;
    in = layer.out;
    layers.push_back(layer);
  }
  return layers;
}

/** Rows (or columns, where there are more rows) made orthonormal by Gram–Schmidt in double precision, times gain. */
void orthogonal(Xoshiro& random, size_t rows, size_t columns, double gain, float* weight) {
  bool tall = rows > columns;
  size_t count = std::min(rows, columns), length = std::max(rows, columns);
  std::vector<std::vector<double>> basis(count, std::vector<double>(length));
  for (size_t i = 0; i < count; ++i) {
    std::vector<double>& v = basis[i];
    for (double& x : v) x = random.normal();
    // Twice: once leaves rounding errors of its own.
    for (int pass = 0; pass < 2; ++pass) {
      for (size_t j = 0; j < i; ++j) {
        double dot = 0;
        for (size_t l = 0; l < length; ++l) dot += v[l] * basis[j][l];
        for (size_t l = 0; l < length; ++l) v[l] -= dot * basis[j][l];
      }
    }
    double norm = 0;
    for (double x : v) norm += x * x;
    norm = std::sqrt(norm);
    for (double& x : v) x /= norm;
  }
  for (size_t r = 0; r < rows; ++r) {
    for (size_t c = 0; c < columns; ++c) weight[r * columns + c] = static_cast<float>(gain * (tall ? basis[c][r] : basis[r][c]));
  }
}

}  // namespace

Layout::Layout(size_t observations, size_t actions, const std::vector<size_t>& policy_hidden, const std::vector<size_t>& value_hidden,
               Activation activation)
    : observations(observations), actions(actions), activation(activation) {
  size_t at = 0;
  policy = place("policy", observations, policy_hidden, actions, at, tensors);
  value = place("value", observations, value_hidden, 1, at, tensors);
  log_std = at;
  tensors.push_back({"log_std", {actions}, at});
  count = at + actions;
}

void Layout::initialize(uint64_t seed, float initial_log_std, float* parameters) const {
  std::fill(parameters, parameters + count, 0.f);
  Xoshiro random(seed);
  auto fill = [&](const std::vector<Layer>& layers, double output_gain) {
    for (size_t i = 0; i < layers.size(); ++i) {
      double gain = i + 1 == layers.size() ? output_gain : std::sqrt(2.0);
      orthogonal(random, layers[i].out, layers[i].in, gain, parameters + layers[i].weight);
    }
  };
  fill(policy, 0.01);
  fill(value, 1.0);
  std::fill(parameters + log_std, parameters + log_std + actions, initial_log_std);
}

const std::string& Layout::name_at(size_t offset) const {
  size_t found = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].offset <= offset) found = i;
  }
  return tensors[found].name;
}

PackedWeights::PackedWeights(const std::vector<Layer>& layers, bool backward) : layers_(layers) {
  const Kernels& k = kernels();
  for (size_t i = 0; i < layers.size(); ++i) {
    forward_.emplace_back(k.packed_size(layers[i].in, layers[i].out));
    // Nothing needs the gradient by the network's input.
    backward_.emplace_back(backward && i > 0 ? k.packed_size(layers[i].out, layers[i].in) : 0);
  }
}

void PackedWeights::pack(size_t index, const float* parameters) {
  const Kernels& k = kernels();
  const Layer& layer = layers_[index];
  const float* weight = parameters + layer.weight;
  k.pack(layer.in, layer.out, {weight, 1, layer.in}, forward_[index].data());
  if (!backward_[index].empty()) k.pack(layer.out, layer.in, {weight, layer.in, 1}, backward_[index].data());
}

Workspace::Workspace(const std::vector<Layer>& layers, Activation activation, size_t rows, bool backward)
    : layers_(layers), activation_(activation) {
  size_t packed = 0;
  for (const Layer& layer : layers) {
    outputs_.emplace_back(rows * layer.out);
    gradients_.emplace_back(backward ? rows * layer.out : 0);
    packed = std::max(packed, kernels().packed_size(rows, layer.in));
  }
  if (backward) packed_.resize(packed);
}

float* Workspace::forward(size_t rows, const float* x, const PackedWeights& weights, const float* parameters) {
  const Kernels& k = kernels();
  for (size_t i = 0; i < layers_.size(); ++i) {
    const Layer& layer = layers_[i];
    float* y = outputs_[i].data();
    k.multiply(rows, layer.out, layer.in, {x, layer.in, 1}, weights.forward(i), y, false);
    if (i + 1 < layers_.size()) k.bias_activate(rows, layer.out, y, parameters + layer.bias, activation_);
    else k.add_bias(rows, layer.out, y, parameters + layer.bias);
    x = y;
  }
  return outputs_.back().data();
}

void Workspace::backward(size_t rows, const float* x, float* dy, const PackedWeights& weights, float* gradient) {
  const Kernels& k = kernels();
  for (size_t i = layers_.size(); i-- > 0;) {
    const Layer& layer = layers_[i];
    const float* input = i > 0 ? outputs_[i - 1].data() : x;
    k.add_column_sums(rows, layer.out, dy, gradient + layer.bias);
    // weight gradient [out, in] += dyᵀ [out, rows] · input [rows, in]
    k.pack(rows, layer.in, {input, layer.in, 1}, packed_.data());
    k.multiply(layer.out, layer.in, rows, {dy, 1, layer.out}, packed_.data(), gradient + layer.weight, true);
    if (i == 0) break;
    float* dx = gradients_[i - 1].data();
    k.multiply(rows, layer.in, layer.out, {dy, layer.out, 1}, weights.backward(i), dx, false);
    k.activation_gradient(rows * layer.in, input, dx, activation_);
    dy = dx;
  }
}

}  // namespace leash
