#pragma once

#include <filesystem>
#include <string>

namespace unmask::synthetic {

/// A folder of its own for one test, removed at its end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

[[nodiscard]] std::string bytes_of(const std::filesystem::path& path);

/// Content of a gzip file; a damaged one fails the test.
[[nodiscard]] std::string unzipped(const std::filesystem::path& path);

}  // namespace unmask::synthetic
