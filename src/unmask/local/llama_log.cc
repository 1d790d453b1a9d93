#include "unmask/local/llama_log.h"

#include <mutex>
#include <string>

#include <ggml.h>
#include <llama.h>

namespace unmask::local::llama_log {
namespace {

class LogTail {
 public:
  static LogTail& instance() {
    static LogTail tail;
    return tail;
  }

  void begin() {
    const std::lock_guard lock(mutex_);
    last_error_.clear();
  }
  [[nodiscard]] std::string last_error() {
    const std::lock_guard lock(mutex_);
    return last_error_;
  }

 private:
  LogTail() {
    llama_log_set(&LogTail::take, this);
    llama_backend_init();
  }

  static void take(ggml_log_level level, const char* text, void* self) {
    if (level != GGML_LOG_LEVEL_ERROR) return;
    auto* tail = static_cast<LogTail*>(self);
    const std::lock_guard lock(tail->mutex_);
    tail->last_error_ = text;
    while (!tail->last_error_.empty() && tail->last_error_.back() == '\n') {
      tail->last_error_.pop_back();
    }
  }

  std::mutex mutex_;
  std::string last_error_;
};

}  // namespace

void begin() { LogTail::instance().begin(); }

std::string reason() {
  const std::string error = LogTail::instance().last_error();
  return error.empty() ? "" : ": " + error;
}

}  // namespace unmask::local::llama_log
