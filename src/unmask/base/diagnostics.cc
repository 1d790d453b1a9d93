#include "unmask/base/diagnostics.h"

#include <utility>

namespace unmask {

void Diagnostics::add(Diagnostic diagnostic) {
  ++counts_[diagnostic.code];
  any_warning_ = any_warning_ || diagnostic.severity != Severity::info;
  if (kept_per_file_and_code_[diagnostic.file + '\n' + diagnostic.code]++ < kKeptPerCode) {
    kept_.push_back(std::move(diagnostic));
  }
}

void Diagnostics::merge(const Diagnostics& other) {
  std::map<std::string, std::size_t, std::less<>> unkept = other.counts_;
  for (const Diagnostic& diagnostic : other.kept_) {
    --unkept[diagnostic.code];
    add(diagnostic);
  }
  for (const auto& [code, count] : unkept) counts_[code] += count;
  any_warning_ = any_warning_ || other.any_warning_;
}

std::size_t Diagnostics::count(std::string_view code) const {
  const auto found = counts_.find(code);
  return found == counts_.end() ? 0 : found->second;
}

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "info";
    case Severity::data_loss:
      return "data_loss";
    case Severity::error:
      return "error";
  }
  return "";
}

}  // namespace unmask
