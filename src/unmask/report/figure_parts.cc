#include "unmask/report/figure_parts.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/report/figure_style.h"
#include "unmask/report/svg_drawing.h"
#include "unmask/report/terminal_text.h"

namespace unmask::figure {
namespace {

std::string plain(std::string_view text) {
  std::string name;
  for (const char c : text.substr(0, 60)) {
    const bool kept = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      c == '.' || c == '_';
    if (kept) {
      name += c;
    } else if (!name.ends_with('-')) {
      name += '-';
    }
  }
  return name;
}

}  // namespace

std::string FileNames::take(std::string_view kind, std::initializer_list<std::string_view> of) {
  std::string base(kind);
  for (const std::string_view part : of) {
    if (!part.empty()) base.append("-").append(plain(part));
  }
  std::string name = base;
  for (int number = 2; std::ranges::find(taken_, name) != taken_.end(); ++number)
    name = base + "-" + std::to_string(number);
  taken_.push_back(name);
  return name + ".svg";
}

double draw_heading(svg::Drawing& drawing, std::string_view title, std::string_view of,
                    std::span<const Entry> legend) {
  constexpr double kLeft = 12.0;
  drawing.text({kLeft, 20.0}, title, {.size = 15.0, .weight = "600"});
  double y = 20.0;
  if (!of.empty()) {
    y += 20.0;
    drawing.text({kLeft, y}, of, {.colour = palette().dim});
  }
  double x = kLeft;
  double row = y + 22.0;
  for (const Entry& entry : legend) {
    const double width = 30.0 + svg::text_width(entry.label, 12.0) + 18.0;
    if (x > kLeft && x + width > drawing.width()) {
      x = kLeft;
      row += 18.0;
    }
    drawing.line({x, row}, {x + 22.0, row}, {.colour = entry.colour, .width = 2.0});
    drawing.mark({x + 11.0, row}, {.shape = entry.shape, .colour = entry.colour, .size = 4.0}, {});
    drawing.text({x + 28.0, row}, entry.label);
    x += width;
    y = row;
  }
  return y + 16.0;
}

double draw_note(svg::Drawing& drawing, double top, std::string_view note) {
  constexpr double kSize = 11.0;
  const auto columns = static_cast<int>((drawing.width() - 24.0) / (0.5 * kSize));
  for (const std::string& line : text::wrapped(note, columns)) {
    top += 15.0;
    drawing.text({12.0, top}, line, {.size = kSize, .colour = palette().dim});
  }
  return top + 14.0;
}

std::vector<const ArmFindings*> drawn_arms(const CellFindings& cell) {
  std::vector<const ArmFindings*> arms;
  arms.reserve(cell.arms.size());
  for (const ArmFindings& arm : cell.arms) arms.push_back(&arm);
  std::ranges::stable_partition(arms, [](const ArmFindings* arm) { return arm->reference; });
  arms.resize(std::min(arms.size(), palette().tones.size()));
  return arms;
}

std::vector<Entry> legend_of(std::span<const ArmFindings* const> arms) {
  std::vector<Entry> entries;
  entries.reserve(arms.size());
  for (std::size_t i = 0; i < arms.size(); ++i)
    entries.push_back(
        {.label = shortened(arms[i]->arm, kNameColumns), .shape = i, .colour = tone(i)});
  return entries;
}

std::string with_interval(const Figure& figure, std::string (*write)(double)) {
  if (!figure.value) return "\u2014";
  std::string text = minus(write(*figure.value));
  if (figure.low && figure.high)
    text += " [" + minus(write(*figure.low)) + ", " + minus(write(*figure.high)) + "]";
  return text;
}

std::string minus(std::string number) {
  if (number.starts_with('-')) number.replace(0, 1, "\u2212");
  return number;
}

}  // namespace unmask::figure
