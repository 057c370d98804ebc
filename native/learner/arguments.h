// From JavaScript's objects (worker/training/learner.ts) to the learner's structs, with every size checked.
#pragma once
#include <napi.h>

#include <string>
#include <vector>

#include "batch.h"
#include "learner.h"

namespace leash {

template <class T> struct ArrayKind;
template <> struct ArrayKind<float> { static constexpr napi_typedarray_type type = napi_float32_array; static constexpr const char* name = "Float32Array"; };
template <> struct ArrayKind<double> { static constexpr napi_typedarray_type type = napi_float64_array; static constexpr const char* name = "Float64Array"; };
template <> struct ArrayKind<uint8_t> { static constexpr napi_typedarray_type type = napi_uint8_array; static constexpr const char* name = "Uint8Array"; };
template <> struct ArrayKind<int32_t> { static constexpr napi_typedarray_type type = napi_int32_array; static constexpr const char* name = "Int32Array"; };
template <> struct ArrayKind<uint32_t> { static constexpr napi_typedarray_type type = napi_uint32_array; static constexpr const char* name = "Uint32Array"; };
template <> struct ArrayKind<uint64_t> { static constexpr napi_typedarray_type type = napi_biguint64_array; static constexpr const char* name = "BigUint64Array"; };

/** Memory of a typed array, which may lie on a SharedArrayBuffer. `count` receives its length. @throws TypeError */
template <class T>
T* array_of(Napi::Value value, const char* what, size_t* count) {
  napi_typedarray_type type;
  void* data = nullptr;
  napi_value buffer;
  size_t offset;
  bool ok = napi_get_typedarray_info(value.Env(), value, &type, count, &data, &buffer, &offset) == napi_ok;
  if (!ok || type != ArrayKind<T>::type) throw Napi::TypeError::New(value.Env(), std::string(what) + " must be a " + ArrayKind<T>::name);
  return static_cast<T*>(data);
}

/** The same of exactly `count` numbers. */
template <class T>
T* array_of(Napi::Value value, const char* what, size_t count) {
  size_t found;
  T* data = array_of<T>(value, what, &found);
  if (found != count) throw Napi::TypeError::New(value.Env(), std::string(what) + " must hold " + std::to_string(count) + " numbers, not " + std::to_string(found));
  return data;
}

inline double number(const Napi::Object& object, const char* key) {
  Napi::Value value = object.Get(key);
  if (!value.IsNumber()) throw Napi::TypeError::New(object.Env(), std::string(key) + " must be a number");
  return value.As<Napi::Number>().DoubleValue();
}

inline std::vector<size_t> sizes(const Napi::Object& object, const char* key) {
  Napi::Value value = object.Get(key);
  if (!value.IsArray()) throw Napi::TypeError::New(object.Env(), std::string(key) + " must be a list of numbers");
  Napi::Array list = value.As<Napi::Array>();
  std::vector<size_t> out;
  for (uint32_t i = 0; i < list.Length(); ++i) {
    double width = list.Get(i).ToNumber().DoubleValue();
    if (!(width >= 1) || width > 65536) throw Napi::TypeError::New(object.Env(), std::string(key) + " must hold widths from 1 to 65536");
    out.push_back(static_cast<size_t>(width));
  }
  return out;
}

inline Layout layout_of(const Napi::Object& network) {
  std::string activation = network.Get("activation").ToString();
  if (activation != "tanh" && activation != "elu") throw Napi::TypeError::New(network.Env(), "activation must be tanh or elu, not " + activation);
  double actions = number(network, "actionSize"), observations = number(network, "observationSize");
  if (!(actions >= 1 && actions <= 64)) throw Napi::TypeError::New(network.Env(), "actionSize must be from 1 to 64");
  if (!(observations >= 1 && observations <= 65536)) throw Napi::TypeError::New(network.Env(), "observationSize must be from 1 to 65536");
  return Layout(static_cast<size_t>(observations), static_cast<size_t>(actions), sizes(network, "policyHidden"), sizes(network, "valueHidden"), activation == "elu" ? Activation::elu : Activation::tanh);
}

inline Batch batch_of(const Napi::Object& o, const Layout& layout) {
  Batch b{};
  b.steps = static_cast<size_t>(number(o, "steps"));
  b.environments = static_cast<size_t>(number(o, "environments"));
  size_t n = b.size();
  b.observations = array_of<float>(o.Get("observations"), "observations", n * layout.observations);
  b.actions = array_of<float>(o.Get("actions"), "actions", n * layout.actions);
  b.log_probs = array_of<float>(o.Get("logProbs"), "logProbs", n);
  b.values = array_of<float>(o.Get("values"), "values", n);
  b.rewards = array_of<float>(o.Get("rewards"), "rewards", n);
  b.terminated = array_of<uint8_t>(o.Get("terminated"), "terminated", n);
  b.truncated = array_of<uint8_t>(o.Get("truncated"), "truncated", n);
  b.terminal_values = array_of<float>(o.Get("terminalValues"), "terminalValues", n);
  b.last_values = array_of<float>(o.Get("lastValues"), "lastValues", b.environments);
  return b;
}

inline Settings settings_of(const Napi::Object& o) {
  auto f = [&](const char* key) { return static_cast<float>(number(o, key)); };
  Settings s{};
  s.gamma = f("gamma");
  s.lambda = f("lambda");
  s.epochs = static_cast<int>(number(o, "epochs"));
  double minibatch = number(o, "minibatchSize");
  if (!(minibatch >= 1)) throw Napi::TypeError::New(o.Env(), "minibatchSize must be at least 1");
  s.minibatch = static_cast<size_t>(minibatch);
  s.learning_rate = f("learningRate");
  s.clip_range = f("clipRange");
  s.value_coefficient = f("valueCoefficient");
  s.entropy_coefficient = f("entropyCoefficient");
  s.max_gradient_norm = f("maxGradientNorm");
  s.normalize_advantages = o.Get("normalizeAdvantages").ToBoolean();
  s.target_kl = o.Get("targetKl").IsNumber() ? f("targetKl") : -1.f;
  Napi::Value adaptive = o.Get("adaptiveRate");
  s.adaptive = adaptive.IsObject();
  if (s.adaptive) {
    Napi::Object a = adaptive.As<Napi::Object>();
    s.adaptive_kl = static_cast<float>(number(a, "targetKl"));
    s.rate_min = static_cast<float>(number(a, "min"));
    s.rate_max = static_cast<float>(number(a, "max"));
  }
  return s;
}

inline LearnerConfig config_of(const Napi::Object& o) {
  LearnerConfig c{layout_of(o.Get("network").As<Napi::Object>()), nullptr, nullptr, 1, 0, 0, 0, false, {}};
  c.parameters = array_of<float>(o.Get("parameters"), "parameters", c.layout.count);
  double* normalizer = array_of<double>(o.Get("normalizer"), "normalizer", 2 * c.layout.observations + 1);
  c.normalizer = o.Get("normalizeObservations").ToBoolean() ? normalizer : nullptr;
  c.threads = static_cast<int>(number(o, "threads"));
  if (c.threads < 1 || c.threads > 1024) throw Napi::TypeError::New(o.Env(), "threads must be from 1 to 1024");
  c.seed = static_cast<uint64_t>(number(o, "seed"));
  c.min_log_std = static_cast<float>(number(o, "minLogStd"));
  c.max_log_std = static_cast<float>(number(o, "maxLogStd"));
  Napi::Value mirror = o.Get("mirror");
  c.mirrored = mirror.IsObject();
  if (c.mirrored) {
    Napi::Object m = mirror.As<Napi::Object>();
    size_t n = c.layout.observations, a = c.layout.actions;
    c.mirror.observation_index = array_of<int32_t>(m.Get("observationIndex"), "observationIndex", n);
    c.mirror.observation_sign = array_of<float>(m.Get("observationSign"), "observationSign", n);
    c.mirror.action_index = array_of<int32_t>(m.Get("actionIndex"), "actionIndex", a);
    c.mirror.action_sign = array_of<float>(m.Get("actionSign"), "actionSign", a);
    for (size_t i = 0; i < n; ++i) {
      if (c.mirror.observation_index[i] < 0 || c.mirror.observation_index[i] >= static_cast<int32_t>(n)) throw Napi::RangeError::New(o.Env(), "observationIndex points outside the observation");
    }
    for (size_t i = 0; i < a; ++i) {
      if (c.mirror.action_index[i] < 0 || c.mirror.action_index[i] >= static_cast<int32_t>(a)) throw Napi::RangeError::New(o.Env(), "actionIndex points outside the action");
    }
  }
  return c;
}

}  // namespace leash
