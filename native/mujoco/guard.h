// Turns MuJoCo's fatal errors into C++ exceptions. MuJoCo is C code that must not return from its error handler, so the
// handler jumps out of it; nothing of ours with a destructor may live between `guarded` and the call.
#pragma once
#include <csetjmp>
#include <stdexcept>
#include <string>

namespace leash {

/** Installs the handler for the whole process; later calls do nothing. */
void install_error_handler();

/** Where this thread goes on after a fatal error, or null. */
extern thread_local std::jmp_buf* error_return;
/** MuJoCo's text of the last fatal error on this thread. */
extern thread_local char error_text[1024];

/** Runs `call`; throws std::runtime_error with MuJoCo's text if it fails fatally. */
template <class Call>
void guarded(Call&& call) {
  std::jmp_buf here;
  std::jmp_buf* outer = error_return;
  if (setjmp(here) == 0) {
    error_return = &here;
    call();
    error_return = outer;
  } else {
    error_return = outer;
    throw std::runtime_error(std::string("MuJoCo stopped: ") + error_text);
  }
}

}  // namespace leash
