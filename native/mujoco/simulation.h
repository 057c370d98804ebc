#pragma once
#include <mujoco/mujoco.h>
#include <napi.h>

#include <memory>
#include <vector>

#include "model.h"

namespace leash {

/**
 * One mjData, mirrored in arrays that JavaScript allocated: inputs are copied in before each step, outputs copied out
 * after it. The arrays are held by references, so their memory stays where it is.
 */
class SimulationHandle : public Napi::ObjectWrap<SimulationHandle> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit SimulationHandle(const Napi::CallbackInfo& info);

 private:
  struct Mirror {
    mjtNum* inside;
    double* outside;
    size_t count;
  };

  void step(const Napi::CallbackInfo& info);
  void step1(const Napi::CallbackInfo& info);
  void forward(const Napi::CallbackInfo& info);
  void reset(const Napi::CallbackInfo& info);
  void get_state(const Napi::CallbackInfo& info);
  void set_state(const Napi::CallbackInfo& info);
  Napi::Value contacts(const Napi::CallbackInfo& info);
  Napi::Value bare_steps(const Napi::CallbackInfo& info);
  void dispose(const Napi::CallbackInfo& info);

  mjData* live(Napi::Env env) const;
  void push() const;
  void pull() const;
  /** Resets after MuJoCo failed in the middle of a call. */
  void start_over();
  template <class Call>
  void run(Napi::Env env, Call&& call);
  double* hold(Napi::Env env, Napi::Value array, size_t count, const char* what);

  SharedModel model_;
  std::unique_ptr<mjData, void (*)(mjData*)> data_{nullptr, mj_deleteData};
  std::vector<Mirror> inputs_;
  std::vector<Mirror> outputs_;
  int* warnings_ = nullptr;
  std::vector<Napi::Reference<Napi::Value>> held_;
};

}  // namespace leash
