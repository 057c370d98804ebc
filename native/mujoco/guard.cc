#include "guard.h"

#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace leash {

thread_local std::jmp_buf* error_return = nullptr;
thread_local char error_text[1024] = "";

namespace {

void on_error(const char* text) {
  std::snprintf(error_text, sizeof error_text, "%s", text ? text : "unknown error");
  if (error_return) std::longjmp(*error_return, 1);
  std::fprintf(stderr, "leash: MuJoCo failed outside a guarded call: %s\n", error_text);
  std::abort();
}

// Warnings are counted in mjData; MuJoCo's habit of writing MUJOCO_LOG.TXT into the working folder is not wanted.
void on_warning(const char*) {}

}  // namespace

void install_error_handler() {
  static std::once_flag once;
  std::call_once(once, [] {
    mju_user_error = on_error;
    mju_user_warning = on_warning;
  });
}

}  // namespace leash
