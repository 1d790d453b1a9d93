#pragma once

#include <string_view>

#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/ingest/chat_messages.h"
#include "unmask/ingest/remarks.h"
#include "unmask/json/parser.h"
#include "unmask/json/value.h"

namespace unmask {

/// `schema` of a table's first line (docs/formats/table.md).
inline constexpr std::string_view kTableSchema = "unmask.table/1";

/// Takes the settings of a run from a line, its first: all that holds for every episode.
void read_table_settings(const json::Value& line, LogHeader& header, const Remarks& remarks);

/// The episode of a line. What is strange is reported and left out, never guessed; what is absent
/// is counted in `missing`. `arguments_parser` is for arguments that stand in a text.
[[nodiscard]] Episode read_table_episode(const json::Value& line, json::Parser& arguments_parser,
                                         MissingFields& missing, const Remarks& remarks);

}  // namespace unmask
