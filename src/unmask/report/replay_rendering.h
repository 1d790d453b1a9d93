#pragma once

#include <span>
#include <string>

#include "unmask/replay/log_replay.h"
#include "unmask/report/producer.h"
#include "unmask/report/text_style.h"

namespace unmask {

/// What became of each log's calls and rewards when they were executed again, for a terminal.
/// Verbose: all differences rather than the first.
[[nodiscard]] std::string replay_text(std::span<const replay::LogReplay> logs,
                                      const TextStyle& style);

/// `"schema": "unmask.replay/1"`, docs/schemas/replay.json: one entry a log.
[[nodiscard]] std::string replay_json(std::span<const replay::LogReplay> logs,
                                      const Producer& producer = this_program());

}  // namespace unmask
