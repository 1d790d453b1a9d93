#include "unmask/report/diagnose_rendering.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "unmask/episode/channel.h"
#include "unmask/report/csv_text.h"
#include "unmask/report/json_values.h"
#include "unmask/report/number_text.h"
#include "unmask/report/report_words.h"
#include "unmask/report/text_style.h"
#include "unmask/report/text_table.h"

namespace unmask {
namespace {

constexpr int kLeastWidth = 40;
constexpr int kToolWidth = 28;
constexpr std::size_t kKindsShown = 6;  // of a channel, unless verbose

// Failed calls of one channel, or of one kind of it.
struct Group {
  std::size_t count = 0;
  std::map<std::string, std::size_t> tools;
  const DiagnosedCall* first = nullptr;

  void add(const DiagnosedCall& call) {
    ++count;
    ++tools[call.tool];
    if (first == nullptr) first = &call;
  }
  [[nodiscard]] std::string top_tool() const {
    std::string best;
    std::size_t most = 0;
    for (const auto& [tool, times] : tools) {
      if (times > most) {
        most = times;
        best = tool;
      }
    }
    return best;
  }
};

struct ChannelGroup {
  Group all;
  std::map<std::string, Group> kinds;
};

std::vector<std::pair<std::string, const Group*>> by_count(
    const std::map<std::string, Group>& kinds) {
  std::vector<std::pair<std::string, const Group*>> sorted;
  sorted.reserve(kinds.size());
  for (const auto& [kind, group] : kinds) sorted.emplace_back(kind, &group);
  std::ranges::stable_sort(
      sorted, [](const auto& a, const auto& b) { return a.second->count > b.second->count; });
  return sorted;
}

// What is left of the line goes to the example's text.
std::string example_of(const Group& group, const TextStyle& style) {
  const std::string line = group.first->text.substr(0, group.first->text.find('\n'));
  return text::shown_name(line, std::max(20, style.width - 68), style);
}

std::vector<text::TableCell> group_row(std::string label, const Group& group, std::size_t all,
                                       const TextStyle& style) {
  std::vector<text::TableCell> row{
      {std::move(label)},
      {text::grouped(group.count)},
      {text::percent_aligned(static_cast<double>(group.count) / static_cast<double>(all))},
      {text::shown_name(group.top_tool(), kToolWidth, style)}};
  if (style.width >= 100) row.push_back({example_of(group, style)});
  return row;
}

text::TextTable party_table(const std::vector<const DiagnosedCall*>& calls,
                            const TextStyle& style) {
  std::map<Channel, ChannelGroup> channels;
  for (const DiagnosedCall* call : calls) {
    ChannelGroup& group = channels[call->channel];
    group.all.add(*call);
    if (!call->kind.empty()) group.kinds[call->kind].add(*call);
  }
  text::TextTable table;
  table.columns = {{.header = "channel"},
                   {.header = "calls", .align = text::Align::right},
                   {.header = "%", .align = text::Align::right},
                   {.header = "most often on"}};
  if (style.width >= 100) table.columns.push_back({.header = "for instance"});
  for (const auto& [channel, group] : channels) {
    table.rows.push_back(group_row(std::string(name_of(channel)), group.all, calls.size(), style));
    table.rows.back().front().paint = text::Paint::bold;
    std::size_t shown = 0;
    for (const auto& [kind, of_kind] : by_count(group.kinds)) {
      if (++shown > kKindsShown && !style.verbose) {
        table.rows.push_back(
            {{"  " + std::to_string(group.kinds.size() - kKindsShown) + " more kinds"}});
        break;
      }
      table.rows.push_back(
          group_row("  " + text::shown_name(kind, 24, style), *of_kind, calls.size(), style));
    }
  }
  return table;
}

/// "decided by structure 3, re-execution 480, error text 12".
std::string decided_words(const std::vector<const DiagnosedCall*>& calls) {
  std::string words;
  const auto add = [&](EvidenceKind evidence, const char* what) {
    const auto count = static_cast<std::uint64_t>(std::ranges::count_if(
        calls, [&](const DiagnosedCall* call) { return call->evidence == evidence; }));
    if (count == 0) return;
    words +=
        (words.empty() ? "decided by " : ", ") + std::string(what) + " " + text::grouped(count);
  };
  add(EvidenceKind::stated, "the log itself");
  add(EvidenceKind::structure, "structure");
  add(EvidenceKind::reexecution, "re-execution");
  add(EvidenceKind::error_text, "error text");
  add(EvidenceKind::none, "nothing");
  return words;
}

}  // namespace

std::string diagnose_csv(std::span<const DiagnosedCall> calls) {
  text::CsvWriter csv;
  csv.raw(
         "file,task,trial,episode,turn,call,party,tool,channel,kind,evidence,rule,detail,arguments,"
         "text")
      .end_line();
  for (const DiagnosedCall& call : calls) {
    csv.text(call.file).text(call.task).raw(call.trial ? std::to_string(*call.trial) : "");
    csv.text(call.episode).raw(std::to_string(call.turn)).raw(std::to_string(call.call));
    csv.raw(name_of(call.party)).text(call.tool);
    csv.raw(name_of(call.channel)).text(call.kind).raw(name_of(call.evidence)).text(call.rule);
    csv.text(call.detail).text(call.arguments).text(call.text).end_line();
  }
  return csv.content();
}

std::string diagnose_jsonl(std::span<const DiagnosedCall> calls) {
  using json_report::Json;
  using json_report::text_or_null;
  std::string lines;
  for (const DiagnosedCall& call : calls) {
    const Json json{{"file", call.file},
                    {"task", call.task},
                    {"trial", json_report::integer(call.trial)},
                    {"episode", text_or_null(call.episode)},
                    {"turn", call.turn},
                    {"call", call.call},
                    {"party", name_of(call.party)},
                    {"tool", call.tool},
                    {"channel", name_of(call.channel)},
                    {"kind", text_or_null(call.kind)},
                    {"evidence", name_of(call.evidence)},
                    {"rule", text_or_null(call.rule)},
                    {"detail", text_or_null(call.detail)},
                    {"arguments", call.arguments},
                    {"text", call.text}};
    lines += json_report::with_escapes(json.dump(-1, ' ', false, Json::error_handler_t::replace));
    lines += "\n";
  }
  return lines;
}

std::string diagnose_text(std::span<const DiagnosedCall> calls, const TextStyle& requested) {
  TextStyle style = requested;
  style.width = std::max(style.width, kLeastWidth);
  if (calls.empty()) return "no failed calls\n";
  std::string report;
  for (const Party party : {Party::agent, Party::user}) {
    std::vector<const DiagnosedCall*> of_party;
    for (const DiagnosedCall& call : calls) {
      if (call.party == party) of_party.push_back(&call);
    }
    if (of_party.empty()) continue;
    if (!report.empty()) report += "\n";
    const std::string who = party == Party::agent ? "agent" : "simulated user";
    report += text::painted(who + ": " + text::counted(of_party.size(), "failed call"),
                            text::Paint::bold, style) +
              "\n";
    for (const std::string& line :
         text::table_lines(party_table(of_party, style), style.width - 2, style))
      report += "  " + line + "\n";
    report += "  " + decided_words(of_party) + "\n";
  }
  return report +
         "\nevery call: --format csv or jsonl; what the words mean: unmask help channels\n";
}

}  // namespace unmask
