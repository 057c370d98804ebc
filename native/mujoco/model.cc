#include "model.h"

#include <mujoco/mjxmacro.h>

#include <cstring>
#include <string>
#include <vector>

#include "guard.h"

namespace leash {

namespace {

/** Owns a virtual file system for the time of a compilation. */
struct Files {
  mjVFS vfs;
  Files() { mj_defaultVFS(&vfs); }
  ~Files() { mj_deleteVFS(&vfs); }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
};

/** Marks JavaScript objects that hold a ModelHandle, so that no other object is taken for one. */
constexpr napi_type_tag kModelTag = {0x6c656173682d6d6f, 0x64656c2d68616e64};

using Spec = std::unique_ptr<mjSpec, void (*)(mjSpec*)>;

/** @throws std::runtime_error with MuJoCo's text, which holds the XML line where there is one. */
SharedModel compile(const std::string& main, const mjVFS* vfs) {
  char text[2048] = "";
  mjSpec* parsed = nullptr;
  guarded([&] { parsed = mj_parseXML(main.c_str(), vfs, text, sizeof text); });
  if (!parsed) throw std::runtime_error(text);
  Spec spec(parsed, mj_deleteSpec);
  mjModel* model = nullptr;
  guarded([&] { model = mj_compile(parsed, vfs); });
  if (!model) throw std::runtime_error(mjs_getError(parsed));
  return SharedModel(model, mj_deleteModel);
}

/** One array of mjModel, found by name. */
struct Field {
  enum Kind { f64, f32, i32, i64, u8, other } kind = other;
  void* data = nullptr;
  size_t count = 0;
};

template <class T>
Field::Kind kind_of() {
  if (std::is_same<T, double>::value) return Field::f64;
  if (std::is_same<T, float>::value) return Field::f32;
  if (std::is_same<T, int>::value) return Field::i32;
  if (std::is_same<T, mjtSize>::value) return Field::i64;
  if (sizeof(T) == 1) return Field::u8;
  return Field::other;
}

Field find_field(const mjModel* m, const std::string& name) {
  MJMODEL_POINTERS_PREAMBLE(m)
#undef MJ_M
#define MJ_M(n) m->n
#define X(type, field, rows, columns)                                                     \
  if (name == #field) {                                                                   \
    return Field{kind_of<type>(), const_cast<void*>(static_cast<const void*>(m->field)), \
                 static_cast<size_t>(m->rows) * static_cast<size_t>(columns)};            \
  }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
  MJMODEL_POINTERS
#pragma GCC diagnostic pop
#undef X
  return Field{};
}

template <class Array, class T>
Napi::Value copy_out(Napi::Env env, const Field& f) {
  Array out = Array::New(env, f.count);
  if (f.count) std::memcpy(out.Data(), f.data, f.count * sizeof(T));
  return out;
}

/** Addresses (tex_adr) as 32-bit numbers, as the WebAssembly engine has them. */
Napi::Value copy_addresses(Napi::Env env, const Field& f) {
  Napi::Int32Array out = Napi::Int32Array::New(env, f.count);
  for (size_t i = 0; i < f.count; ++i) out[i] = static_cast<int32_t>(static_cast<const mjtSize*>(f.data)[i]);
  return out;
}

}  // namespace

View view_of(Napi::Env env, Napi::Value value, const char* what) {
  View view{};
  napi_value buffer;
  size_t offset;
  if (napi_get_typedarray_info(env, value, &view.type, &view.length, &view.data, &buffer, &offset) != napi_ok) {
    throw Napi::TypeError::New(env, std::string(what) + " must be a typed array");
  }
  return view;
}

double* doubles(Napi::Env env, Napi::Value value, size_t length, const char* what) {
  View view = view_of(env, value, what);
  if (view.type != napi_float64_array || view.length != length) {
    throw Napi::TypeError::New(env, std::string(what) + " must be a Float64Array of " + std::to_string(length) + " numbers, not " + std::to_string(view.length));
  }
  return static_cast<double*>(view.data);
}

Napi::Function ModelHandle::define(Napi::Env env) {
  return DefineClass(env, "Model",
                     {
                         InstanceMethod<&ModelHandle::sizes>("sizes"),
                         InstanceMethod<&ModelHandle::get_timestep>("timestep"),
                         InstanceMethod<&ModelHandle::set_options>("setOptions"),
                         InstanceMethod<&ModelHandle::field>("field"),
                         InstanceMethod<&ModelHandle::set_field>("setField"),
                         InstanceMethod<&ModelHandle::dispose>("dispose"),
                     });
}

/** new Model(main: string, files: [path, Uint8Array][]): `main` is the path of one of the files. */
ModelHandle::ModelHandle(const Napi::CallbackInfo& info) : Napi::ObjectWrap<ModelHandle>(info) {
  Napi::Env env = info.Env();
  std::string main = info[0].As<Napi::String>();
  Files files;
  Napi::Array list = info[1].As<Napi::Array>();
  for (uint32_t i = 0; i < list.Length(); ++i) {
    Napi::Array entry = list.Get(i).As<Napi::Array>();
    std::string path = entry.Get(0u).As<Napi::String>();
    View bytes = view_of(env, entry.Get(1u), path.c_str());
    if (mj_addBufferVFS(&files.vfs, path.c_str(), bytes.data, static_cast<int>(bytes.length)) != 0) {
      throw Napi::Error::New(env, "two of its files have the same path, " + path);
    }
  }
  try {
    model_ = compile(main, &files.vfs);
  } catch (const std::exception& error) {
    throw Napi::Error::New(env, error.what());
  }
  // Otherwise MuJoCo resets a state that holds NaN by itself, and a failure looks like a fresh start.
  model_->opt.disableflags |= mjDSBL_AUTORESET;
  info.This().As<Napi::Object>().TypeTag(&kModelTag);
}

const SharedModel& ModelHandle::of(Napi::Value value) {
  Napi::Env env = value.Env();
  if (!value.IsObject() || !value.As<Napi::Object>().CheckTypeTag(&kModelTag)) {
    throw Napi::TypeError::New(env, "a simulation needs a model of this addon");
  }
  return Unwrap(value.As<Napi::Object>())->model(env);
}

const SharedModel& ModelHandle::model(Napi::Env env) const {
  if (!model_) throw Napi::Error::New(env, "This model is disposed.");
  return model_;
}

Napi::Value ModelHandle::sizes(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  const mjModel* m = model(env).get();
  Napi::Object out = Napi::Object::New(env);
#define SIZE(name) out.Set(#name, static_cast<double>(m->name));
  SIZE(nq) SIZE(nv) SIZE(nu) SIZE(nbody) SIZE(njnt) SIZE(ngeom) SIZE(nsite) SIZE(nmocap) SIZE(nsensordata)
#undef SIZE
  out.Set("nstate", static_cast<double>(mj_stateSize(m, mjSTATE_INTEGRATION)));
  return out;
}

Napi::Value ModelHandle::get_timestep(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), model(info.Env())->opt.timestep);
}

