#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "unmask/base/error.h"

namespace unmask::world {

/// The files that a world is made of, by name: in a folder, or in memory.
class DataFiles {
 public:
  /// Files of a folder. NOLINTNEXTLINE(google-explicit-constructor): a folder is such files.
  DataFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// Files in memory, name to bytes; `label` stands for the folder in errors.
  DataFiles(std::string label, std::map<std::string, std::string> files);

  /// The files of a domain below `root`: a tau2-bench checkout, its data folder, a folder of
  /// domains, or the domain's own. A file that the domain's folder lacks is looked for in `root`,
  /// where tool_descriptions.json lies. Errors: bad_input, naming the places that were looked at,
  /// if the domain is in none of them.
  [[nodiscard]] static Result<DataFiles> of_domain(const std::filesystem::path& root,
                                                   std::string_view domain);

  /// The error of of_domain for a `root` that is no folder.
  [[nodiscard]] static Result<void> check_root(const std::filesystem::path& root);

  [[nodiscard]] bool has(std::string_view name) const;
  /// A file's bytes; those of a `.gz` unpacked. Errors: outside, with the file; bad_input for a
  /// damaged one.
  [[nodiscard]] Result<std::string> read(std::string_view name) const;
  /// What errors call a file.
  [[nodiscard]] std::string place_of(std::string_view name) const;

 private:
  /// Where a file lies.
  [[nodiscard]] std::filesystem::path path_of(std::string_view name) const;

  std::filesystem::path folder_;
  std::filesystem::path root_;                                        ///< empty: `folder_` is all
  std::shared_ptr<const std::map<std::string, std::string>> memory_;  ///< null: in the folder
};

}  // namespace unmask::world
