#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace unmask {

enum class Severity {
  info,       ///< Worth knowing; nothing was lost.
  data_loss,  ///< Something in the input could not be used and was left out, and counted.
  error,      ///< The figures can't be trusted until this is resolved.
};

/// One remark about the input. `sentence` names what happened and the remedy.
struct Diagnostic {
  std::string code;  ///< Stable, snake_case: `duplicate_trial`, `nan_reward` ...
  Severity severity = Severity::info;
  std::string file;                   ///< As the user gave it; empty if it concerns no file.
  std::string episode;                ///< `task 12, trial 3`; empty if it concerns the whole file.
  std::string sentence;               ///< For a person.
  std::optional<std::size_t> offset;  ///< Byte in the uncompressed file, where known.

  bool operator==(const Diagnostic&) const = default;
};

/// Collects remarks while the work goes on. At most `kKeptPerCode` remarks of a code are kept whole
/// for each file; all are counted. Not thread-safe: one per reader, merged in a fixed order.
class Diagnostics {
 public:
  static constexpr std::size_t kKeptPerCode = 20;

  void add(Diagnostic diagnostic);
  void merge(const Diagnostics& other);

  [[nodiscard]] const std::vector<Diagnostic>& kept() const { return kept_; }
  /// How often `code` was reported, kept or not.
  [[nodiscard]] std::size_t count(std::string_view code) const;
  [[nodiscard]] const std::map<std::string, std::size_t, std::less<>>& counts() const {
    return counts_;
  }
  /// True if anything worse than `info` was reported (what `--strict` turns into a failure).
  [[nodiscard]] bool any_warning() const { return any_warning_; }

 private:
  std::vector<Diagnostic> kept_;
  std::map<std::string, std::size_t, std::less<>> counts_;
  std::map<std::string, std::size_t, std::less<>> kept_per_file_and_code_;
  bool any_warning_ = false;
};

[[nodiscard]] std::string_view name_of(Severity severity);

}  // namespace unmask
