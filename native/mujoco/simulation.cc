#include "simulation.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "guard.h"

namespace leash {

Napi::Function SimulationHandle::define(Napi::Env env) {
  return DefineClass(env, "Simulation",
                     {
                         InstanceMethod<&SimulationHandle::step>("step"),
                         InstanceMethod<&SimulationHandle::step1>("step1"),
                         InstanceMethod<&SimulationHandle::forward>("forward"),
                         InstanceMethod<&SimulationHandle::reset>("reset"),
                         InstanceMethod<&SimulationHandle::get_state>("getState"),
                         InstanceMethod<&SimulationHandle::set_state>("setState"),
                         InstanceMethod<&SimulationHandle::contacts>("contacts"),
                         InstanceMethod<&SimulationHandle::bare_steps>("bareSteps"),
                         InstanceMethod<&SimulationHandle::dispose>("dispose"),
                     });
}

double* SimulationHandle::hold(Napi::Env env, Napi::Value array, size_t count, const char* what) {
  double* data = doubles(env, array, count, what);
  held_.push_back(Napi::Persistent(array));
  return data;
}

/** new Simulation(model, arrays): `arrays` by the names of the Simulation interface. */
SimulationHandle::SimulationHandle(const Napi::CallbackInfo& info) : Napi::ObjectWrap<SimulationHandle>(info) {
  Napi::Env env = info.Env();
  model_ = ModelHandle::of(info[0]);
  const mjModel* m = model_.get();
  try {
    guarded([&] { data_.reset(mj_makeData(m)); });
  } catch (const std::exception& error) {
    throw Napi::Error::New(env, error.what());
  }
  if (!data_) throw Napi::Error::New(env, "MuJoCo could not allocate a simulation");
  mjData* d = data_.get();
  Napi::Object arrays = info[1].As<Napi::Object>();
  auto mirror = [&](std::vector<Mirror>& list, const char* name, mjtNum* inside, size_t count) {
    list.push_back({inside, hold(env, arrays.Get(name), count, name), count});
  };
  size_t nbody = m->nbody;
  mirror(inputs_, "time", &d->time, 1);
  mirror(inputs_, "qpos", d->qpos, m->nq);
  mirror(inputs_, "qvel", d->qvel, m->nv);
  mirror(inputs_, "ctrl", d->ctrl, m->nu);
  mirror(inputs_, "xfrc_applied", d->xfrc_applied, 6 * nbody);
  mirror(inputs_, "mocap_pos", d->mocap_pos, 3 * m->nmocap);
  mirror(inputs_, "mocap_quat", d->mocap_quat, 4 * m->nmocap);
  mirror(outputs_, "xpos", d->xpos, 3 * nbody);
  mirror(outputs_, "xquat", d->xquat, 4 * nbody);
  mirror(outputs_, "xmat", d->xmat, 9 * nbody);
  mirror(outputs_, "site_xpos", d->site_xpos, 3 * m->nsite);
  mirror(outputs_, "qfrc_actuator", d->qfrc_actuator, m->nv);
  mirror(outputs_, "sensordata", d->sensordata, m->nsensordata);
  Napi::Value warnings = arrays.Get("warnings");
  View view = view_of(env, warnings, "warnings");
  if (view.type != napi_int32_array || view.length != mjNWARNING) {
    throw Napi::TypeError::New(env, "warnings must be an Int32Array of " + std::to_string(mjNWARNING) + " numbers");
  }
  warnings_ = static_cast<int*>(view.data);
  held_.push_back(Napi::Persistent(warnings));
  pull();
}

mjData* SimulationHandle::live(Napi::Env env) const {
  if (!data_) throw Napi::Error::New(env, "This simulation is disposed.");
  return data_.get();
}

void SimulationHandle::push() const {
  for (const Mirror& m : inputs_) std::memcpy(m.inside, m.outside, m.count * sizeof(double));
}

void SimulationHandle::pull() const {
  for (const Mirror& m : inputs_) std::memcpy(m.outside, m.inside, m.count * sizeof(double));
  for (const Mirror& m : outputs_) std::memcpy(m.outside, m.inside, m.count * sizeof(double));
  for (int i = 0; i < mjNWARNING; ++i) warnings_[i] = data_->warning[i].number;
}

template <class Call>
void SimulationHandle::run(Napi::Env env, Call&& call) {
  mjData* d = live(env);
  push();
  try {
    guarded([&] { call(model_.get(), d); });
  } catch (const std::exception& error) {
    start_over();
    throw Napi::Error::New(env, error.what());
  }
  pull();
}

void SimulationHandle::start_over() {
  // The jump out of MuJoCo left its stack marked; without this every later call would have less room.
  data_->pstack = 0;
  data_->pbase = 0;
  mj_resetData(model_.get(), data_.get());
  pull();
}

void SimulationHandle::step(const Napi::CallbackInfo& info) {
  int count = info[0].As<Napi::Number>().Int32Value();
  run(info.Env(), [count](const mjModel* m, mjData* d) {
    for (int i = 0; i < count; ++i) mj_step(m, d);
  });
}

void SimulationHandle::step1(const Napi::CallbackInfo& info) {
  run(info.Env(), [](const mjModel* m, mjData* d) { mj_step1(m, d); });
}

void SimulationHandle::forward(const Napi::CallbackInfo& info) {
  run(info.Env(), [](const mjModel* m, mjData* d) { mj_forward(m, d); });
}

void SimulationHandle::reset(const Napi::CallbackInfo& info) {
  mj_resetData(model_.get(), live(info.Env()));
  pull();
}

void SimulationHandle::get_state(const Napi::CallbackInfo& info) {
  mjData* d = live(info.Env());
  push();
  mj_getState(model_.get(), d, doubles(info.Env(), info[0], mj_stateSize(model_.get(), mjSTATE_INTEGRATION), "state"), mjSTATE_INTEGRATION);
}

void SimulationHandle::set_state(const Napi::CallbackInfo& info) {
  mjData* d = live(info.Env());
  mj_setState(model_.get(), d, doubles(info.Env(), info[0], mj_stateSize(model_.get(), mjSTATE_INTEGRATION), "state"), mjSTATE_INTEGRATION);
  pull();
}

/** contacts(arrays): fills geoms, position, frame, distance, force as far as they are long; returns how many there are. */
Napi::Value SimulationHandle::contacts(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  mjData* d = live(env);
  Napi::Object arrays = info[0].As<Napi::Object>();
  size_t room = view_of(env, arrays.Get("distance"), "distance").length;
  int* geoms = static_cast<int*>(view_of(env, arrays.Get("geoms"), "geoms").data);
  double* position = doubles(env, arrays.Get("position"), 3 * room, "position");
  double* frame = doubles(env, arrays.Get("frame"), 9 * room, "frame");
  double* distance = doubles(env, arrays.Get("distance"), room, "distance");
  double* force = doubles(env, arrays.Get("force"), 6 * room, "force");
  size_t count = std::min<size_t>(room, d->ncon);
  for (size_t i = 0; i < count; ++i) {
    const mjContact& c = d->contact[i];
    geoms[2 * i] = c.geom[0];
    geoms[2 * i + 1] = c.geom[1];
    std::memcpy(position + 3 * i, c.pos, sizeof c.pos);
    std::memcpy(frame + 9 * i, c.frame, sizeof c.frame);
    distance[i] = c.dist;
    mj_contactForce(model_.get(), d, static_cast<int>(i), force + 6 * i);
  }
  return Napi::Number::New(env, d->ncon);
}

/** bareSteps(count): mj_step in a plain loop, for the bench; returns its seconds. */
Napi::Value SimulationHandle::bare_steps(const Napi::CallbackInfo& info) {
  int count = info[0].As<Napi::Number>().Int32Value();
  double seconds = 0;
  run(info.Env(), [count, &seconds](const mjModel* m, mjData* d) {
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) mj_step(m, d);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  });
  return Napi::Number::New(info.Env(), seconds);
}

void SimulationHandle::dispose(const Napi::CallbackInfo&) {
  data_.reset();
  held_.clear();
  model_.reset();
}

}  // namespace leash
