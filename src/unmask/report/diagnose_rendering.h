#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "unmask/episode/channel.h"
#include "unmask/report/text_style.h"

namespace unmask {

/// One failed call with its diagnosis; texts as the log has them.
struct DiagnosedCall {
  std::string file;
  std::string task;
  std::optional<int> trial;
  std::string episode;     ///< its id in the log; may be empty
  std::uint32_t turn = 0;  ///< index of the calling message
  std::uint32_t call = 0;  ///< index among the episode's calls, of both parties
  Party party = Party::agent;
  std::string tool;       ///< as called
  std::string arguments;  ///< JSON text, or what stands there instead
  Channel channel = Channel::other;
  std::string kind;
  EvidenceKind evidence = EvidenceKind::none;
  std::string rule;    ///< id of the text rule that fits
  std::string detail;  ///< the offered name that was meant, or the argument's place
  std::string text;    ///< the error as the log has it

  bool operator==(const DiagnosedCall&) const = default;
};

/// One line a call: columns file, task, trial, episode, turn, call, party, tool, channel, kind,
/// evidence, rule, detail, arguments, text.
[[nodiscard]] std::string diagnose_csv(std::span<const DiagnosedCall> calls);
/// The same as JSON Lines, keys of the same names; null where nothing is known.
[[nodiscard]] std::string diagnose_jsonl(std::span<const DiagnosedCall> calls);
/// Counts by party, channel and kind with the most frequent tools and an example each.
[[nodiscard]] std::string diagnose_text(std::span<const DiagnosedCall> calls,
                                        const TextStyle& style);

}  // namespace unmask
