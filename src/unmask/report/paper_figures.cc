#include "unmask/report/paper_figures.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "unmask/audit/findings.h"
#include "unmask/report/number_text.h"
#include "unmask/report/text_style.h"
#include "unmask/report/text_table.h"

namespace unmask {
namespace {

constexpr std::string_view kNames = "tool_name";
/// The paper's budgets: where the score is flat and where it is not.
constexpr int kWide = 10;
constexpr int kNarrow = 2;

template <typename Rows, typename Name>
auto find(const Rows& rows, const Name& name_of, std::string_view name) -> const
    typename Rows::value_type* {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return name_of(row) == name; });
  return found == rows.end() ? nullptr : &*found;
}

const CellFindings* cell_of(const AuditFindings& findings, std::string_view name) {
  return find(
      findings.cells, [](const CellFindings& cell) { return std::string_view(cell.info.cell); },
      name);
}

const ArmFindings* arm_of(const CellFindings& cell, std::string_view name) {
  return find(cell.arms, [](const ArmFindings& arm) { return std::string_view(arm.arm); }, name);
}

std::optional<double> in_points(const std::optional<double>& fraction) {
  return fraction ? std::optional(100.0 * *fraction) : std::nullopt;
}

class Figures {
 public:
  void add(std::string name, std::string unit, double paper, std::optional<double> simulated,
           FigureRole role = FigureRole::prediction, std::string paper_text = "") {
    figures_.push_back(
        {std::move(name), std::move(unit), paper, std::move(paper_text), simulated, role});
  }
  std::vector<PaperFigure> take() { return std::move(figures_); }

 private:
  std::vector<PaperFigure> figures_;
};

std::optional<double> errors_of(const ArmFindings& arm) {
  const ChannelFindings* channel = arm.channel(kNames);
  return channel == nullptr ? std::nullopt : std::optional(static_cast<double>(channel->errors));
}

std::optional<double> share_of(const ArmFindings& arm) {
  const ChannelFindings* channel = arm.channel(kNames);
  return channel == nullptr ? std::nullopt : in_points(channel->per_call.value);
}

std::optional<double> score_of(const ArmFindings& arm, int k) {
  const auto point =
      std::ranges::find_if(arm.score, [k](const ScorePoint& each) { return each.k == k; });
  return point == arm.score.end() ? std::nullopt : in_points(point->score.value);
}

void add_damaged_cell(const CellFindings& cell, const PaperCells& names, Figures& figures) {
  const ArmFindings* reference = arm_of(cell, cell.reference);
  const ArmFindings* cheap = arm_of(cell, names.cheap);
  const ComparisonFindings* compared = find(
      cell.comparisons, [](const ComparisonFindings& each) { return std::string_view(each.arm); },
      names.cheap);
  if (reference == nullptr || cheap == nullptr || compared == nullptr) return;
  figures.add("hallucinated calls, BF16", "calls", 649, errors_of(*reference), FigureRole::fitted);
  figures.add("hallucinated calls, INT4", "calls", 1646, errors_of(*cheap), FigureRole::fitted);
  const AmplificationFindings* louder = compared->channel(kNames);
  figures.add("amplification an episode", "x", 2.5,
              louder == nullptr ? std::nullopt : louder->ratio.value, FigureRole::fitted);
  figures.add("hallucinated share of calls, BF16", "%", 19.5, share_of(*reference));
  figures.add("hallucinated share of calls, INT4", "%", 38.3, share_of(*cheap));
  figures.add("score at K = 10, BF16", "%", 66.7, score_of(*reference, kWide), FigureRole::fitted);
  figures.add("score at K = 10, INT4", "%", 65.4, score_of(*cheap, kWide), FigureRole::assumed);
  for (const auto& [k, gap] : {std::pair(kWide, 1.3), std::pair(kNarrow, 16.7)}) {
    const GapPoint* point = compared->gap_at(k);
    figures.add("gap at K = " + std::to_string(k), "points", gap,
                point == nullptr ? std::nullopt : in_points(point->gap.figure.value),
                k == kWide ? FigureRole::assumed : FigureRole::prediction);
  }
  const FailureSetFindings* names_set = find(
      compared->failure_sets,
      [](const FailureSetFindings& each) { return std::string_view(each.channel); }, kNames);
  if (names_set != nullptr) {
    figures.add("rank correlation of names", "", 0.97, names_set->spearman, FigureRole::prediction,
                ">= 0.97");
    figures.add("novel share of names", "%", 0.18, in_points(names_set->novel_share));
  }
  figures.add("recovery, BF16", "%", 55.0, in_points(reference->recovery.next_call.share.value));
  figures.add("recovery, INT4", "%", 55.0, in_points(cheap->recovery.next_call.share.value));
  if (const ArmFindings* repaired = arm_of(cell, names.repaired)) {
    figures.add("score at K = 10, INT4 repaired", "%", 71.3, score_of(*repaired, kWide));
  }
}

