#pragma once

#include <filesystem>

#include "unmask/base/error.h"

namespace unmask::store {

/// The right to write a run's file, for one process at a time: a lock of the operating system on
/// `<file>.lock`, which holds the process's number. It ends with the process, however that ends; a
/// file that was left behind locks nothing.
class LockFile {
 public:
  /// Errors: outside; names the process that has the lock.
  [[nodiscard]] static Result<LockFile> take(const std::filesystem::path& run);
  ~LockFile();
  LockFile(LockFile&& other) noexcept;
  LockFile& operator=(LockFile&& other) noexcept;
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;

 private:
  LockFile(std::filesystem::path path, int descriptor);
  void release();

  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace unmask::store
