#include "unmask/report/figure_style.h"

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "figure_data.h"
#include <nlohmann/json.hpp>

#include "unmask/report/text_style.h"

namespace unmask::figure {
namespace {

using Json = nlohmann::json;

const Json& style() {
  static const Json json = Json::parse(data::figures_json);
  return json;
}

Palette read_palette() {
  const Json& colours = style().at("colours");
  Palette palette;
  palette.font = style().at("font");
  palette.mono = style().at("mono");
  palette.paper = colours.at("paper");
  palette.sunken = colours.at("sunken");
  palette.ink = colours.at("ink");
  palette.dim = colours.at("dim");
  palette.line = colours.at("line");
  palette.bad = colours.at("bad");
  palette.good = colours.at("good");
  for (const Json& each : colours.at("tones")) palette.tones.push_back(each);
  for (const Json& each : style().at("provenances")) palette.provenances.push_back(each);
  for (const Json& each : style().at("provenance_tones"))
    palette.provenance_colours.push_back(palette.tones.at(each.get<std::size_t>()));
  return palette;
}

}  // namespace

const Palette& palette() {
  static const Palette read = read_palette();
  return read;
}

const std::string& tone(std::size_t arm) { return palette().tones[arm % palette().tones.size()]; }

std::string words(std::string_view section, std::string_view key) {
  const Json& words = style().at("words").at(std::string(section));
  return words.value(std::string(key), std::string(key));
}

std::string sign(std::string_view verdict) { return style().at("signs").at(std::string(verdict)); }

std::string filled(std::string_view words, std::initializer_list<Blank> blanks) {
  std::string text;
  while (!words.empty()) {
    bool found = false;
    for (const Blank& blank : blanks) {
      const std::string place = "{" + std::string(blank.name) + "}";
      if (!words.starts_with(place)) continue;
      text += blank.value;
      words.remove_prefix(place.size());
      found = true;
      break;
    }
    if (found) continue;
    text += words.front();
    words.remove_prefix(1);
  }
  return text;
}

std::string shortened(std::string_view name, int columns) {
  return text::shown_name(name, columns, TextStyle{});
}

}  // namespace unmask::figure