void add_clean_cell(const CellFindings& cell, const PaperCells& names, Figures& figures) {
  const ArmFindings* cheap = arm_of(cell, names.cheap);
  const ArmFindings* repaired = arm_of(cell, names.repaired);
  if (cheap == nullptr || repaired == nullptr) return;
  const std::optional<double> before = score_of(*cheap, kWide);
  const std::optional<double> after = score_of(*repaired, kWide);
  figures.add("what repair wins where there is no leak", "points", 0.0,
              before && after ? std::optional(*after - *before) : std::nullopt, FigureRole::assumed,
              "none or slight harm");
}

std::string_view name_of(FigureRole role) {
  switch (role) {
    case FigureRole::fitted:
      return "fitted";
    case FigureRole::assumed:
      return "assumed";
    case FigureRole::prediction:
      return "prediction";
  }
  return "";
}

std::string shown(double value, std::string_view unit) {
  if (unit == "calls") return text::grouped(static_cast<std::uint64_t>(std::max(value, 0.0)));
  if (unit == "x" || unit.empty()) return text::fixed(value, 2);
  return text::fixed(value, value != 0.0 && value < 1.0 && value > -1.0 ? 2 : 1);
}

}  // namespace

std::vector<PaperFigure> paper_figures(const AuditFindings& findings, const PaperCells& cells) {
  Figures figures;
  if (const CellFindings* damaged = cell_of(findings, cells.damaged)) {
    add_damaged_cell(*damaged, cells, figures);
  }
  if (const CellFindings* clean = cell_of(findings, cells.clean)) {
    add_clean_cell(*clean, cells, figures);
  }
  if (findings.study.reason.empty()) {
    figures.add("score changes that survive the correction", "", 0.0,
                static_cast<double>(findings.study.gaps_surviving));
  }
  return figures.take();
}

std::string paper_figures_text(const std::vector<PaperFigure>& figures, const TextStyle& style) {
  text::TextTable table;
  table.columns = {{"figure"},
                   {"unit"},
                   {"paper", text::Align::right},
                   {"simulated", text::Align::right},
                   {"off by", text::Align::right},
                   {"came about as"}};
  for (const PaperFigure& figure : figures) {
    const std::string dash(text::glyphs(style).dash);
    table.rows.push_back(
        {{figure.name},
         {figure.unit},
         {figure.paper_text.empty() ? shown(figure.paper, figure.unit) : figure.paper_text},
         {figure.simulated ? shown(*figure.simulated, figure.unit) : dash},
         {figure.simulated ? (*figure.simulated >= figure.paper ? "+" : "-") +
                                 shown(std::abs(*figure.simulated - figure.paper), figure.unit)
                           : dash},
         {std::string(name_of(figure.role))}});
  }
  std::string all;
  for (const std::string& line : text::table_lines(table, style.width, style)) all += line + "\n";
  return all;
}

std::string paper_figures_json(const std::vector<PaperFigure>& figures) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const PaperFigure& figure : figures) {
    list.push_back({{"name", figure.name},
                    {"unit", figure.unit},
                    {"paper", figure.paper},
                    {"paper_text", figure.paper_text},
                    {"simulated", figure.simulated ? nlohmann::ordered_json(*figure.simulated)
                                                   : nlohmann::ordered_json(nullptr)},
                    {"role", name_of(figure.role)}});
  }
  return list.dump();
}

}  // namespace unmask
