#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/replay/episode_replay.h"
#include "unmask/replay/known_versions.h"
#include "unmask/replay/log_replay.h"
#include "unmask/report/comparison_facts.h"
#include "unmask/report/number_text.h"
#include "unmask/report/replay_rendering.h"
#include "unmask/report/report_words.h"
#include "unmask/report/terminal_text.h"
#include "unmask/report/text_style.h"

namespace unmask {
namespace {

using replay::LogReplay;
using text::Fact;

constexpr int kLeastWidth = 40;
constexpr int kReadingWidth = 112;
constexpr std::size_t kGroupsShown = 12;  // unless verbose
constexpr std::size_t kRewardsShown = 8;
constexpr std::size_t kChecksShown = 3;

std::string of(std::size_t part, std::size_t all) {
  return text::grouped(part) + " of " + text::grouped(all);
}

std::string reasons_words(const std::map<std::string, std::size_t>& reasons) {
  std::string words;
  for (const auto& [reason, count] : reasons) {
    if (!words.empty()) words += "; ";
    words += text::counted(count, "episode") + ": " + reason;
  }
  return words;
}

std::string episode_words(const replay::EpisodeName& name) {
  std::string words = name.task_id.empty() ? "episode " + name.id : "task " + name.task_id;
  if (name.trial) words += ", trial " + std::to_string(*name.trial);
  return words;
}

std::string tasks_fact(const LogReplay& log) {
  if (log.judged_as_other == 0) return "";
  const std::string& stated = log.first_judged_as_other.task_id;
  return text::counted(log.judged_as_other, "episode") +
         " judged by another task than the log's task_id names, as the actions in its reward's "
         "record say: " +
         (stated.empty() ? "one without a task_id" : stated) + " by task " + log.first_other_task +
         (log.judged_as_other > 1 ? " and so on" : "") + "; replayed as that task";
}

std::string calls_fact(const LogReplay& log) {
  std::string words = of(log.compared, log.calls) +
                      " executed and compared: " + text::grouped(log.compared - log.differing) +
                      " equal, " + text::grouped(log.differing) +
                      (log.differing == 1 ? " differs" : " differ");
  if (log.unanswered > 0)
    words += "; " + text::grouped(log.unanswered) + " without a recorded result";
  if (log.unreadable > 0)
    words += "; " + text::grouped(log.unreadable) + " with arguments that are no JSON object";
  if (log.other_text > 0)
    words += "; " + text::grouped(log.other_text) + " equal as values, written otherwise";
  return words;
}

std::string_view cause_words(replay::Cause cause) {
  switch (cause) {
    case replay::Cause::foreign_tool:
      return "tools that this world doesn't have";
    case replay::Cause::known_version:
      return "known difference between versions";
    case replay::Cause::drawn_id:
      return "an id that is drawn at random";
    case replay::Cause::other_data:
      return "other data: read before anything was written";
    case replay::Cause::follows:
      return "after another difference of the episode";
    case replay::Cause::unexplained:
      return "unexplained";
  }
  return "";
}

std::string data_fact(const LogReplay& log) {
  std::size_t reads = 0;
  std::size_t differ = 0;
  std::vector<std::string> tools;
  for (const replay::ReadCount& read : log.first_reads) {
    reads += read.reads;
    differ += read.differ;
    if (read.differ > 0) tools.push_back(of(read.differ, read.reads) + " of " + read.tool);
  }
  const std::string counts =
      of(differ, reads) + " reads before anything was written differ (" + text::joined(tools) + ")";
  switch (log.data) {
    case replay::DataVerdict::same:
      return "the same: all " + text::grouped(reads) +
             " reads before anything was written are equal";
    case replay::DataVerdict::other:
      return "this log was made with other data: " + counts;
    case replay::DataVerdict::uncertain:
      return "perhaps other data, or an edited log: " + counts;
    case replay::DataVerdict::unknown:
      return "not known: nothing was read before something was written";
  }
  return "";
}

std::string rewards_fact(const LogReplay& log) {
  if (log.rewards_recorded == 0) return "none recorded";
  std::string words = of(log.rewards_compared, log.rewards_recorded) +
                      " recomputed: " + text::grouped(log.rewards_equal) + " equal, " +
                      text::grouped(log.rewards_compared - log.rewards_equal) + " differ";
  if (!log.not_evaluated.empty()) words += "; not evaluated: " + reasons_words(log.not_evaluated);
  return words;
}

std::string parts_fact(const LogReplay& log) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < replay::kPartCount; ++i) {
    const replay::PartCount& part = log.parts.at(i);
    if (part.compared == 0 && part.other_number == 0) continue;
    std::string words =
        std::string(name_of(static_cast<replay::Part>(i))) + " " + of(part.equal, part.compared);
    if (part.other_number > 0)
      words += " (another number of checks in " + text::counted(part.other_number, "episode") + ")";
    parts.push_back(std::move(words));
  }
  return parts.empty() ? "" : "equal checks: " + text::joined(parts);
}

std::string call_words(const replay::CallDifference& call) {
  return "call " + std::to_string(call.call) + " (message " + std::to_string(call.message) + "), " +
         call.tool + " " + call.arguments;
}

