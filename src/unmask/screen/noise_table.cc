#include "unmask/screen/noise_table.h"

#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "screen_data.h"
#include <toml++/toml.h>

#include "unmask/base/check.h"
#include "unmask/base/error.h"
#include "unmask/screen/margin_screen.h"

namespace unmask::screen {
namespace {

// A fault of a table, to become an Error at the module's edge.
struct TableError {
  std::string sentence;
  toml::source_position at;
};

std::string text_in(const toml::table& entry, std::string_view key) {
  const std::optional<std::string> text = entry[key].value<std::string>();
  if (!text || text->empty()) {
    throw TableError{
        "`" + std::string(key) + "` is missing or no text: give " + std::string(key) + " = \"...\"",
        entry.source().begin};
  }
  return *text;
}

double number_in(const toml::table& entry, std::string_view key, std::optional<double> otherwise) {
  const toml::node* node = entry.get(key);
  if (node == nullptr && otherwise) return *otherwise;
  const std::optional<double> value = node == nullptr ? std::nullopt : node->value<double>();
  if (!value || !std::isfinite(*value)) {
    throw TableError{"`" + std::string(key) + "` is missing or no number: give it in nats",
                     node == nullptr ? entry.source().begin : node->source().begin};
  }
  return *value;
}

MarginNoise noise_of(const toml::table& entry) {
  for (const auto& [key, node] : entry) {
    const std::string_view name = key.str();
    if (name == "method" || name == "sigma" || name == "bias" || name == "measured_in") continue;
    throw TableError{
        "`" + std::string(name) + "` is not known here: use method, sigma, bias and measured_in",
        key.source().begin};
  }
  MarginNoise noise{.label = text_in(entry, "method"),
                    .sigma = number_in(entry, "sigma", std::nullopt),
                    .bias = number_in(entry, "bias", 0.0),
                    .measured_in = text_in(entry, "measured_in")};
  if (!(noise.sigma > 0.0)) {
    throw TableError{"`sigma` must be above 0", entry.source().begin};
  }
  return noise;
}

std::vector<MarginNoise> read_table(const toml::table& root) {
  std::vector<MarginNoise> noises;
  for (const auto& [key, node] : root) {
    const toml::array* list = node.as_array();
    if (key.str() != "noise" || list == nullptr) {
      throw TableError{"`" + std::string(key.str()) + "` is not known here: use [[noise]]",
                       key.source().begin};
    }
    for (const toml::node& item : *list) {
      if (item.as_table() == nullptr) {
        throw TableError{"an entry must be a table: use [[noise]]", item.source().begin};
      }
      noises.push_back(noise_of(*item.as_table()));
    }
  }
  return noises;
}

std::string located(std::string_view source, const toml::source_position& at,
                    std::string_view sentence) {
  std::string text(source);
  if (at.line > 0) text += ", line " + std::to_string(at.line);
  return text + ": " + std::string(sentence);
}

}  // namespace

Result<std::vector<MarginNoise>> parse_noise_table(std::string_view text, std::string_view source) {
  try {
    return read_table(toml::parse(text, source));
  } catch (const toml::parse_error& error) {
    return fail(ErrorCode::bad_input,
                located(source, error.source().begin,
                        "not TOML: " + std::string(error.description()) + "; correct this line"));
  } catch (const TableError& error) {
    return fail(ErrorCode::bad_input, located(source, error.at, error.sentence));
  }
}

const std::vector<MarginNoise>& measured_noise() {
  static const std::vector<MarginNoise> noises = [] {
    Result<std::vector<MarginNoise>> table =
        parse_noise_table(screen_data::noise_toml, "noise.toml");
    UNMASK_CHECK(table.has_value());
    return std::move(*table);
  }();
  return noises;
}

}  // namespace unmask::screen
