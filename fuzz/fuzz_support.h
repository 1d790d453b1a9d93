#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <span>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

namespace unmask::fuzz {

/// Ends the program, with the place, if `condition` does not hold.
inline void require(bool condition, std::source_location at = std::source_location::current()) {
  if (condition) return;
  std::fprintf(stderr, "%s:%u does not hold\n", at.file_name(), static_cast<unsigned>(at.line()));
  std::abort();
}

/// A file in memory, with a path.
class MemoryFile {
 public:
  explicit MemoryFile(std::span<const std::uint8_t> bytes)
      : descriptor_(memfd_create("log", MFD_CLOEXEC)) {
    require(descriptor_ >= 0);
    require(write(descriptor_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace unmask::fuzz
