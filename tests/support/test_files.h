#pragma once

#include <filesystem>
#include <string>
#include <string_view>

/// Files of tests, for the tests of any module: link `unmask_test_files`.
namespace unmask::fixtures {

/// A folder that lives as long as the test.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  /// Writes `bytes` to the file `name` (sub-folders are made); its path.
  // NOLINTNEXTLINE(modernize-use-nodiscard): often only the file is wanted
  std::string write(const std::string& name, std::string_view bytes) const;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

[[nodiscard]] std::string bytes_of(const std::filesystem::path& path);

/// Content of a gzip file; a damaged one fails the test.
[[nodiscard]] std::string unzipped(const std::filesystem::path& path);

}  // namespace unmask::fixtures
