// The addon's exports, as worker/training/learner.ts declares them; the same for every device.
#include <napi.h>

#include <algorithm>

#include "arguments.h"
#include "gae.h"
#include "handles.h"
#include "kernels.h"
#include "matrix_timer.h"
#include "ppo.h"

namespace leash {

namespace {

Napi::Value parameter_layout(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  Layout layout = layout_of(info[0]);
  Napi::Array out = Napi::Array::New(env);
  for (const Tensor& tensor : layout.tensors) {
    Napi::Array shape = Napi::Array::New(env);
    for (size_t size : tensor.shape) shape.Set(shape.Length(), static_cast<double>(size));
    Napi::Object o = Napi::Object::New(env);
    o.Set("name", tensor.name);
    o.Set("shape", shape);
    o.Set("offset", static_cast<double>(tensor.offset));
    out.Set(out.Length(), o);
  }
  return out;
}

void advantages(const Napi::CallbackInfo& info) {
  KeptArrays kept(info.Env());
  Batch batch = rewards_of(info[0], kept);
  float gamma = info[1].ToNumber().FloatValue(), lambda = info[2].ToNumber().FloatValue();
  float* out = array_of<float>(info[3], "advantages", batch.size());
  estimate_advantages(batch, gamma, lambda, out, array_of<float>(info[4], "returns", batch.size()));
}

Napi::Value loss_and_gradient(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  KeptArrays kept(env);
  Napi::Object options = object_of(info[0], "options");
  DeviceConfig config = device_config_of(options, kept);
  Batch batch = batch_of(info[1], config.layout, kept);
  const float* given = array_of<float>(info[2], "advantages", batch.size());
  const float* returns = array_of<float>(info[3], "returns", batch.size());
  Napi::Float32Array gradient = Napi::Float32Array::New(env, config.layout.count);
  Learner learner(config, seed_of(options));
  double loss = learner.loss_and_gradient(batch, given, returns, settings_of(info[4]), gradient.Data());
  Napi::Object out = Napi::Object::New(env);
  out.Set("loss", loss);
  out.Set("gradient", gradient);
  return out;
}

Napi::Value matrix_product(const Napi::CallbackInfo& info) {
  auto whole = [&](size_t i) {
    double number = info[i].ToNumber().DoubleValue();
    if (!(number >= 1 && number <= 1e6)) throw Napi::TypeError::New(info.Env(), "timeMatrixProduct takes five whole numbers from 1 on");
    return static_cast<size_t>(number);
  };
  int repeats = static_cast<int>(whole(3)), threads = static_cast<int>(std::min(whole(4), size_t{1024}));
  return Napi::Number::New(info.Env(), time_matrix_product(whole(0), whole(1), whole(2), repeats, threads));
}

Napi::Value peak(const Napi::CallbackInfo& info) {
  double threads = info[0].ToNumber().DoubleValue();
  if (!(threads >= 1 && threads <= 1024)) throw Napi::TypeError::New(info.Env(), "arithmeticPeak takes a number of threads from 1 to 1024");
  return Napi::Number::New(info.Env(), arithmetic_peak(static_cast<int>(threads)));
}

Napi::Object init(Napi::Env env, Napi::Object exports) {
  exports.Set("device", kDevice);
  exports.Set("simd", kernels().name);
  exports.Set("Learner", define_learner(env));
  exports.Set("Actor", define_actor(env));
  exports.Set("parameterLayout", Napi::Function::New<parameter_layout>(env));
  exports.Set("advantages", Napi::Function::New<advantages>(env));
  exports.Set("lossAndGradient", Napi::Function::New<loss_and_gradient>(env));
  exports.Set("timeMatrixProduct", Napi::Function::New<matrix_product>(env));
  exports.Set("arithmeticPeak", Napi::Function::New<peak>(env));
  return exports;
}

}  // namespace

}  // namespace leash

static Napi::Object leash_learner_init(Napi::Env env, Napi::Object exports) { return leash::init(env, exports); }
NODE_API_MODULE(leash_learner, leash_learner_init)
