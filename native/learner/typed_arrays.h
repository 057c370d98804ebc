// Views of JavaScript's typed arrays, each checked for its kind and length, and kept alive while native code reads them.
#pragma once
#include <napi.h>

#include <string>

namespace leash {

template <class T>
struct ArrayKind;
template <>
struct ArrayKind<float> {
  static constexpr napi_typedarray_type type = napi_float32_array;
  static constexpr const char* name = "Float32Array";
};
template <>
struct ArrayKind<double> {
  static constexpr napi_typedarray_type type = napi_float64_array;
  static constexpr const char* name = "Float64Array";
};
template <>
struct ArrayKind<uint8_t> {
  static constexpr napi_typedarray_type type = napi_uint8_array;
  static constexpr const char* name = "Uint8Array";
};
template <>
struct ArrayKind<int32_t> {
  static constexpr napi_typedarray_type type = napi_int32_array;
  static constexpr const char* name = "Int32Array";
};
template <>
struct ArrayKind<uint32_t> {
  static constexpr napi_typedarray_type type = napi_uint32_array;
  static constexpr const char* name = "Uint32Array";
};
template <>
struct ArrayKind<uint64_t> {
  static constexpr napi_typedarray_type type = napi_biguint64_array;
  static constexpr const char* name = "BigUint64Array";
};

/** Memory of a typed array, which may lie on a SharedArrayBuffer. `count` receives its length. @throws TypeError */
template <class T>
T* array_of(Napi::Value value, const char* what, size_t* count) {
  napi_typedarray_type type;
  void* data = nullptr;
  napi_value buffer;
  size_t offset;
  bool ok = napi_get_typedarray_info(value.Env(), value, &type, count, &data, &buffer, &offset) == napi_ok;
  if (!ok || type != ArrayKind<T>::type) throw Napi::TypeError::New(value.Env(), std::string(what) + " must be a " + ArrayKind<T>::name);
  return static_cast<T*>(data);
}

/** The same of exactly `count` numbers. */
template <class T>
T* array_of(Napi::Value value, const char* what, size_t count) {
  size_t found;
  T* data = array_of<T>(value, what, &found);
  if (found == count) return data;
  std::string wanted = std::to_string(count), given = std::to_string(found);
  throw Napi::TypeError::New(value.Env(), std::string(what) + " must hold " + wanted + " numbers, not " + given);
}

/** Takes members of objects, and remembers the arrays so that hold() keeps them from being collected. */
class KeptArrays {
 public:
  explicit KeptArrays(Napi::Env env) : arrays_(Napi::Array::New(env)) {}

  template <class T>
  T* take(const Napi::Object& object, const char* key, size_t count) {
    Napi::Value value = object.Get(key);
    T* data = array_of<T>(value, key, count);
    arrays_.Set(arrays_.Length(), value);
    return data;
  }
  Napi::ObjectReference hold() const { return Napi::Persistent(arrays_.As<Napi::Object>()); }

 private:
  Napi::Array arrays_;
};

}  // namespace leash
