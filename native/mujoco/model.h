#pragma once
#include <mujoco/mujoco.h>
#include <napi.h>

#include <memory>

namespace leash {

/** mjModel with shared ownership: simulations keep it alive. */
using SharedModel = std::shared_ptr<mjModel>;

/** A compiled model as JavaScript sees it (native_engine.ts declares the shape). */
class ModelHandle : public Napi::ObjectWrap<ModelHandle> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit ModelHandle(const Napi::CallbackInfo& info);

  /** The model that a JavaScript object holds. @throws Napi::Error when it is none of ours or disposed. */
  static const SharedModel& of(Napi::Value value);

 private:
  /** @throws Napi::Error when disposed. */
  const SharedModel& model(Napi::Env env) const;
  Napi::Value sizes(const Napi::CallbackInfo& info);
  Napi::Value get_timestep(const Napi::CallbackInfo& info);
  void set_options(const Napi::CallbackInfo& info);
  Napi::Value field(const Napi::CallbackInfo& info);
  void set_field(const Napi::CallbackInfo& info);
  void dispose(const Napi::CallbackInfo& info);

  SharedModel model_;
};

/** Data of a typed array, also one on a SharedArrayBuffer (which napi_get_arraybuffer_info refuses). */
struct View {
  napi_typedarray_type type;
  size_t length;
  void* data;
};
/** @throws Napi::TypeError when the value is no typed array. */
View view_of(Napi::Env env, Napi::Value value, const char* what);
/** @throws Napi::TypeError when it is no Float64Array of that length. */
double* doubles(Napi::Env env, Napi::Value value, size_t length, const char* what);

}  // namespace leash
