#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

/// How figures look and what they say: figures.json, which the report page reads too, so that both
/// have the same colours, signs and words.
namespace unmask::figure {

struct Palette {
  std::string font, mono;  ///< lists of families, as CSS has them
  std::string paper, sunken, ink, dim, line, bad, good;
  std::vector<std::string> tones;        ///< by arm; [0] is the reference's
  std::vector<std::string> provenances;  ///< kinds of hallucinated names, in the order of signs
  std::vector<std::string> provenance_colours;  ///< one each
};
[[nodiscard]] const Palette& palette();
/// Colour of a cell's i-th arm.
[[nodiscard]] const std::string& tone(std::size_t arm);

/// The words under `section` and `key`, `"score", "axis"`; of what has none, such as a channel that
/// the file does not know, `key` itself.
[[nodiscard]] std::string words(std::string_view section, std::string_view key);
/// The sign of a verdict.
[[nodiscard]] std::string sign(std::string_view verdict);

/// What goes in the place of `{name}`.
struct Blank {
  std::string_view name;
  std::string value;
};
[[nodiscard]] std::string filled(std::string_view words, std::initializer_list<Blank> blanks);

/// `name` from a log, on one line of at most `columns` columns, safe to show.
[[nodiscard]] std::string shortened(std::string_view name, int columns);

}  // namespace unmask::figure
