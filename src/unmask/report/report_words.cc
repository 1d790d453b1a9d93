#include "unmask/report/report_words.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/episode/log_header.h"
#include "unmask/report/number_text.h"
#include "unmask/report/terminal_text.h"
#include "unmask/report/text_style.h"

namespace unmask::text {

std::string channel_words(std::string_view channel) {
  struct Words {
    std::string_view name, words;
  };
  static constexpr Words kWords[] = {
      {"malformed", "unreadable calls"},
      {"tool_name", "hallucinated tool names"},
      {"arguments", "arguments against the schema"},
      {"entity", "calls about things that do not exist"},
      {"precondition", "refused actions"},
      {"other", "unclassified errors"},
      {"entity_argument", "wrong arguments or entities"},
      {"tool_name_nobody", "tool names that exist for nobody"},
  };
  for (const Words& entry : kWords) {
    if (entry.name == channel) return std::string(entry.words);
  }
  return std::string(channel);
}

std::string channel_label(std::string_view channel) {
  if (channel == "tool_name_nobody") return "not wrong_owner";
  if (channel == "entity_argument") return "args + entity";
  const std::size_t colon = channel.find(':');
  return std::string(colon == std::string_view::npos ? channel : channel.substr(colon + 1));
}

Figure within(Figure figure, double least, double most) {
  if (figure.low) figure.low = std::clamp(*figure.low, least, most);
  if (figure.high) figure.high = std::clamp(*figure.high, least, most);
  return figure;
}

std::string points_interval(const Figure& figure) {
  if (!figure.low || !figure.high) return {};
  const Figure shown = within(figure, -1.0, 1.0);
  return " [" + points(*shown.low) + ", " + points(*shown.high) + "]";
}

std::string shown_sentence(std::string_view sentence, const TextStyle& style) {
  std::string shown;
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    const bool begins = i == 0 || sentence[i - 1] == ' ' || sentence[i - 1] == '(';
    const bool number = i + 1 < sentence.size() && sentence[i + 1] >= '0' && sentence[i + 1] <= '9';
    if (sentence[i] == 'x' && begins && number) {
      shown += glyphs(style).times;
    } else {
      shown += sentence[i];
    }
  }
  return safe(shown, !style.unicode);
}

std::string ratio_text(double value, const TextStyle& style) {
  return std::string(glyphs(style).times) + ratio(value);
}

std::string ratio_with_interval(const Figure& figure, const TextStyle& style) {
  if (!figure.value) return {};
  std::string result = ratio_text(*figure.value, style);
  if (figure.low && figure.high) {
    const int decimals = ratio_decimals(*figure.value);
    result += " [" + fixed(*figure.low, decimals) + ", " + fixed(*figure.high, decimals) + "]";
  }
  return result;
}

std::string from_to_percent(std::optional<double> from, std::optional<double> to,
                            const TextStyle& style) {
  const auto shown = [&](std::optional<double> value) {
    return value ? percent(*value) : std::string(glyphs(style).dash);
  };
  return shown(from) + " " + std::string(glyphs(style).arrow) + " " + shown(to) + " %";
}

std::optional<double> deciding_p(const TestedFigure& figure) {
  return figure.p_adjusted ? figure.p_adjusted : figure.p;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string result;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) result += i + 1 == parts.size() ? " and " : ", ";
    result += parts[i];
  }
  return result;
}

std::string counted(std::uint64_t count, std::string_view singular) {
  std::string result = grouped(count) + " ";
  result.append(singular);
  if (count != 1) result += "s";
  return result;
}

std::string size_words(const ArmFindings& arm, const TextStyle& style) {
  const std::uint64_t trials = arm.episodes + arm.vanished();
  if (arm.tasks == 0 || trials % arm.tasks != 0)
    return counted(arm.tasks, "task") + ", " + counted(arm.episodes, "episode");
  return counted(arm.tasks, "task") + " " + std::string(glyphs(style).times) + " " +
         counted(trials / arm.tasks, "trial");
}

std::string budget_words(const BudgetRegime& budget) {
  const std::string counts = budget.counts == CountedParty::both ? "agent + user" : "agent only";
  if (!budget.enforced) {
    if (!budget.known) return "error budget not known";
    std::string words = "budget never enforced";
    if (budget.nominal)
      words += " (the log's max_errors " + std::to_string(*budget.nominal) + " is dead)";
    return words;
  }
  return "budget K=" + std::to_string(*budget.enforced) +
         (budget.known ? " enforced, " : " assumed, ") + counts;
}

std::string harness_words(const Harness& harness) {
  if (harness.name.empty()) return "harness not known";
  return harness.version.empty() ? harness.name : harness.name + " " + harness.version;
}

std::string cell_title(const CellFindings& cell, const TextStyle& style) {
  std::string title = safe(cell.info.cell, !style.unicode);
  const std::string domain = safe(cell.info.domain, !style.unicode);
  if (title.empty()) return domain.empty() ? "cell" : domain;
  if (!domain.empty() && title.find(domain) == std::string::npos)
    title.append(" ").append(glyphs(style).dot).append(" ").append(domain);
  return title;
}

const ArmFindings* find_arm(const CellFindings& cell, std::string_view name) {
  const auto found =
      std::ranges::find_if(cell.arms, [&](const ArmFindings& arm) { return arm.arm == name; });
  return found == cell.arms.end() ? nullptr : &*found;
}

const ArmFindings* reference_arm(const CellFindings& cell) {
  return find_arm(cell, cell.reference);
}

const ScorePoint* score_at(const ArmFindings& arm, int k) {
  const auto found =
      std::ranges::find_if(arm.score, [&](const ScorePoint& point) { return point.k == k; });
  return found == arm.score.end() ? nullptr : &*found;
}

const AmplificationFindings* worst_channel(const ComparisonFindings& comparison) {
  const AmplificationFindings* worst = nullptr;
  const auto ratio_of = [](const AmplificationFindings& channel) {
    return channel.ratio.value.value_or(std::numeric_limits<double>::infinity());
  };
  const auto errors_of = [](const AmplificationFindings& channel) {
    return std::max(channel.errors_ref, channel.errors_arm);
  };
  for (const AmplificationFindings& channel : comparison.amplification) {
    if (!channel.in_family) continue;
    if (channel.quiet && !channel.amplified && !channel.rising) continue;
    const bool worse =
        worst == nullptr || (channel.amplified && !worst->amplified) ||
        (channel.amplified && ratio_of(channel) > ratio_of(*worst)) ||
        (!channel.amplified && !worst->amplified && errors_of(channel) > errors_of(*worst));
    if (worse) worst = &channel;
  }
  return worst;
}

}  // namespace unmask::text
