#include "unmask/cli/convert_targets.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/cli/terminal.h"
#include "unmask/convert/log_writer.h"
#include "unmask/ingest/log_input.h"
#include "unmask/output/output_file.h"

namespace unmask::cli {
namespace {

namespace fs = std::filesystem;

bool is_folder(const std::string& path) {
  std::error_code error;
  return path.ends_with('/') || fs::is_directory(path, error);
}

// Makes the folder of several logs.
Result<void> make_folder(const std::string& output, std::size_t logs) {
  if (!is_folder(output) && (named_like_a_log(output) || packing_of(output) != Packing::none)) {
    return fail(ErrorCode::invalid_argument,
                output + ": " + std::to_string(logs) +
                    " logs can't go into one file; name a folder with -o (" +
                    (fs::path(output).parent_path() / stem_of_log(output)).string() +
                    "/), or convert them one by one");
  }
  std::error_code error;
  fs::create_directories(output, error);
  if (!error) return {};
  return fail(ErrorCode::outside, output + ": can't be made a folder (" + error.message() +
                                      "); several logs need one, give another with -o");
}

}  // namespace

Result<ConvertTarget> ConvertTarget::open(const std::string& path) {
  ConvertTarget target;
  if (path.empty()) return target;
  Result<OutputFile> file = OutputFile::create(path, packing_of(path));
  if (!file) return tl::unexpected(file.error());
  target.file_.emplace(std::move(*file));
  return target;
}

void ConvertTarget::write(std::string_view text) {
  if (file_) {
    file_->write(text);
  } else if (error_ == 0 && std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) {
    error_ = errno != 0 ? errno : EIO;
  }
}

Result<void> ConvertTarget::commit() {
  if (file_) return file_->commit();
  if (error_ == 0 && std::fflush(stdout) != 0) error_ = errno;
  if (error_ == 0) return {};
  return fail(ErrorCode::outside, "can't write to standard output: " +
                                      std::error_code(error_, std::generic_category()).message());
}

Result<std::vector<std::string>> convert_targets(std::span<const LogInput> logs,
                                                 const std::string& output, LogFormat format) {
  const bool to_output = output.empty() || output == "-";
  const bool to_folder = !to_output && (logs.size() > 1 || is_folder(output));
  if (to_output && logs.size() > 1) {
    return fail(ErrorCode::invalid_argument,
                std::to_string(logs.size()) +
                    " logs can't go to standard output as one; name a folder with -o");
  }
  const Result<void> place = to_folder   ? make_folder(output, logs.size())
                             : to_output ? Result<void>()
                                         : output_place(output);
  if (!place) return tl::unexpected(place.error());
  std::vector<std::string> targets;
  std::map<std::string, std::string> taken;
  for (const LogInput& log : logs) {
    std::string target;
    if (to_folder) {
      target =
          (fs::path(output) / (stem_of_log(log.name) + std::string(extension_of(format)))).string();
    } else if (!to_output) {
      target = output;
    }
    if (Result<void> other = output_place(target, log.files); !other) {
      return tl::unexpected(other.error());
    }
    if (const auto [other, added] = taken.emplace(target, log.name); !added) {
      return fail(ErrorCode::invalid_argument, log.name + " and " + other->second +
                                                   " would both be written to " + target +
                                                   "; convert them one by one");
    }
    targets.push_back(std::move(target));
  }
  return targets;
}

}  // namespace unmask::cli
