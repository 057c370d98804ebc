#include <memory>
#include <string>

#include "arguments.h"
#include "handles.h"

namespace leash {

namespace {

class ActorHandle : public Napi::ObjectWrap<ActorHandle> {
 public:
  static Napi::Function define(Napi::Env env) {
    return DefineClass(env, "Actor",
                       {InstanceMethod<&ActorHandle::refresh>("refresh"), InstanceMethod<&ActorHandle::sample>("sample"),
                        InstanceMethod<&ActorHandle::mean>("mean"), InstanceMethod<&ActorHandle::value>("value"),
                        InstanceMethod<&ActorHandle::dispose>("dispose")});
  }
  explicit ActorHandle(const Napi::CallbackInfo& info) : Napi::ObjectWrap<ActorHandle>(info) {
    KeptArrays kept(info.Env());
    ActorConfig config = actor_config_of(object_of(info[0], "options"), kept);
    observations_ = config.layout.observations;
    actions_ = config.layout.actions;
    actor_ = std::make_unique<Actor>(config);
    kept_ = kept.hold();
  }

 private:
  Actor& live(Napi::Env env) {
    if (!actor_) throw Napi::Error::New(env, "this actor is disposed");
    return *actor_;
  }
  const float* rows_of(Napi::Value value, size_t* rows) {
    size_t count;
    const float* data = array_of<float>(value, "observations", &count);
    if (count % observations_ != 0) {
      throw Napi::TypeError::New(value.Env(), "observations must hold a multiple of " + std::to_string(observations_) + " numbers, not " +
                                                  std::to_string(count));
    }
    *rows = count / observations_;
    return data;
  }

  void refresh(const Napi::CallbackInfo& info) { live(info.Env()).refresh(); }
  void sample(const Napi::CallbackInfo& info) {
    size_t rows;
    const float* observations = rows_of(info[0], &rows);
    const uint32_t* streams = array_of<uint32_t>(info[1], "streams", rows);
    const uint32_t* counters = array_of<uint32_t>(info[2], "counters", rows);
    float* actions = array_of<float>(info[3], "actions", rows * actions_);
    float* log_probs = array_of<float>(info[4], "logProbs", rows);
    live(info.Env()).sample(rows, observations, streams, counters, actions, log_probs, array_of<float>(info[5], "values", rows));
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

}  // namespace

Napi::Function define_actor(Napi::Env env) { return ActorHandle::define(env); }

}  // namespace leash
