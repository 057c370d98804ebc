// The learner's addon, as worker/training/learner.ts declares it. Shared by every device.
#include <napi.h>

#include <chrono>
#include <memory>

#include "actor.h"
#include "arguments.h"
#include "kernels.h"
#include "learner.h"
#include "thread_pool.h"

namespace leash {
namespace {

Napi::Value stats_to_object(Napi::Env env, const Stats& s) {
  Napi::Object o = Napi::Object::New(env);
  o.Set("policyLoss", s.policy_loss);
  o.Set("valueLoss", s.value_loss);
  o.Set("entropy", s.entropy);
  o.Set("approxKl", s.approx_kl);
  o.Set("clipFraction", s.clip_fraction);
  o.Set("gradientNorm", s.gradient_norm);
  o.Set("explainedVariance", s.explained_variance);
  o.Set("std", s.std);
  o.Set("learningRate", s.learning_rate);
  o.Set("gradientSteps", s.gradient_steps);
  o.Set("epochsDone", s.epochs_done);
  o.Set("stoppedByKl", s.stopped_by_kl);
  o.Set("notFinite", s.not_finite.empty() ? env.Null() : Napi::Value(Napi::String::New(env, s.not_finite)));
  return o;
}

class LearnerHandle;

/** One update on a thread of Node's pool; keeps the batch's arrays alive. */
class UpdateWorker : public Napi::AsyncWorker {
 public:
  UpdateWorker(Napi::Env env, std::shared_ptr<Learner> learner, std::shared_ptr<bool> busy, const Batch& batch, const Settings& settings, Napi::Object kept)
      : Napi::AsyncWorker(env), deferred_(Napi::Promise::Deferred::New(env)), learner_(std::move(learner)), busy_(std::move(busy)), batch_(batch), settings_(settings), kept_(Napi::Persistent(kept)) {}
  Napi::Promise promise() const { return deferred_.Promise(); }
  void Execute() override { stats_ = learner_->update(batch_, settings_); }
  void OnOK() override {
    *busy_ = false;
    deferred_.Resolve(stats_to_object(Env(), stats_));
  }
  void OnError(const Napi::Error& error) override {
    *busy_ = false;
    deferred_.Reject(error.Value());
  }

 private:
  Napi::Promise::Deferred deferred_;
  std::shared_ptr<Learner> learner_;
  std::shared_ptr<bool> busy_;
  Batch batch_;
  Settings settings_;
  Napi::ObjectReference kept_;
  Stats stats_;
};

class LearnerHandle : public Napi::ObjectWrap<LearnerHandle> {
 public:
  static Napi::Function define(Napi::Env env) {
    return DefineClass(env, "Learner",
                       {InstanceMethod<&LearnerHandle::update>("update"), InstanceMethod<&LearnerHandle::export_state>("exportState"), InstanceMethod<&LearnerHandle::import_state>("importState"), InstanceMethod<&LearnerHandle::dispose>("dispose")});
  }
  explicit LearnerHandle(const Napi::CallbackInfo& info) : Napi::ObjectWrap<LearnerHandle>(info), busy_(std::make_shared<bool>(false)) {
    Napi::Object options = info[0].As<Napi::Object>();
    LearnerConfig config = config_of(options);
    layout_ = std::make_unique<Layout>(config.layout);
    kept_ = Napi::Persistent(options);
    learner_ = make_learner(config);
    config.layout.initialize(config.seed, static_cast<float>(number(options, "initialLogStd")), config.parameters);
  }

