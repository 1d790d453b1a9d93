#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace unmask::svg {

struct Point {
  double x = 0.0, y = 0.0;
};

struct Stroke {
  std::string_view colour;
  double width = 1.0;
  std::string_view dash = {};  ///< `3 3`; empty: solid
  double opacity = 1.0;
};

struct Lettering {
  double size = 12.0;
  std::string_view colour = {};  ///< empty: ink
  std::string_view anchor = {};  ///< `middle`, `end`; empty: start
  std::string_view weight = {};  ///< `600`
  bool italic = false;
  bool mono = false;
  bool upwards = false;  ///< turned to read from below
};

/// A sign that stands for an arm or a kind besides its colour.
struct Mark {
  std::size_t shape = 0;  ///< 0 circle, square, triangle, diamond, triangle down, cross; then again
  std::string_view colour;
  double size = 4.5;  ///< half its width
  bool hollow = false;
};

/// An SVG 1.1 file that needs nothing beside it: no style sheet, no script, fonts by name only. Its
/// title and description are its text alternative. Texts may come from logs: they are escaped, and
/// what deceives is made visible.
class Drawing {
 public:
  Drawing(double width, std::string_view title, std::string_view description);

  [[nodiscard]] double width() const { return width_; }

  void line(Point from, Point to, const Stroke& stroke);
  /// Through all points; nothing for fewer than two.
  void path(std::span<const Point> points, const Stroke& stroke);
  /// The area that the points surround.
  void area(std::span<const Point> points, std::string_view colour, double opacity);
  void outline(std::span<const Point> points, const Stroke& stroke);
  void box(Point corner, double width, double height, std::string_view colour);
  /// Centred vertically on `at`.
  void text(Point at, std::string_view words, const Lettering& lettering = {});
  /// `label` is what the sign says to whoever points at it; empty: nothing.
  void mark(Point at, const Mark& mark, std::string_view label);

  /// The file, `height` high.
  [[nodiscard]] std::string finished(double height) const;

 private:
  double width_;
  std::string title_, description_, body_;
};

/// Width of a text in these letters, roughly: fonts differ.
[[nodiscard]] double text_width(std::string_view words, double size);

}  // namespace unmask::svg
