#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/episode/episode.h"

namespace unmask::decisions {

/// What agents have chosen, in some logs, that was not to be had: names that were not offered, and
/// values of arguments that no schema lists or that stood nowhere in the context.
class TemptingOptions {
 public:
  /// A name of a call. One that no model would write again (very long, empty) is not kept.
  void add_name(std::string_view name);
  /// A value of the argument `tool.argument`.
  void add_value(std::string_view argument, std::string_view value);

  /// Names by how often they were called, then by name.
  [[nodiscard]] std::vector<std::string> names() const;
  /// Values of an argument, likewise.
  [[nodiscard]] std::vector<std::string> values(std::string_view argument) const;

 private:
  using Counts = std::map<std::string, std::uint64_t, std::less<>>;

  static void add(Counts& counts, std::string_view text);
  static std::vector<std::string> ranked(const Counts& counts);

  Counts names_;
  std::map<std::string, Counts, std::less<>> values_;
};

}  // namespace unmask::decisions
