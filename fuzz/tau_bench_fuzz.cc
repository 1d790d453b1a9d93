// tau-bench trajectories: structured calls, calls in texts, crashes.

#include "chat_log_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  unmask::fuzz::check_chat_log(data, size, "tau-bench");
  return 0;
}
