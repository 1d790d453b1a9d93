#include "unmask/report/consequence_facts.h"

#include <cstdint>
#include <string>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/report/number_text.h"
#include "unmask/report/report_words.h"
#include "unmask/report/text_style.h"

namespace unmask::text {
namespace {

std::string evidence_words(const EvidenceFindings& evidence) {
  std::vector<std::string> parts;
  const auto add = [&parts](std::uint64_t count, const char* what) {
    if (count > 0) parts.push_back(grouped(count) + " " + what);
  };
  add(evidence.stated, "stated by the log");
  add(evidence.structure, "by structure");
  add(evidence.reexecution, "by executing them again");
  add(evidence.error_text, "by their error text");
  add(evidence.none, "by nothing");
  std::string words = parts.empty() ? "none failed" : joined(parts);
  if (evidence.differing > 0)
    words += " (" + grouped(evidence.differing) + " answered otherwise here)";
  return words;
}

std::string writes_words(const ConsequenceFindings& found) {
  if (!found.reason.empty()) return "not known (" + found.reason + ")";
  std::string words =
      "in " + grouped(found.episodes_with) + " of " + counted(found.episodes, "episode");
  if (found.share.value) words += " (" + percent(*found.share.value) + " %)";
  if (found.first_call.value && found.first_message.value) {
    words += ", first at call " + fixed(*found.first_call.value, 1) + " and message " +
             fixed(*found.first_message.value, 1) + " on average, " + grouped(found.solved_with) +
             " solved all the same";
  }
  const std::uint32_t unknown = found.no_world + found.not_possible + found.no_golden_actions;
  if (unknown > 0) words += ", " + grouped(unknown) + " more not known";
  return words;
}

bool asked(const CellFindings& cell) {
  for (const ArmFindings& arm : cell.arms) {
    if (arm.evidence.asked_world) return true;
  }
  return false;
}

}  // namespace

std::string evidence_fact(const CellFindings& cell, const TextStyle& style) {
  if (!asked(cell)) return {};
  std::string sentence;
  for (const ArmFindings& arm : cell.arms) {
    sentence += sentence.empty() ? "why calls failed was decided: " : "; ";
    sentence += shown_name(arm.arm, 16, style) + " " + evidence_words(arm.evidence);
  }
  return sentence;
}

std::string writes_fact(const CellFindings& cell, const TextStyle& style) {
  if (!asked(cell)) return {};
  std::string sentence;
  for (const ArmFindings& arm : cell.arms) {
    sentence +=
        sentence.empty() ? "the agent's successful writes outside the golden actions: " : "; ";
    sentence += shown_name(arm.arm, 16, style) + " " + writes_words(arm.consequence);
  }
  return sentence;
}

std::string consequence_fact(const CellFindings& cell, const ComparisonFindings& comparison,
                             const TextStyle& style) {
  if (!asked(cell)) return {};
  const ConsequenceGap& found = comparison.consequence;
  if (!found.reason.empty()) return "no consequence budget: " + found.reason;
  const ArmFindings* ref = reference_arm(cell);
  const ArmFindings* arm = find_arm(cell, comparison.arm);
  if (ref == nullptr || arm == nullptr || !found.gap_consequence.figure.value) return {};
  std::string sentence =
      "if an episode fails at its first write outside the golden actions the scores are " +
      from_to_percent(ref->consequence.score_consequence.value,
                      arm->consequence.score_consequence.value, style) +
      " at K=" + std::to_string(found.k) + ", gap " + points(*found.gap_consequence.figure.value) +
      " points" + points_interval(found.gap_consequence.figure);
  const std::string p = p_value(found.gap_consequence.p);
  if (!p.empty()) sentence += " (" + p + ")";
  if (found.gap.figure.value) {
    sentence += "; without that " +
                from_to_percent(ref->consequence.score.value, arm->consequence.score.value, style) +
                ", gap " + points(*found.gap.figure.value);
  }
  return sentence;
}

}  // namespace unmask::text