std::vector<std::string> group_lines(const LogReplay& log, const TextStyle& style) {
  std::vector<std::string> lines;
  std::optional<replay::Cause> cause;
  std::size_t shown = 0;
  for (const replay::DifferenceGroup& group : log.groups) {
    if (shown == kGroupsShown && !style.verbose) break;
    ++shown;
    if (group.cause != cause) {
      cause = group.cause;
      lines.emplace_back(
          std::string(cause_words(group.cause)) + ": " +
          text::counted(log.causes.at(static_cast<std::size_t>(group.cause)), "call"));
    }
    std::string head = "  " + text::grouped(group.calls) + "x " + group.tool;
    if (!group.place.empty()) head += " at " + group.place;
    if (!group.known.empty()) head += ", " + group.known;
    head += " in " + text::counted(group.episodes, "episode");
    lines.push_back(std::move(head));
    for (const replay::KnownVersion& version : replay::known_versions()) {
      if (version.id == group.known) lines.push_back("     " + std::string(version.meaning));
    }
    lines.push_back("     first: " + episode_words(group.first_episode) + ", " +
                    call_words(group.first));
    for (const auto& [label, result] : {std::pair("       recorded  ", &group.first.recorded),
                                        std::pair("       replayed  ", &group.first.replayed)}) {
      for (std::string& line : text::hanging_lines(label, *result))
        lines.push_back(std::move(line));
    }
  }
  if (shown < log.groups.size())
    lines.push_back(std::to_string(log.groups.size() - shown) + " more kinds with --verbose");
  return lines;
}

std::string reward_text(const std::optional<double>& reward) {
  return reward ? text::fixed(*reward, *reward == 0 || *reward == 1 ? 0 : 4) : "not evaluated";
}

std::string truth(bool value) { return value ? "met" : "not met"; }

std::vector<std::string> reward_lines(const LogReplay& log, const TextStyle& style) {
  std::vector<std::string> lines;
  if (log.reward_differences.empty()) return lines;
  lines.push_back("rewards or parts that differ: " +
                  text::counted(log.reward_differences.size(), "episode"));
  std::size_t shown = 0;
  for (const replay::RewardDifference& difference : log.reward_differences) {
    if (shown == kRewardsShown && !style.verbose) break;
    ++shown;
    const replay::RewardReplay& reward = difference.reward;
    lines.push_back("  " + episode_words(difference.episode) + ": recorded " +
                    reward_text(reward.recorded) + ", replayed " + reward_text(reward.replayed) +
                    "; " + text::counted(difference.call_differences, "call") +
                    (difference.call_differences == 1 ? " differs" : " differ"));
    std::size_t checks = 0;
    for (const replay::PartCheck& check : reward.checks) {
      if (checks++ == kChecksShown && !style.verbose) {
        lines.push_back("     " + std::to_string(reward.checks.size() - kChecksShown) +
                        " more checks");
        break;
      }
      lines.push_back("     " + std::string(name_of(check.part)) +
                      (check.what.empty() ? "" : " " + check.what) + ": recorded " +
                      truth(check.recorded) + ", replayed " + truth(check.replayed));
    }
    if (!reward.raised.empty()) lines.push_back("     raised: " + reward.raised);
  }
  if (shown < log.reward_differences.size()) {
    lines.push_back(std::to_string(log.reward_differences.size() - shown) + " more with --verbose");
  }
  return lines;
}

std::vector<std::string> log_lines(const LogReplay& log, const TextStyle& style) {
  std::vector<Fact> facts;
  const auto add = [&facts](std::string tag, std::string sentence) {
    if (!sentence.empty()) facts.push_back({std::move(tag), std::move(sentence)});
  };
  add("world", log.domain + (log.solo ? ", solo" : "") + ", from " + log.data_source);
  add("episodes", of(log.replayed, log.episodes) + " replayed, " +
                      text::grouped(log.equal_episodes) + " without a difference");
  add("tasks", tasks_fact(log));
  add("left out", reasons_words(log.not_replayed));
  add("calls", calls_fact(log));
  add("data", data_fact(log));
  add("rewards", rewards_fact(log));
  add("parts", parts_fact(log));
  add("raised", reasons_words(log.raised));
  for (Fact& fact : facts) fact.sentence = text::safe(fact.sentence, !style.unicode);
  std::vector<std::string> lines{
      text::painted(text::safe(log.file, !style.unicode), text::Paint::bold, style)};
  for (std::string& line :
       text::fact_lines(facts, 2, std::min(style.width, kReadingWidth), style)) {
    lines.push_back(std::move(line));
  }
  for (const std::vector<std::string>& block :
       {group_lines(log, style), reward_lines(log, style)}) {
    if (block.empty()) continue;
    lines.emplace_back();
    for (const std::string& line : block) lines.push_back("  " + text::safe(line, !style.unicode));
  }
  return lines;
}

}  // namespace

std::string replay_text(std::span<const LogReplay> logs, const TextStyle& requested) {
  TextStyle style = requested;
  style.width = std::max(style.width, kLeastWidth);
  std::string report;
  for (const LogReplay& log : logs) {
    if (!report.empty()) report += "\n";
    for (const std::string& line : log_lines(log, style)) report.append(line).append("\n");
  }
  return report;
}

}  // namespace unmask
