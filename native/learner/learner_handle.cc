#include <algorithm>
#include <memory>

#include "arguments.h"
#include "handles.h"
#include "ppo.h"

namespace leash {

namespace {

Napi::Object stats_to_object(Napi::Env env, const Stats& s) {
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

/** A learner, the arrays that it works in, and whether an update runs. Shared with that update, which may outlive the handle. */
struct Shared {
  Shared(const DeviceConfig& config, uint64_t seed) : layout(config.layout), learner(config, seed) {}
  const Layout layout;
  Learner learner;
  Napi::ObjectReference arrays;
  bool busy = false;
};

/** One update on a thread of Node's pool. */
class UpdateWorker : public Napi::AsyncWorker {
 public:
  UpdateWorker(Napi::Env env, std::shared_ptr<Shared> shared, const Batch& batch, const Settings& settings, const KeptArrays& kept)
      : Napi::AsyncWorker(env),
        deferred_(Napi::Promise::Deferred::New(env)),
        shared_(std::move(shared)),
        batch_(batch),
        settings_(settings),
        arrays_(kept.hold()) {
    shared_->busy = true;
  }
  Napi::Promise promise() const { return deferred_.Promise(); }

 protected:
  void Execute() override { stats_ = shared_->learner.update(batch_, settings_); }
  void OnOK() override {
    shared_->busy = false;
    try {
      deferred_.Resolve(stats_to_object(Env(), stats_));
    } catch (const Napi::Error&) {
      // The thread is being ended and runs no JavaScript any more: nobody waits for the promise.
    }
  }
  void OnError(const Napi::Error& error) override {
    shared_->busy = false;
    deferred_.Reject(error.Value());
  }

 private:
  Napi::Promise::Deferred deferred_;
  std::shared_ptr<Shared> shared_;
  Batch batch_;
  Settings settings_;
  Napi::ObjectReference arrays_;
  Stats stats_;
};

Napi::Object state_to_object(Napi::Env env, const LearnerState& s) {
  Napi::Float32Array mean = Napi::Float32Array::New(env, s.adam.mean.size());
  Napi::Float32Array variance = Napi::Float32Array::New(env, s.adam.variance.size());
  Napi::BigUint64Array random = Napi::BigUint64Array::New(env, 4);
  std::copy(s.adam.mean.begin(), s.adam.mean.end(), mean.Data());
  std::copy(s.adam.variance.begin(), s.adam.variance.end(), variance.Data());
  std::copy(s.random, s.random + 4, random.Data());
  Napi::Object o = Napi::Object::New(env);
  o.Set("adamMean", mean);
  o.Set("adamVariance", variance);
  o.Set("adamStep", static_cast<double>(s.adam.step));
  o.Set("random", random);
  o.Set("learningRate", s.learning_rate);
  return o;
}

LearnerState state_of(const Napi::Object& o, size_t count) {
  LearnerState s;
  const float* mean = array_of<float>(o.Get("adamMean"), "adamMean", count);
  const float* variance = array_of<float>(o.Get("adamVariance"), "adamVariance", count);
  const uint64_t* random = array_of<uint64_t>(o.Get("random"), "random", size_t{4});
  s.adam.mean.assign(mean, mean + count);
  s.adam.variance.assign(variance, variance + count);
  s.adam.step = static_cast<int64_t>(whole_of(o, "adamStep", 0, 9007199254740991));
  std::copy(random, random + 4, s.random);
  if ((random[0] | random[1] | random[2] | random[3]) == 0) throw Napi::TypeError::New(o.Env(), "random must not be all zeros");
  s.learning_rate = number_of(o, "learningRate");
  return s;
}

class LearnerHandle : public Napi::ObjectWrap<LearnerHandle> {
 public:
  static Napi::Function define(Napi::Env env) {
    return DefineClass(env, "Learner",
                       {InstanceMethod<&LearnerHandle::update>("update"), InstanceMethod<&LearnerHandle::export_state>("exportState"),
                        InstanceMethod<&LearnerHandle::import_state>("importState"), InstanceMethod<&LearnerHandle::dispose>("dispose")});
  }
  explicit LearnerHandle(const Napi::CallbackInfo& info) : Napi::ObjectWrap<LearnerHandle>(info) {
    Napi::Object options = object_of(info[0], "options");
    KeptArrays kept(info.Env());
    DeviceConfig config = device_config_of(options, kept);
    uint64_t seed = seed_of(options);
    float log_std = static_cast<float>(number_of(options, "initialLogStd"));
    shared_ = std::make_shared<Shared>(config, seed);
    shared_->arrays = kept.hold();
    config.layout.initialize(seed, log_std, config.parameters);
  }

 private:
  /** @throws Error when it is disposed or an update runs */
  Shared& idle(Napi::Env env) {
    if (!shared_) throw Napi::Error::New(env, "this learner is disposed");
    if (shared_->busy) throw Napi::Error::New(env, "an update of this learner is running");
    return *shared_;
  }

  Napi::Value update(const Napi::CallbackInfo& info) {
    Napi::Env env = info.Env();
    try {
      const Layout& layout = idle(env).layout;
      KeptArrays kept(env);
      Batch batch = batch_of(info[0], layout, kept);
      auto* worker = new UpdateWorker(env, shared_, batch, settings_of(info[1]), kept);
      worker->Queue();
      return worker->promise();
    } catch (const Napi::Error& error) {
      Napi::Promise::Deferred refused = Napi::Promise::Deferred::New(env);
      refused.Reject(error.Value());
      return refused.Promise();
    }
  }
  Napi::Value export_state(const Napi::CallbackInfo& info) { return state_to_object(info.Env(), idle(info.Env()).learner.state()); }
  void import_state(const Napi::CallbackInfo& info) {
    Shared& shared = idle(info.Env());
    shared.learner.set_state(state_of(object_of(info[0], "state"), shared.layout.count));
  }
  void dispose(const Napi::CallbackInfo&) { shared_.reset(); }

  std::shared_ptr<Shared> shared_;
};

}  // namespace

Napi::Function define_learner(Napi::Env env) { return LearnerHandle::define(env); }

}  // namespace leash
