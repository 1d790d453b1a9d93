#include <string>
#include <utility>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/verdict.h"
#include "unmask/budget/budget_semantics.h"
#include "unmask/episode/log_header.h"
#include "unmask/report/card.h"
#include "unmask/report/markdown_text.h"
#include "unmask/report/number_text.h"
#include "unmask/report/report_words.h"
#include "unmask/report/text_style.h"

namespace unmask {
namespace {

using text::markdown_code;
using text::markdown_escaped;

constexpr TextStyle kStyle;

std::string dash(const std::string& reason) {
  return "— " + markdown_escaped(reason.empty() ? "not computed" : reason);
}

std::string percent_cell(const Figure& figure) {
  if (!figure.value) return dash(figure.reason);
  std::string cell = text::percent(*figure.value) + " %";
  if (figure.low && figure.high)
    cell += " [" + text::percent(*figure.low) + ", " + text::percent(*figure.high) + "]";
  return cell;
}

std::string rate_cell(const Figure& figure) {
  if (!figure.value) return dash(figure.reason);
  std::string cell = text::fixed(*figure.value, 3);
  if (figure.low && figure.high)
    cell += " [" + text::fixed(*figure.low, 3) + ", " + text::fixed(*figure.high, 3) + "]";
  return cell;
}

std::string ratio_cell(const Figure& figure) {
  return figure.value ? text::ratio_with_interval(figure, kStyle) : dash(figure.reason);
}

void add_line(std::vector<std::vector<std::string>>& rows, std::string name, std::string value) {
  if (!value.empty()) rows.push_back({std::move(name), std::move(value)});
}

std::string identity_table(const Card& card) {
  const ArmIdentity& identity = card.identity;
  std::vector<std::vector<std::string>> rows;
  add_line(rows, "model",
           markdown_escaped(identity.model) + (identity.model_is_guess ? " (guessed)" : ""));
  add_line(rows, "precision",
           markdown_escaped(identity.precision) +
               (identity.precision_is_guess && !identity.precision.empty() ? " (guessed)" : ""));
  add_line(rows, "quantization", markdown_escaped(identity.quantization_method));
  add_line(rows, "KV cache", markdown_escaped(identity.kv_cache_precision));
  add_line(rows, "engine", markdown_escaped(identity.engine));
  add_line(rows, "tool-call parser", markdown_escaped(identity.tool_call_parser));
  add_line(rows, "names grammar-constrained", markdown_escaped(identity.grammar_constrained));
  std::string sampling;
  for (const auto& [name, value] : identity.sampling)
    sampling.append(sampling.empty() ? "" : ", ").append(name).append(" ").append(value);
  add_line(rows, "sampling", markdown_escaped(sampling));
  add_line(rows, "user simulator", markdown_escaped(identity.user_model));
  add_line(rows, "harness", markdown_escaped(text::harness_words(card.harness)));
  add_line(rows, "reward basis", markdown_escaped(text::joined(card.reward_basis)));
  add_line(rows, "error budget", text::budget_words(card.budget) + "; " + name_of(card.semantics));
  std::string coverage = text::counted(card.coverage.tasks, "task") + ", " +
                         text::counted(card.coverage.episodes, "episode") + ", " +
                         text::counted(card.coverage.agent_calls, "call") + "; vanished " +
                         std::to_string(card.coverage.vanished) + ", stopped by the budget " +
                         std::to_string(card.coverage.stopped_by_budget);
  if (card.coverage.contradictions > 0)
    coverage += ", contradicting it " + std::to_string(card.coverage.contradictions);
  add_line(rows, "coverage", coverage);
  return text::markdown_table({"arm", markdown_code(card.arm)}, "ll", rows);
}

const CardScore* gap_at(const Card& card, int k) {
  if (!card.comparison) return nullptr;
  for (const CardScore& gap : card.comparison->gap) {
    if (gap.k == k) return &gap;
  }
  return nullptr;
}

std::string score_table(const Card& card) {
  std::vector<std::string> header{"error budget K", "score"};
  if (card.comparison)
    header.push_back("gap to " + markdown_code(card.comparison->reference) + ", points");
  std::vector<std::vector<std::string>> rows;
  for (const CardScore& point : card.score_by_budget) {
    std::vector<std::string> row{
        std::to_string(point.k) + (point.k == card.k_obs ? " (the benchmark's score)" : ""),
        percent_cell(point.score)};
    if (card.comparison) {
      const CardScore* gap = gap_at(card, point.k);
      row.push_back(gap != nullptr && gap->score.value
                        ? text::points(*gap->score.value) + text::points_interval(gap->score)
                        : "—");
    }
    rows.push_back(std::move(row));
  }
  return text::markdown_table(header, card.comparison ? "lll" : "ll", rows);
}

std::string channel_table(const Card& card) {
  std::vector<std::string> header{"failed calls by channel", "count", "an episode", "of calls"};
  if (card.comparison)
    header.push_back("ratio an episode to " + markdown_code(card.comparison->reference));
  std::vector<std::vector<std::string>> rows;
  for (const CardChannel& channel : card.channels) {
    std::vector<std::string> row{markdown_code(channel.name), text::grouped(channel.errors),
                                 rate_cell(channel.per_episode), percent_cell(channel.per_call)};
    if (card.comparison) {
      std::string ratio = "—";
      for (const CardChannel& entry : card.comparison->channels) {
        if (entry.name == channel.name) ratio = ratio_cell(entry.per_episode);
      }
      row.push_back(std::move(ratio));
    }
    rows.push_back(std::move(row));
  }
  return text::markdown_table(header, card.comparison ? "lrlll" : "lrll", rows);
}

}  // namespace

std::string card_markdown(const Card& card) {
  std::string title = markdown_escaped(card.cell);
  if (!card.domain.empty() && card.domain != card.cell)
    title += ", " + markdown_escaped(card.domain);
  std::string document = "### Tool-call failures: " + title + "\n\n" + identity_table(card);
  if (card.comparison) {
    document += "\nAgainst " + markdown_code(card.comparison->reference) + ": **" +
                std::string(title_of(card.comparison->verdict)) + "**";
    if (card.comparison->suffix != ScoreSuffix::none)
      document += ", " + std::string(name_of(card.comparison->suffix));
    document += ". " + markdown_escaped(card.comparison->sentence) + "\n";
  }
  document += "\nScore if the K-th failed call ends an episode:\n\n" + score_table(card);
  document += "\n" + channel_table(card);
  if (card.next_call_recovery.share.value) {
    document += "\nAfter a failed call the next one works in " +
                percent_cell(card.next_call_recovery.share) + " of cases.\n";
  }
  if (card.risk) {
    document += "\nRisk if the agent's errors were twice as many, from this log alone: **" +
                std::string(name_of(*card.risk)) + "** (`unmask screen`).\n";
  }
  document += "\n95 % intervals in brackets, clustered by task.\n";
  return document;
}

}  // namespace unmask
