// Whatever bytes a card holds, checking it ends with violations that say where and what, or the
// card can be read, written and rendered, and what is written is a good card with the same content.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz_support.h"

#include "unmask/report/card.h"
#include "unmask/report/producer.h"

namespace {

using unmask::fuzz::require;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(data, data + size);
  const std::vector<unmask::CardViolation> violations = unmask::check_card(bytes);
  const auto card = unmask::parse_card(bytes, "card.json");
  require(card.has_value() == violations.empty());
  if (!card) {
    for (const unmask::CardViolation& violation : violations) {
      require(violation.path.empty() || violation.path.front() == '/');
      require(!violation.sentence.empty());
    }
    require(card.error().message.starts_with("card.json: "));
    return 0;
  }
  const unmask::Producer producer{"0", ""};
  const std::string written = unmask::card_json(*card, producer);
  require(unmask::check_card(written).empty());
  const auto again = unmask::parse_card(written, "card.json");
  require(again.has_value());
  require(unmask::card_json(*again, producer) == written);
  for (const char c : unmask::card_markdown(*card)) {
    const auto byte = static_cast<unsigned char>(c);
    require(byte >= 0x20 || byte == '\n');
    require(byte != 0x7F);
  }
  return 0;
}