/** setOptions({ timestep?: number, jacobian?: 0 | 1 | 2 }) */
void ModelHandle::set_options(const Napi::CallbackInfo& info) {
  mjModel* m = model(info.Env()).get();
  Napi::Object options = info[0].As<Napi::Object>();
  if (options.Has("timestep")) m->opt.timestep = options.Get("timestep").As<Napi::Number>().DoubleValue();
  if (options.Has("jacobian")) m->opt.jacobian = options.Get("jacobian").As<Napi::Number>().Int32Value();
}

/** A copy, or undefined when mjModel has no numeric array of that name. */
Napi::Value ModelHandle::field(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  Field f = find_field(model(env).get(), info[0].As<Napi::String>());
  switch (f.kind) {
    case Field::f64: return copy_out<Napi::Float64Array, double>(env, f);
    case Field::f32: return copy_out<Napi::Float32Array, float>(env, f);
    case Field::i32: return copy_out<Napi::Int32Array, int>(env, f);
    case Field::i64: return copy_addresses(env, f);
    case Field::u8: return copy_out<Napi::Uint8Array, unsigned char>(env, f);
    default: return env.Undefined();
  }
}

/** setField(name, values: Float64Array), as long as field(name) is; native_engine.ts checks name and length before. */
void ModelHandle::set_field(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  Field f = find_field(model(env).get(), info[0].As<Napi::String>());
  const double* values = doubles(env, info[1], f.count, "values");
  for (size_t i = 0; i < f.count; ++i) {
    switch (f.kind) {
      case Field::f64: static_cast<double*>(f.data)[i] = values[i]; break;
      case Field::f32: static_cast<float*>(f.data)[i] = static_cast<float>(values[i]); break;
      case Field::i32: static_cast<int*>(f.data)[i] = static_cast<int>(values[i]); break;
      case Field::i64: static_cast<mjtSize*>(f.data)[i] = static_cast<mjtSize>(values[i]); break;
      case Field::u8: static_cast<unsigned char*>(f.data)[i] = static_cast<unsigned char>(values[i]); break;
      default: break;
    }
  }
}

void ModelHandle::dispose(const Napi::CallbackInfo&) { model_.reset(); }

}  // namespace leash
