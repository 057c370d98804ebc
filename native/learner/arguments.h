// From JavaScript's objects (worker/training/learner.ts) to the learner's structs. Every function throws a TypeError that
// names the member that is wrong.
#pragma once
#include <napi.h>

#include "actor.h"
#include "batch.h"
#include "device.h"
#include "typed_arrays.h"

namespace leash {

Napi::Object object_of(Napi::Value value, const char* what);
/** A finite number. */
double number_of(const Napi::Object& object, const char* key);
/** A whole number from `low` to `high`. */
double whole_of(const Napi::Object& object, const char* key, double low, double high);

Layout layout_of(Napi::Value network);
DeviceConfig device_config_of(const Napi::Object& options, KeptArrays& kept);
ActorConfig actor_config_of(const Napi::Object& options, KeptArrays& kept);
uint64_t seed_of(const Napi::Object& options);
/** A whole batch of networks of this layout. */
Batch batch_of(Napi::Value batch, const Layout& layout, KeptArrays& kept);
/** Only what advantages are made from. */
Batch rewards_of(Napi::Value batch, KeptArrays& kept);
Settings settings_of(Napi::Value settings);

}  // namespace leash
