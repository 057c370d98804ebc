#include "arguments.h"

#include <cmath>
#include <string>
#include <vector>

namespace leash {

namespace {

constexpr double kMaxWidth = 65536, kMaxActions = 4096, kMaxThreads = 1024, kMaxCount = 1u << 31;
/** The largest whole number up to which JavaScript's are exact. */
constexpr double kMaxSafe = 9007199254740991;

Napi::TypeError wrong(Napi::Env env, const std::string& message) { return Napi::TypeError::New(env, message); }

std::vector<size_t> widths_of(const Napi::Object& object, const char* key) {
  Napi::Value value = object.Get(key);
  if (!value.IsArray()) throw wrong(object.Env(), std::string(key) + " must be a list of numbers");
  Napi::Array list = value.As<Napi::Array>();
  std::vector<size_t> out;
  for (uint32_t i = 0; i < list.Length(); ++i) {
    double width = list.Get(i).ToNumber().DoubleValue();
    if (!(width >= 1 && width <= kMaxWidth && width == std::floor(width))) {
      throw wrong(object.Env(), std::string(key) + " must hold whole numbers from 1 to 65536");
    }
    out.push_back(static_cast<size_t>(width));
  }
  return out;
}

bool flag_of(const Napi::Object& object, const char* key) {
  Napi::Value value = object.Get(key);
  if (!value.IsBoolean()) throw wrong(object.Env(), std::string(key) + " must be true or false");
  return value.As<Napi::Boolean>();
}

float float_of(const Napi::Object& object, const char* key) { return static_cast<float>(number_of(object, key)); }

bool is_absent(Napi::Value value) { return value.IsNull() || value.IsUndefined(); }

const int32_t* index_of(const Napi::Object& mirror, const char* key, size_t count, KeptArrays& kept) {
  const int32_t* index = kept.take<int32_t>(mirror, key, count);
  for (size_t i = 0; i < count; ++i) {
    if (index[i] >= 0 && static_cast<size_t>(index[i]) < count) continue;
    throw wrong(mirror.Env(), std::string(key) + " must hold positions below " + std::to_string(count));
  }
  return index;
}

/** Reads the bounds of log σ of a learner's or an actor's options. */
template <class Config>
void read_log_std_bounds(const Napi::Object& options, Config& config) {
  config.min_log_std = float_of(options, "minLogStd");
  config.max_log_std = float_of(options, "maxLogStd");
  if (config.min_log_std > config.max_log_std) throw wrong(options.Env(), "minLogStd must not be above maxLogStd");
}

double* normalizer_of(const Napi::Object& options, size_t observations, KeptArrays& kept) {
  double* normalizer = kept.take<double>(options, "normalizer", 2 * observations + 1);
  return flag_of(options, "normalizeObservations") ? normalizer : nullptr;
}

void read_shape(const Napi::Object& object, Batch& batch) {
  batch.steps = static_cast<size_t>(whole_of(object, "steps", 1, kMaxCount));
  batch.environments = static_cast<size_t>(whole_of(object, "environments", 1, kMaxCount));
  if (static_cast<double>(batch.steps) * static_cast<double>(batch.environments) > kMaxCount) {
    throw wrong(object.Env(), "steps times environments must be at most 2147483648");
  }
}

}  // namespace

Napi::Object object_of(Napi::Value value, const char* what) {
  if (!value.IsObject()) throw wrong(value.Env(), std::string(what) + " must be an object");
  return value.As<Napi::Object>();
}

double number_of(const Napi::Object& object, const char* key) {
  Napi::Value value = object.Get(key);
  double number = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : std::nan("");
  if (!std::isfinite(number)) throw wrong(object.Env(), std::string(key) + " must be a finite number");
  return number;
}

double whole_of(const Napi::Object& object, const char* key, double low, double high) {
  double number = number_of(object, key);
  if (number >= low && number <= high && number == std::floor(number)) return number;
  throw wrong(object.Env(), std::string(key) + " must be a whole number from " + std::to_string(static_cast<int64_t>(low)) + " to " +
                                std::to_string(static_cast<int64_t>(high)));
}

Layout layout_of(Napi::Value value) {
  Napi::Object network = object_of(value, "network");
  Napi::Value activation = network.Get("activation");
  std::string name = activation.IsString() ? activation.As<Napi::String>().Utf8Value() : "";
  if (name != "tanh" && name != "elu") throw wrong(network.Env(), "activation must be tanh or elu");
  auto observations = static_cast<size_t>(whole_of(network, "observationSize", 1, kMaxWidth));
  auto actions = static_cast<size_t>(whole_of(network, "actionSize", 1, kMaxActions));
  return Layout(observations, actions, widths_of(network, "policyHidden"), widths_of(network, "valueHidden"),
                name == "elu" ? Activation::elu : Activation::tanh);
}

uint64_t seed_of(const Napi::Object& options) { return static_cast<uint64_t>(whole_of(options, "seed", 0, kMaxSafe)); }

DeviceConfig device_config_of(const Napi::Object& options, KeptArrays& kept) {
  DeviceConfig c{layout_of(options.Get("network")), nullptr, nullptr, 1, 0, 0, false, {}};
  c.parameters = kept.take<float>(options, "parameters", c.layout.count);
  c.normalizer = normalizer_of(options, c.layout.observations, kept);
  c.threads = static_cast<int>(whole_of(options, "threads", 1, kMaxThreads));
  read_log_std_bounds(options, c);
  Napi::Value mirror = options.Get("mirror");
  c.mirrored = !is_absent(mirror);
  if (!c.mirrored) return c;
  Napi::Object m = object_of(mirror, "mirror");
  c.mirror.observation_index = index_of(m, "observationIndex", c.layout.observations, kept);
  c.mirror.observation_sign = kept.take<float>(m, "observationSign", c.layout.observations);
  c.mirror.action_index = index_of(m, "actionIndex", c.layout.actions, kept);
  c.mirror.action_sign = kept.take<float>(m, "actionSign", c.layout.actions);
  return c;
}

ActorConfig actor_config_of(const Napi::Object& options, KeptArrays& kept) {
  ActorConfig c{layout_of(options.Get("network")), nullptr, nullptr, seed_of(options), 0, 0};
  c.parameters = kept.take<float>(options, "parameters", c.layout.count);
  c.normalizer = normalizer_of(options, c.layout.observations, kept);
  read_log_std_bounds(options, c);
  return c;
}

Batch rewards_of(Napi::Value value, KeptArrays& kept) {
  Napi::Object o = object_of(value, "batch");
  Batch b{};
  read_shape(o, b);
  b.values = kept.take<float>(o, "values", b.size());
  b.rewards = kept.take<float>(o, "rewards", b.size());
  b.terminated = kept.take<uint8_t>(o, "terminated", b.size());
  b.truncated = kept.take<uint8_t>(o, "truncated", b.size());
  b.terminal_values = kept.take<float>(o, "terminalValues", b.size());
  b.last_values = kept.take<float>(o, "lastValues", b.environments);
  return b;
}

Batch batch_of(Napi::Value value, const Layout& layout, KeptArrays& kept) {
  Batch b = rewards_of(value, kept);
  Napi::Object o = value.As<Napi::Object>();
  b.observations = kept.take<float>(o, "observations", b.size() * layout.observations);
  b.actions = kept.take<float>(o, "actions", b.size() * layout.actions);
  b.log_probs = kept.take<float>(o, "logProbs", b.size());
  return b;
}

Settings settings_of(Napi::Value value) {
  Napi::Object o = object_of(value, "settings");
  Settings s{};
  s.gamma = float_of(o, "gamma");
  s.lambda = float_of(o, "lambda");
  s.epochs = static_cast<int>(whole_of(o, "epochs", 1, 1e6));
  s.minibatch = static_cast<size_t>(whole_of(o, "minibatchSize", 1, kMaxCount));
  s.learning_rate = number_of(o, "learningRate");
  s.clip_range = float_of(o, "clipRange");
  s.value_coefficient = float_of(o, "valueCoefficient");
  s.entropy_coefficient = float_of(o, "entropyCoefficient");
  s.max_gradient_norm = number_of(o, "maxGradientNorm");
  s.normalize_advantages = flag_of(o, "normalizeAdvantages");
  s.target_kl = is_absent(o.Get("targetKl")) ? -1 : number_of(o, "targetKl");
  Napi::Value adaptive = o.Get("adaptiveRate");
  s.adaptive = !is_absent(adaptive);
  if (!s.adaptive) return s;
  Napi::Object a = object_of(adaptive, "adaptiveRate");
  s.adaptive_kl = number_of(a, "targetKl");
  s.rate_min = number_of(a, "min");
  s.rate_max = number_of(a, "max");
  return s;
}

}  // namespace leash
