// OpenAI chat messages in all their frames, decisions and log-probabilities included.

#include "chat_log_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  unmask::fuzz::check_chat_log(data, size, "openai chat");
  return 0;
}
