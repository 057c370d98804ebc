// The native engine's addon: MuJoCo behind the shapes that worker/physics/native_engine.ts declares.
#include <mujoco/mujoco.h>
#include <napi.h>

#include "guard.h"
#include "model.h"
#include "simulation.h"

namespace {

Napi::Object init(Napi::Env env, Napi::Object exports) {
  if (mj_version() != mjVERSION_HEADER) {
    throw Napi::Error::New(env, std::string("libmujoco is version ") + mj_versionString() + ", but the addon was built for " + std::to_string(mjVERSION_HEADER));
  }
  leash::install_error_handler();
  exports.Set("mujocoVersion", mj_versionString());
  exports.Set("Model", leash::ModelHandle::define(env));
  exports.Set("Simulation", leash::SimulationHandle::define(env));
  return exports;
}

}  // namespace

NODE_API_MODULE(leash_mujoco, init)
