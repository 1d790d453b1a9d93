#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "unmask/base/error.h"

namespace unmask {

enum class Packing : std::uint8_t { none, gzip, zstd };
/// gzip for names that end in `.gz`, zstd for `.zst`.
[[nodiscard]] Packing packing_of(const std::filesystem::path& path);

/// A file that appears under its name only when it is complete: bytes go to
/// `<name>.partial.<process id>`, and commit() renames. Without a commit the destructor removes
/// what was written. The same bytes give the same packed file (no time stamp, no name inside). A
/// symbolic link to a file is followed, one that leads nowhere is replaced; a device or a pipe is
/// written to as it is.
class OutputFile {
 public:
  /// Errors: outside, if the file can't be created.
  [[nodiscard]] static Result<OutputFile> create(std::filesystem::path path, Packing packing);
  ~OutputFile();
  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Failures are remembered and reported by commit().
  void write(std::string_view bytes);
  /// Errors: outside, if anything could not be written (disk full ...).
  [[nodiscard]] Result<void> commit();

 private:
  struct State;
  explicit OutputFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace unmask
