#include "unmask/world/data_folder.h"

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "unmask/base/error.h"

namespace unmask::world {
namespace {

/// A domain's policy lies in none but its own folder.
bool is_domain_folder(const std::filesystem::path& folder) {
  constexpr std::array<std::string_view, 3> kMarks = {"db.json", "db.toml", "policy.md"};
  std::error_code ignored;
  for (const std::string_view mark : kMarks) {
    if (std::filesystem::is_regular_file(folder / mark, ignored)) return true;
  }
  return false;
}

}  // namespace

Result<std::filesystem::path> find_domain_folder(const std::filesystem::path& root,
                                                 std::string_view domain) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(root, ignored)) {
    return fail(ErrorCode::bad_input,
                root.string() + ": there is no such folder; name a checkout of tau2-bench, or the "
                                "folder that scripts/get-tau2-data filled");
  }
  constexpr std::array<std::string_view, 5> kPlaces = {
      "data/tau2/domains", "tau2/domains", "domains", ".", "data"};
  for (const std::string_view place : kPlaces) {
    const std::filesystem::path folder = root / place / domain;
    if (is_domain_folder(folder)) return folder.lexically_normal();
  }
  if (root.filename() == domain && is_domain_folder(root)) return root;
  return fail(ErrorCode::bad_input, root.string() + ": no data of the domain " +
                                        std::string(domain) +
                                        " here; looked in data/tau2/domains/" +
                                        std::string(domain) + " and " + std::string(domain) +
                                        ". Name a checkout of tau2-bench or its data folder");
}

}  // namespace unmask::world
