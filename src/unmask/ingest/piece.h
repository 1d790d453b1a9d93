#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "unmask/ingest/remarks.h"
#include "unmask/json/parser.h"
#include "unmask/json/value.h"

namespace unmask {

/// Parses a piece that a scan cut out at `offset`; reports repairs and, if it is unreadable, that
/// `what` is left out. Empty then.
[[nodiscard]] std::optional<json::Value> parse_piece(json::Parser& parser, std::string_view text,
                                                     std::uint64_t offset, const std::string& what,
                                                     const Remarks& remarks);

/// Reports keys of the piece last parsed that stood twice in their object.
void report_duplicate_keys(const json::Parser& parser, const Remarks& remarks);

}  // namespace unmask
