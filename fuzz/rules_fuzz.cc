// A file of rules and an error text, with a zero byte between them.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "unmask/diagnose/error_text.h"
#include "unmask/diagnose/rule_set.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t split = std::min(text.find('\0'), text.size());
  const std::string prepared =
      unmask::prepared_error_text(text.substr(std::min(split + 1, text.size())));
  if (prepared.size() > unmask::kMatchedBytes) std::abort();
  if (!unmask::covers("*", prepared)) std::abort();

  const auto rules = unmask::parse_rules(text.substr(0, split), "fuzz.toml");
  if (!rules) {
    if (rules.error().message.empty()) std::abort();
    return 0;
  }
  const std::array<const unmask::RuleSet*, 1> sets = {&*rules};
  const auto match = unmask::match_rules(prepared, "some_tool", sets);
  if (match && match->rule.empty()) std::abort();
  return 0;
}
