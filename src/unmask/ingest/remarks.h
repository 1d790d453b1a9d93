#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "unmask/base/diagnostics.h"

namespace unmask {

/// Codes of remarks that a file holds more than one arm, whose episodes then count as one.
inline constexpr const char* kSeveralArms = "several_arms";
inline constexpr const char* kSeveralModels = "several_models";
inline constexpr const char* kSeveralDomains = "several_domains";

/// Adds diagnostics about one place: a file, and where known an episode and a byte.
class Remarks {
 public:
  Remarks(Diagnostics& diagnostics, std::string file)
      : diagnostics_(diagnostics), file_(std::move(file)) {}

  /// The same file, about the episode `label` (`task 12, trial 3`) that stands at `offset`.
  [[nodiscard]] Remarks about(std::string label, std::optional<std::uint64_t> offset) const {
    Remarks remarks = *this;
    remarks.episode_ = std::move(label);
    remarks.offset_ = offset;
    return remarks;
  }

  void add(std::string code, Severity severity, std::string sentence) const {
    diagnostics_.add({std::move(code), severity, file_, episode_, std::move(sentence), offset_});
  }
  void info(std::string code, std::string sentence) const {
    add(std::move(code), Severity::info, std::move(sentence));
  }
  void loss(std::string code, std::string sentence) const {
    add(std::move(code), Severity::data_loss, std::move(sentence));
  }

  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  Diagnostics& diagnostics_;
  std::string file_;
  std::string episode_;
  std::optional<std::uint64_t> offset_;
};

}  // namespace unmask
