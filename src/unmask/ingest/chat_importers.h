#pragma once

#include <string_view>

#include "unmask/ingest/importer.h"

namespace unmask {

/// tau-bench's (the first version's) trajectories: a list, with metrics around it, or labelled by
/// hand.
[[nodiscard]] const Importer& tau_bench_importer();

/// Episodes of OpenAI chat messages, JSON or JSON lines.
[[nodiscard]] const Importer& openai_importer();

/// Whether the values at the prefix `at` of `print` (`[].`, or empty for the document itself) are
/// episodes of chat messages that only openai_importer reads.
[[nodiscard]] bool has_chat_episode(const Fingerprint& print, std::string_view at);

}  // namespace unmask
