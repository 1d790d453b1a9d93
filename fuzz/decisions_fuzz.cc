// Whatever bytes a file of scores holds, reading it ends with an error that names the file, or with
// decisions that an analysis can take; and what is written of them reads the same.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "fuzz_support.h"

#include "unmask/base/diagnostics.h"
#include "unmask/decisions/decisions_file.h"
#include "unmask/episode/scored_decision.h"

namespace {

using unmask::fuzz::require;

std::string written(const unmask::decisions::DecisionsFile& file) {
  std::string text = unmask::decisions::header_line(file.header);
  for (std::size_t i = 0; i < file.scored.arms.size(); ++i) {
    text += unmask::decisions::arm_line(i, file.scored.arms[i]);
  }
  for (std::size_t i = 0; i < file.scored.decisions.size(); ++i) {
    const unmask::ScoredDecision& decision = file.scored.decisions[i];
    text += unmask::decisions::decision_line(i, decision, std::nullopt);
    for (std::size_t arm = 0; arm < decision.arms.size(); ++arm) {
      if (decision.arms[arm].fault == unmask::decisions::kNotScored) continue;
      text +=
          unmask::decisions::score_line({.decision = i, .arm = arm, .scores = decision.arms[arm]});
    }
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(data, data + size);
  unmask::Diagnostics diagnostics;
  const auto file = unmask::decisions::decode_decisions(bytes, "scores.jsonl", diagnostics);
  if (!file) {
    require(file.error().message.starts_with("scores.jsonl: "));
    return 0;
  }
  require(file->whole_bytes <= size);
  for (const unmask::ScoredDecision& decision : file->scored.decisions) {
    require(decision.arms.size() == file->scored.arms.size());
    require(!decision.options.empty());
    require(!decision.recorded || *decision.recorded < decision.options.size());
    for (const unmask::ArmScores& scores : decision.arms) {
      require(!scores.fault.empty() || scores.log_probability.size() == decision.options.size());
      for (const double score : scores.log_probability) require(std::isfinite(score));
    }
  }
  unmask::Diagnostics none;
  const std::string once = written(*file);
  const auto again = unmask::decisions::decode_decisions(once, "scores.jsonl", none);
  require(again.has_value());
  require(none.counts().empty());
  require(again->whole_bytes == once.size());
  require(again->scored.decisions.size() == file->scored.decisions.size());
  require(written(*again) == once);
  return 0;
}
