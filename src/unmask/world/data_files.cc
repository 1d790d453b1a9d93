#include "unmask/world/data_files.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <ios>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "unmask/base/error.h"
#include "unmask/world/gunzip.h"

namespace unmask::world {
namespace {

Result<std::string> bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string bytes;
  // By the block: an iterator's way takes longer than parsing.
  constexpr std::size_t kBlock = std::size_t{1} << 18U;
  while (stream) {
    const std::size_t size = bytes.size();
    bytes.resize(size + kBlock);
    stream.read(bytes.data() + size, static_cast<std::streamsize>(kBlock));
    bytes.resize(size + static_cast<std::size_t>(stream.gcount()));
  }
  // The end of the file is no failure.
  if (stream.eof() && !stream.bad()) stream.clear();
  if (!stream) {
    return fail(ErrorCode::outside,
                file.string() + " can't be read: " + std::generic_category().message(errno));
  }
  return bytes;
}

/// Each domain has one of these, and no folder above it has.
bool is_domain_folder(const std::filesystem::path& folder) {
  constexpr std::array<std::string_view, 2> kDatabases = {"db.json", "db.toml"};
  std::error_code ignored;
  for (const std::string_view name : kDatabases) {
    if (std::filesystem::is_regular_file(folder / name, ignored)) return true;
  }
  return false;
}

}  // namespace

DataFiles::DataFiles(std::string label, std::map<std::string, std::string> files)
    : folder_(std::move(label)),
      memory_(std::make_shared<const std::map<std::string, std::string>>(std::move(files))) {}

Result<void> DataFiles::check_root(const std::filesystem::path& root) {
  std::error_code ignored;
  if (std::filesystem::is_directory(root, ignored)) return {};
  return fail(ErrorCode::bad_input,
              root.string() +
                  ": there is no such folder; name a checkout of tau2-bench, or the folder that "
                  "scripts/get-tau2-data filled");
}

Result<DataFiles> DataFiles::of_domain(const std::filesystem::path& root, std::string_view domain) {
  if (const Result<void> there = check_root(root); !there) {
    return tl::unexpected<Error>(there.error());
  }
  constexpr std::array<std::string_view, 5> kPlaces = {"data/tau2/domains", "tau2/domains",
                                                       "domains", "data", "."};
  std::string looked_in;
  for (const std::string_view place : kPlaces) {
    const std::filesystem::path folder = (root / place / domain).lexically_normal();
    if (is_domain_folder(folder)) {
      DataFiles files(folder);
      files.root_ = root;
      return files;
    }
    looked_in += (looked_in.empty() ? "" : ", ") + folder.string();
  }
  if (is_domain_folder(root)) return DataFiles(root);
  return fail(ErrorCode::bad_input, root.string() + ": no data of the domain " +
                                        std::string(domain) + " here (looked in " + looked_in +
                                        "); name a checkout of tau2-bench or its data folder");
}

std::filesystem::path DataFiles::path_of(std::string_view name) const {
  std::error_code ignored;
  if (!root_.empty() && !std::filesystem::exists(folder_ / name, ignored) &&
      std::filesystem::exists(root_ / name, ignored)) {
    return root_ / name;
  }
  return folder_ / name;
}

bool DataFiles::has(std::string_view name) const {
  if (memory_) return memory_->contains(std::string(name));
  std::error_code ignored;
  return std::filesystem::exists(path_of(name), ignored);
}

Result<std::string> DataFiles::read(std::string_view name) const {
  if (memory_) {
    const auto found = memory_->find(std::string(name));
    if (found != memory_->end()) return found->second;
    return fail(ErrorCode::outside, place_of(name) + ": there is no such file");
  }
  Result<std::string> bytes = bytes_of(path_of(name));
  if (bytes && name.ends_with(".gz")) return gunzip(*bytes, place_of(name));
  return bytes;
}

std::string DataFiles::place_of(std::string_view name) const { return path_of(name).string(); }

}  // namespace unmask::world
