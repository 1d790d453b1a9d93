#pragma once

#include <string>

/// What llama.cpp writes to its log, kept for the message of a failure.
namespace unmask::local::llama_log {

/// Starts llama.cpp, the first time, and forgets errors of before.
void begin();

/// The last error since begin(), behind a colon; empty if there was none.
[[nodiscard]] std::string reason();

}  // namespace unmask::local::llama_log
