#pragma once

#include "unmask/ingest/importer.h"

namespace unmask {

/// tau-bench's (the first version's) trajectories: a list, with metrics around it, or labelled by
/// hand.
[[nodiscard]] const Importer& tau_bench_importer();

/// Episodes of OpenAI chat messages, JSON or JSON lines.
[[nodiscard]] const Importer& openai_importer();

}  // namespace unmask
