// The addon's two classes as JavaScript sees them.
#pragma once
#include <napi.h>

namespace leash {

/** The constructor of Learner. */
Napi::Function define_learner(Napi::Env env);
/** The constructor of Actor. */
Napi::Function define_actor(Napi::Env env);

}  // namespace leash
