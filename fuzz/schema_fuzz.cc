// A tool's schema and a call's arguments, with a zero byte between them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "unmask/schema/argument_schema.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t split = std::min(text.find('\0'), text.size());
  const auto schema = unmask::ArgumentSchema::parse(text.substr(0, split));
  if (!schema) {
    if (schema.error().message.empty()) std::abort();
    return 0;
  }
  const std::string_view arguments = text.substr(std::min(split + 1, text.size()));
  const std::vector<unmask::Violation> violations = schema->check(arguments);
  if (violations.size() > unmask::ArgumentSchema::kMaxViolations) std::abort();
  if (violations != schema->check(arguments)) std::abort();
  return 0;
}
