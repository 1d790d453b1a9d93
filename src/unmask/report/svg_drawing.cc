#include "unmask/report/svg_drawing.h"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "unmask/report/character_width.h"
#include "unmask/report/figure_style.h"
#include "unmask/report/number_text.h"
#include "unmask/report/page_static.h"

namespace unmask::svg {
namespace {

// A hundredth of a unit is finer than any screen, and coarse enough to hide how compilers round.
std::string number(double value) {
  std::string text = text::fixed(value, 2);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + std::string(value) + "\"";
}

std::string place(Point at) { return number(at.x) + "," + number(at.y); }

std::string through(std::span<const Point> points) {
  std::string data;
  for (const Point& point : points) data += (data.empty() ? "M" : "L") + place(point);
  return data;
}

std::string stroked(const Stroke& stroke) {
  std::string text = attribute("stroke", stroke.colour);
  if (stroke.width != 1.0) text += attribute("stroke-width", number(stroke.width));
  if (!stroke.dash.empty()) text += attribute("stroke-dasharray", stroke.dash);
  if (stroke.opacity != 1.0) text += attribute("opacity", number(stroke.opacity));
  return text;
}

// U+FFFE and U+FFFF are characters that XML can't hold, escaped or not.
std::string xml_escaped(std::string_view text) {
  std::string xml = html_escaped(text);
  for (const std::string_view none : {"\xef\xbf\xbe", "\xef\xbf\xbf"}) {
    for (std::size_t at = xml.find(none); at != std::string::npos; at = xml.find(none, at))
      xml.replace(at, none.size(), "\xef\xbf\xbd");
  }
  return xml;
}

std::string shape_data(std::size_t shape, double s) {
  const auto corner = [&](double x, double y) { return place({.x = x * s, .y = y * s}); };
  switch (shape % 6) {
    case 0: {
      const std::string arc = "a" + number(s) + "," + number(s) + " 0 1,0 ";
      return "M" + corner(-1, 0) + arc + corner(2, 0) + arc + corner(-2, 0) + "Z";
    }
    case 1:
      return "M" + corner(-1, -1) + "L" + corner(1, -1) + "L" + corner(1, 1) + "L" + corner(-1, 1) +
             "Z";
    case 2:
      return "M" + corner(0, -1.3) + "L" + corner(1.2, 1) + "L" + corner(-1.2, 1) + "Z";
    case 3:
      return "M" + corner(0, -1.4) + "L" + corner(1.4, 0) + "L" + corner(0, 1.4) + "L" +
             corner(-1.4, 0) + "Z";
    case 4:
      return "M" + corner(0, 1.3) + "L" + corner(1.2, -1) + "L" + corner(-1.2, -1) + "Z";
    default:
      return "M" + corner(-1, -1) + "L" + corner(1, 1) + "M" + corner(-1, 1) + "L" + corner(1, -1);
  }
}

}  // namespace

Drawing::Drawing(double width, std::string_view title, std::string_view description)
    : width_(width), title_(xml_escaped(title)), description_(xml_escaped(description)) {}

void Drawing::line(Point from, Point to, const Stroke& stroke) {
  body_ += "<line" + attribute("x1", number(from.x)) + attribute("y1", number(from.y)) +
           attribute("x2", number(to.x)) + attribute("y2", number(to.y)) + stroked(stroke) + "/>\n";
}

void Drawing::path(std::span<const Point> points, const Stroke& stroke) {
  if (points.size() < 2) return;
  body_ += "<path" + attribute("d", through(points)) + attribute("fill", "none") +
           attribute("stroke-linejoin", "round") + stroked(stroke) + "/>\n";
}

void Drawing::area(std::span<const Point> points, std::string_view colour, double opacity) {
  if (points.empty()) return;
  body_ += "<path" + attribute("d", through(points) + "Z") + attribute("fill", colour) +
           attribute("opacity", number(opacity)) + "/>\n";
}

void Drawing::outline(std::span<const Point> points, const Stroke& stroke) {
  if (points.empty()) return;
  body_ += "<path" + attribute("d", through(points) + "Z") + attribute("fill", "none") +
           stroked(stroke) + "/>\n";
}

void Drawing::box(Point corner, double width, double height, std::string_view colour) {
  body_ += "<rect" + attribute("x", number(corner.x)) + attribute("y", number(corner.y)) +
           attribute("width", number(width)) + attribute("height", number(height)) +
           attribute("fill", colour) + "/>\n";
}

void Drawing::text(Point at, std::string_view words, const Lettering& lettering) {
  // From the middle of a line to its baseline: not every program knows dominant-baseline.
  const double down = 0.34 * lettering.size;
  body_ += "<text";
  if (lettering.upwards) {
    body_ += attribute("transform",
                       "translate(" + number(at.x + down) + "," + number(at.y) + ") rotate(-90)");
  } else {
    body_ += attribute("x", number(at.x)) + attribute("y", number(at.y + down));
  }
  if (lettering.size != Lettering{}.size) body_ += attribute("font-size", number(lettering.size));
  if (!lettering.colour.empty()) body_ += attribute("fill", lettering.colour);
  if (!lettering.anchor.empty()) body_ += attribute("text-anchor", lettering.anchor);
  if (!lettering.weight.empty()) body_ += attribute("font-weight", lettering.weight);
  if (lettering.italic) body_ += attribute("font-style", "italic");
  if (lettering.mono) body_ += attribute("font-family", figure::palette().mono);
  body_ += ">" + xml_escaped(words) + "</text>\n";
}

void Drawing::mark(Point at, const Mark& mark, std::string_view label) {
  body_ +=
      "<path" + attribute("d", shape_data(mark.shape, mark.size)) +
      attribute("transform", "translate(" + place(at) + ")") +
      attribute("fill", mark.hollow ? std::string_view(figure::palette().paper) : mark.colour) +
      stroked({.colour = mark.colour, .width = 1.5});
  body_ += label.empty() ? "/>\n" : "><title>" + xml_escaped(label) + "</title></path>\n";
}

std::string Drawing::finished(double height) const {
  const figure::Palette& palette = figure::palette();
  return "<svg xmlns=\"http://www.w3.org/2000/svg\"" +
         attribute("viewBox", "0 0 " + number(width_) + " " + number(height)) +
         attribute("width", number(width_)) + attribute("height", number(height)) +
         " role=\"img\" aria-labelledby=\"title description\"" +
         attribute("font-family", palette.font) + attribute("font-size", number(Lettering{}.size)) +
         attribute("fill", palette.ink) + ">\n<title id=\"title\">" + title_ +
         "</title>\n<desc id=\"description\">" + description_ +
         "</desc>\n<rect width=\"100%\" height=\"100%\"" + attribute("fill", palette.paper) +
         "/>\n" + body_ + "</svg>\n";
}

double text_width(std::string_view words, double size) {
  return 0.54 * size * text::display_width(words);
}

}  // namespace unmask::svg
