#include "unmask/ingest/piece.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "unmask/ingest/remarks.h"
#include "unmask/json/parser.h"
#include "unmask/json/repair.h"
#include "unmask/json/value.h"

namespace unmask {

std::optional<json::Value> parse_piece(json::Parser& parser, std::string_view text,
                                       std::uint64_t offset, const std::string& what,
                                       const Remarks& remarks) {
  const auto parsed = parser.parse(text, offset);
  if (!parsed) {
    remarks.about(what, offset)
        .loss("unreadable_json", what + " can't be read: " + parsed.error().message +
                                     "; it is left out (the rest is used)");
    return std::nullopt;
  }
  if (parsed->repairs.total() > 0) {
    remarks.about(what, offset + parsed->repairs.first_offset)
        .info("repaired_json",
              what + " is not sound JSON and was repaired: " + to_string(parsed->repairs) +
                  ", the first at byte " + std::to_string(offset + parsed->repairs.first_offset));
  }
  return parsed->root;
}

void report_duplicate_keys(const json::Parser& parser, const Remarks& remarks) {
  for (const std::string& key : parser.duplicate_keys()) {
    remarks.loss("duplicate_key",
                 "the key '" + key + "' stands twice in one object; the last value is used");
  }
}

}  // namespace unmask
