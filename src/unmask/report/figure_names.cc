#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/report/figure_parts.h"
#include "unmask/report/figure_style.h"
#include "unmask/report/number_text.h"
#include "unmask/report/report_words.h"
#include "unmask/report/svg_drawing.h"
#include "unmask/report/svg_scale.h"
#include "unmask/report/text_style.h"

namespace unmask::figure {
namespace {

using svg::Scale;

struct Name {
  std::string name, provenance;
  std::uint64_t ref = 0, arm = 0;
};

// As often as in either arm; those with the most errors first.
std::vector<Name> names_of(const ArmFindings& reference, const ArmFindings& arm) {
  std::map<std::pair<std::string, std::string>, Name> all;
  const auto entry = [&](const NameCount& found) -> Name& {
    Name& name = all[{found.name, found.provenance}];
    name.name = found.name;
    name.provenance = found.provenance;
    return name;
  };
  for (const NameCount& found : reference.hallucinated) entry(found).ref += found.count;
  for (const NameCount& found : arm.hallucinated) entry(found).arm += found.count;
  std::vector<Name> names;
  names.reserve(all.size());
  for (auto& [key, name] : all) names.push_back(std::move(name));
  std::ranges::stable_sort(names, [](const Name& one, const Name& other) {
    return one.ref + one.arm > other.ref + other.arm;
  });
  return names;
}

std::size_t sign_of(const Name& name) {
  const auto& all = palette().provenances;
  const auto found = std::ranges::find(all, name.provenance);
  return found == all.end() ? 0 : static_cast<std::size_t>(found - all.begin());
}

std::string sentence(const std::vector<Name>& names) {
  std::uint64_t novel = 0, novel_errors = 0, errors = 0;
  for (const Name& name : names) {
    errors += name.arm;
    if (name.ref > 0 || name.arm == 0) continue;
    ++novel;
    novel_errors += name.arm;
  }
  return filled(words("names", "text"),
                {{"names", text::grouped(names.size())},
                 {"novel", text::grouped(novel)},
                 {"share", errors == 0 ? "\u2014"
                                       : text::percent(static_cast<double>(novel_errors) /
                                                       static_cast<double>(errors))}});
}

constexpr double kWide = 560.0;
constexpr double kLeft = 50.0;
constexpr double kSide = kWide - kLeft - 16.0;
constexpr double kZero = 0.45;   // where a count of 0 stands, which has no logarithm
constexpr double kBroken = 0.7;  // where the axis is broken for it
constexpr std::size_t kMostDrawn = 2000;

// The names of the points with the most errors, where there is room.
void draw_labels(svg::Drawing& drawing, const std::vector<Name>& names, const Scale& x,
                 const Scale& y) {
  constexpr double kSize = 11.0;
  struct Taken {
    double x, y, width;
  };
  std::vector<Taken> taken;
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 9); ++i) {
    const std::string label = shortened(names[i].name, 26);
    const double width = 1.14 * svg::text_width(label, kSize);
    const double px = x(static_cast<double>(names[i].ref));
    const double py = y(static_cast<double>(names[i].arm));
    const bool fits = px - width - 10.0 > kLeft;
    const bool to_left = px + width + 10.0 > kLeft + kSide || (names[i].arm > names[i].ref && fits);
    const Taken here{.x = to_left ? px - 9.0 - width : px + 9.0, .y = py, .width = width};
    const bool covered = std::ranges::any_of(taken, [&](const Taken& other) {
      return std::abs(other.y - here.y) < 13.0 && here.x < other.x + other.width &&
             other.x < here.x + here.width;
    });
    if (here.x < kLeft || covered) continue;
    taken.push_back(here);
    drawing.text({to_left ? px - 9.0 : px + 9.0, py}, label,
                 {.size = kSize, .anchor = to_left ? "end" : "start", .mono = true});
  }
}

}  // namespace

std::optional<std::string> failure_set_figure(const CellFindings& cell,
                                              const ComparisonFindings& comparison) {
  const ArmFindings* reference = text::reference_arm(cell);
  const ArmFindings* arm = text::find_arm(cell, comparison.arm);
  if (reference == nullptr || arm == nullptr) return std::nullopt;
  const std::vector<Name> names = names_of(*reference, *arm);
  if (names.empty()) return std::nullopt;

  std::uint64_t most = 10;
  std::vector<bool> seen(palette().provenances.size(), false);
  for (const Name& name : names) {
    most = std::max({most, name.ref, name.arm});
    seen[sign_of(name)] = true;
  }
  std::vector<Entry> legend;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (!seen[i]) continue;
    legend.push_back({.label = words("kind", palette().provenances[i]),
                      .shape = i,
                      .colour = palette().provenance_colours[i]});
  }
  const std::string title = words("names", "title");
  const std::string of =
      text::cell_title(cell, TextStyle{}) + " \u00b7 " + words("channel", "tool_name");
  svg::Drawing drawing(kWide, title + " \u00b7 " + of, sentence(names));
  const double top = draw_heading(drawing, title, of, legend);
  const double bottom = top + kSide;
  const double largest = 1.4 * static_cast<double>(most);
  const Scale x{.kind = Scale::Kind::log,
                .from = kZero,
                .to = largest,
                .start = kLeft + 8.0,
                .end = kLeft + kSide};
  const Scale y{
      .kind = Scale::Kind::log, .from = kZero, .to = largest, .start = bottom - 8.0, .end = top};
  const auto tick = [&](double value, const std::string& label) {
    drawing.text({x(value), bottom + 14.0}, label, {.colour = palette().dim, .anchor = "middle"});
    drawing.text({kLeft - 7.0, y(value)}, label, {.colour = palette().dim, .anchor = "end"});
  };
  tick(kZero, "0");
  for (std::uint64_t value = 1; static_cast<double>(value) <= largest; value *= 10) {
    const auto at = static_cast<double>(value);
    drawing.line({x(at), top}, {x(at), bottom}, {.colour = palette().line});
    drawing.line({kLeft, y(at)}, {kLeft + kSide, y(at)}, {.colour = palette().line});
    tick(at, text::grouped(value));
  }
  const svg::Stroke broken{.colour = palette().dim, .dash = "1 4"};
  drawing.line({x(kBroken), top}, {x(kBroken), bottom}, broken);
  drawing.line({kLeft, y(kBroken)}, {kLeft + kSide, y(kBroken)}, broken);
  drawing.line({x(kBroken), y(kBroken)}, {x(largest), y(largest)}, {.colour = palette().dim});
  const auto axis = [](const ArmFindings& counted) {
    return filled(words("names", "count_in"), {{"arm", shortened(counted.arm, kNameColumns)}});
  };
  drawing.text({kLeft + kSide / 2.0, bottom + 32.0}, axis(*reference),
               {.colour = palette().dim, .anchor = "middle"});
  drawing.text({12.0, top + kSide / 2.0}, axis(*arm),
               {.colour = palette().dim, .anchor = "middle", .upwards = true});
  for (std::size_t i = 0; i < std::min(names.size(), kMostDrawn); ++i) {
    const std::size_t sign = sign_of(names[i]);
    drawing.mark(
        {x(static_cast<double>(names[i].ref)), y(static_cast<double>(names[i].arm))},
        {.shape = sign, .colour = palette().provenance_colours[sign], .hollow = names[i].ref == 0},
        shortened(names[i].name, 60) + ": " + std::to_string(names[i].ref) + " \u2192 " +
            std::to_string(names[i].arm));
  }
  draw_labels(drawing, names, x, y);
  return drawing.finished(draw_note(drawing, bottom + 38.0, sentence(names)));
}

}  // namespace unmask::figure