 private:
  Learner& live(Napi::Env env) {
    if (!learner_) throw Napi::Error::New(env, "this learner is disposed");
    return *learner_;
  }
  void not_busy(Napi::Env env) {
    if (*busy_) throw Napi::Error::New(env, "an update is running");
  }
  Napi::Value update(const Napi::CallbackInfo& info) {
    live(info.Env());
    not_busy(info.Env());
    Napi::Object batch = info[0].As<Napi::Object>();
    auto* worker = new UpdateWorker(info.Env(), learner_, busy_, batch_of(batch, *layout_), settings_of(info[1].As<Napi::Object>()), batch);
    *busy_ = true;
    worker->Queue();
    return worker->promise();
  }
  Napi::Value export_state(const Napi::CallbackInfo& info) {
    Napi::Env env = info.Env();
    not_busy(env);
    OptimizerState s = live(env).state();
    Napi::Float32Array mean = Napi::Float32Array::New(env, s.mean.size()), variance = Napi::Float32Array::New(env, s.variance.size());
    std::copy(s.mean.begin(), s.mean.end(), mean.Data());
    std::copy(s.variance.begin(), s.variance.end(), variance.Data());
    Napi::BigUint64Array random = Napi::BigUint64Array::New(env, 4);
    std::copy(s.random, s.random + 4, random.Data());
    Napi::Object o = Napi::Object::New(env);
    o.Set("adamMean", mean);
    o.Set("adamVariance", variance);
    o.Set("adamStep", static_cast<double>(s.step));
    o.Set("random", random);
    o.Set("learningRate", s.learning_rate);
    return o;
  }
  void import_state(const Napi::CallbackInfo& info) {
    Napi::Env env = info.Env();
    not_busy(env);
    Napi::Object o = info[0].As<Napi::Object>();
    OptimizerState s;
    const float* mean = array_of<float>(o.Get("adamMean"), "adamMean", layout_->count);
    const float* variance = array_of<float>(o.Get("adamVariance"), "adamVariance", layout_->count);
    s.mean.assign(mean, mean + layout_->count);
    s.variance.assign(variance, variance + layout_->count);
    s.step = static_cast<int64_t>(number(o, "adamStep"));
    s.learning_rate = number(o, "learningRate");
    const uint64_t* random = array_of<uint64_t>(o.Get("random"), "random", size_t{4});
    std::copy(random, random + 4, s.random);
    live(env).set_state(s);
  }
  void dispose(const Napi::CallbackInfo&) {
    learner_.reset();
    kept_.Reset();
  }

  std::unique_ptr<Layout> layout_;
  std::shared_ptr<Learner> learner_;
  std::shared_ptr<bool> busy_;
  Napi::ObjectReference kept_;
};

class ActorHandle : public Napi::ObjectWrap<ActorHandle> {
 public:
  static Napi::Function define(Napi::Env env) {
    return DefineClass(env, "Actor",
                       {InstanceMethod<&ActorHandle::refresh>("refresh"), InstanceMethod<&ActorHandle::sample>("sample"), InstanceMethod<&ActorHandle::mean>("mean"), InstanceMethod<&ActorHandle::value>("value"), InstanceMethod<&ActorHandle::dispose>("dispose")});
  }
  explicit ActorHandle(const Napi::CallbackInfo& info) : Napi::ObjectWrap<ActorHandle>(info) {
    Napi::Object o = info[0].As<Napi::Object>();
    Layout layout = layout_of(o.Get("network").As<Napi::Object>());
    observations_ = layout.observations;
    actions_ = layout.actions;
    const float* parameters = array_of<float>(o.Get("parameters"), "parameters", layout.count);
    const double* normalizer = array_of<double>(o.Get("normalizer"), "normalizer", 2 * layout.observations + 1);
    if (!o.Get("normalizeObservations").ToBoolean()) normalizer = nullptr;
    kept_ = Napi::Persistent(o);
    actor_ = std::make_unique<Actor>(layout, parameters, normalizer, static_cast<uint64_t>(number(o, "seed")), static_cast<float>(number(o, "minLogStd")), static_cast<float>(number(o, "maxLogStd")));
  }

 private:
  Actor& live(Napi::Env env) {
    if (!actor_) throw Napi::Error::New(env, "this actor is disposed");
    return *actor_;
  }
  const float* rows_of(Napi::Value value, size_t* rows) {
    size_t count;
    const float* data = array_of<float>(value, "observations", &count);
    if (count % observations_ != 0) throw Napi::TypeError::New(value.Env(), "observations must hold a multiple of " + std::to_string(observations_) + " numbers, not " + std::to_string(count));
    *rows = count / observations_;
    return data;
  }
  void refresh(const Napi::CallbackInfo& info) { live(info.Env()).refresh(); }
  void sample(const Napi::CallbackInfo& info) {
    size_t rows;
    const float* observations = rows_of(info[0], &rows);
    live(info.Env()).sample(rows, observations, array_of<uint32_t>(info[1], "streams", rows), array_of<uint32_t>(info[2], "counters", rows), array_of<float>(info[3], "actions", rows * actions_), array_of<float>(info[4], "logProbs", rows), array_of<float>(info[5], "values", rows));
  }
  void mean(const Napi::CallbackInfo& info) {
    size_t rows;
    const float* observations = rows_of(info[0], &rows);
    live(info.Env()).mean(rows, observations, array_of<float>(info[1], "actions", rows * actions_));
  }
  void value(const Napi::CallbackInfo& info) {
    size_t rows;
    const float* observations = rows_of(info[0], &rows);
    live(info.Env()).value(rows, observations, array_of<float>(info[1], "values", rows));
  }
  void dispose(const Napi::CallbackInfo&) {
    actor_.reset();
    kept_.Reset();
  }

