#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace unmask::reference {

/// The folder of reference data: UNMASK_SHARED, else `../shared` beside the repository.
[[nodiscard]] std::filesystem::path shared_folder();

/// Bytes of a file, decompressed if its name ends in .gz; nullopt if it can't be read.
[[nodiscard]] std::optional<std::string> read_bytes(const std::filesystem::path& path);

/// The fields of a line of a tab-separated file.
[[nodiscard]] std::vector<std::string> fields_of(const std::string& line);

/// Counts the vectors of one reference file. Its destructor-free `finish` prints
/// `reference <file>: <checked> of <expected> vectors` and fails the test when fewer were checked.
class Vectors {
 public:
  /// `file` is relative to the shared folder. A missing file skips the test, or fails it when
  /// UNMASK_REQUIRE_REFERENCE=1.
  Vectors(std::string file, std::size_t expected);

  /// False: the data is missing and the test was skipped or failed; return from it.
  [[nodiscard]] bool available() const { return available_; }
  [[nodiscard]] std::filesystem::path path() const;
  /// The file as JSON; call only if available.
  [[nodiscard]] nlohmann::json json() const;
  void count(std::size_t vectors = 1) { checked_ += vectors; }
  void finish() const;

 private:
  std::string file_;
  std::size_t expected_;
  std::size_t checked_ = 0;
  bool available_ = false;
};

}  // namespace unmask::reference