  std::unique_ptr<Actor> actor_;
  size_t observations_ = 0, actions_ = 0;
  Napi::ObjectReference kept_;
};

Napi::Value parameter_layout(const Napi::CallbackInfo& info) {
  Layout layout = layout_of(info[0].As<Napi::Object>());
  Napi::Array out = Napi::Array::New(info.Env());
  for (const Tensor& tensor : layout.tensors) {
    Napi::Object o = Napi::Object::New(info.Env());
    Napi::Array shape = Napi::Array::New(info.Env());
    for (size_t i = 0; i < tensor.shape.size(); ++i) shape.Set(static_cast<uint32_t>(i), static_cast<double>(tensor.shape[i]));
    o.Set("name", tensor.name);
    o.Set("shape", shape);
    o.Set("offset", static_cast<double>(tensor.offset));
    out.Set(out.Length(), o);
  }
  return out;
}

/** advantages(batch, gamma, lambda, advantages, returns); only the sizes that it reads are checked. */
void run_advantages(const Napi::CallbackInfo& info) {
  Napi::Object o = info[0].As<Napi::Object>();
  Batch b{};
  b.steps = static_cast<size_t>(number(o, "steps"));
  b.environments = static_cast<size_t>(number(o, "environments"));
  size_t n = b.size();
  b.values = array_of<float>(o.Get("values"), "values", n);
  b.rewards = array_of<float>(o.Get("rewards"), "rewards", n);
  b.terminated = array_of<uint8_t>(o.Get("terminated"), "terminated", n);
  b.truncated = array_of<uint8_t>(o.Get("truncated"), "truncated", n);
  b.terminal_values = array_of<float>(o.Get("terminalValues"), "terminalValues", n);
  b.last_values = array_of<float>(o.Get("lastValues"), "lastValues", b.environments);
  advantages(b, info[1].ToNumber().FloatValue(), info[2].ToNumber().FloatValue(), array_of<float>(info[3], "advantages", n), array_of<float>(info[4], "returns", n));
}

/** lossAndGradient(options, batch, advantages, returns, settings), from the parameters as they are. */
Napi::Value loss_and_gradient(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  LearnerConfig config = config_of(info[0].As<Napi::Object>());
  Batch batch = batch_of(info[1].As<Napi::Object>(), config.layout);
  const float* advantage = array_of<float>(info[2], "advantages", batch.size());
  const float* returns = array_of<float>(info[3], "returns", batch.size());
  Napi::Float32Array gradient = Napi::Float32Array::New(env, config.layout.count);
  double loss = make_learner(config)->loss_and_gradient(batch, advantage, returns, settings_of(info[4].As<Napi::Object>()), gradient.Data());
  Napi::Object out = Napi::Object::New(env);
  out.Set("loss", loss);
  out.Set("gradient", gradient);
  return out;
}

/** timeMatrixProduct(m, n, k, repeats, threads): seconds; each thread makes its own rows of the product. */
Napi::Value time_matrix_product(const Napi::CallbackInfo& info) {
  size_t m = info[0].ToNumber().Uint32Value(), n = info[1].ToNumber().Uint32Value(), k = info[2].ToNumber().Uint32Value();
  int repeats = info[3].ToNumber().Int32Value(), threads = info[4].ToNumber().Int32Value();
  const Kernels& f = kernels();
  std::vector<float> a(m * k, 0.5f), b(n * k, 0.25f), c(m * n), packed(f.packed_size(k, n));
  f.pack(k, n, b.data(), 1, k, packed.data());
  ThreadPool pool(threads);
  auto once = [&](int thread) {
    Range rows = part_of(m, threads, thread);
    f.multiply(rows.to - rows.from, n, k, a.data() + rows.from * k, k, 1, packed.data(), c.data() + rows.from * n, n, false);
  };
  pool.run(once);
  auto start = std::chrono::steady_clock::now();
  pool.run([&](int thread) {
    for (int i = 0; i < repeats; ++i) once(thread);
  });
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  return Napi::Number::New(info.Env(), took.count());
}

Napi::Object init(Napi::Env env, Napi::Object exports) {
  exports.Set("device", kDevice);
  exports.Set("simd", kernels().name);
  exports.Set("Learner", LearnerHandle::define(env));
  exports.Set("Actor", ActorHandle::define(env));
  exports.Set("parameterLayout", Napi::Function::New(env, parameter_layout));
  exports.Set("advantages", Napi::Function::New(env, run_advantages));
  exports.Set("lossAndGradient", Napi::Function::New(env, loss_and_gradient));
  exports.Set("timeMatrixProduct", Napi::Function::New(env, time_matrix_product));
  return exports;
}

}  // namespace
}  // namespace leash

static Napi::Object leash_learner_init(Napi::Env env, Napi::Object exports) { return leash::init(env, exports); }
NODE_API_MODULE(leash_learner, leash_learner_init)
