#include "unmask/simulate/models.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "simulated_models.h"
#include <toml++/toml.h>

#include "unmask/base/check.h"

namespace unmask::simulate {
namespace {

/// A number of ModelTraits by its key, with the values it may have.
struct NumberKey {
  std::string_view key;
  double ModelTraits::* member;
  double least;
  double most;
};

constexpr double kAny = 1e6;
constexpr std::array<NumberKey, 12> kNumbers = {{
    {"ask_margin", &ModelTraits::ask_margin, -kAny, kAny},
    {"call_margin", &ModelTraits::call_margin, -kAny, kAny},
    {"argument_margin", &ModelTraits::argument_margin, -kAny, kAny},
    {"duty_margin", &ModelTraits::duty_margin, -kAny, kAny},
    {"named_pull", &ModelTraits::named_pull, -kAny, kAny},
    {"context_sd", &ModelTraits::context_sd, 0.0, kAny},
    {"duty_sd", &ModelTraits::duty_sd, 0.0, kAny},
    {"task_share", &ModelTraits::task_share, 0.0, 1.0},
    {"temperature", &ModelTraits::temperature, 0.0, kAny},
    {"recovery", &ModelTraits::recovery, 0.0, 1.0},
    {"diagnosed_recovery", &ModelTraits::diagnosed_recovery, 0.0, 1.0},
    {"rule_pull", &ModelTraits::rule_pull, 0.0, kAny},
}};

class Reader {
 public:
  explicit Reader(std::string_view file) : file_(file) {}

  Result<Models> read(std::string_view text) {
    toml::table root;
    try {
      root = toml::parse(text, file_);
    } catch (const toml::parse_error& error) {
      return fail_at(error.source(), std::string(error.description()));
    }
    Models models;
    for (const auto& [key, node] : root) {
      const toml::array* list = node.as_array();
      if ((key != "model" && key != "precision") || list == nullptr) {
        return fail_at(node.source(), "`" + std::string(key.str()) +
                                          "` is not known here; a parameter file has [[model]] and "
                                          "[[precision]] tables");
      }
      for (const toml::node& entry : *list) {
        const toml::table* table = entry.as_table();
        if (table == nullptr) return fail_at(entry.source(), "must be a table");
        const Result<void> read =
            key == "model" ? read_model(*table, models) : read_precision(*table, models);
        if (!read) return tl::unexpected(read.error());
      }
    }
    return models;
  }

 private:
  tl::unexpected<Error> fail_at(const toml::source_region& place, const std::string& what) const {
    return fail(ErrorCode::bad_input,
                file_ + ", line " + std::to_string(place.begin.line) + ": " + what);
  }

  Result<void> text(const toml::node& node, std::string_view key, std::string& out) const {
    const auto* value = node.as_string();
    if (value == nullptr || value->get().empty()) {
      return fail_at(node.source(), "`" + std::string(key) + "` must be a text in quotes");
    }
    out = value->get();
    return {};
  }

  Result<void> number(const toml::node& node, std::string_view key, double least, double most,
                      double& out) const {
    const std::optional<double> value = node.is_number() ? node.value<double>() : std::nullopt;
    if (!value || !(*value >= least && *value <= most)) {
      return fail_at(node.source(), "`" + std::string(key) + "` must be a number" +
                                        (most == 1.0    ? std::string(" from 0 to 1")
                                         : least == 0.0 ? std::string(" of at least 0")
                                                        : std::string()));
    }
    out = *value;
    return {};
  }

  Result<void> read_precision(const toml::table& table, Models& models) const {
    LogitNoise noise;
    for (const auto& [key, node] : table) {
      const Result<void> read = key == "name" ? text(node, key.str(), noise.name)
                                : key == "margin_sd"
                                    ? number(node, key.str(), 0.0, kAny, noise.margin_sd)
                                    : unknown(node, key.str(), "name, margin_sd");
      if (!read) return read;
    }
    if (noise.name.empty()) return fail_at(table.source(), "a precision needs a `name`");
    if (models.find_precision(noise.name) != nullptr) {
      return fail_at(table.source(), "precision `" + noise.name + "` stands twice");
    }
    models.precisions.push_back(std::move(noise));
    return {};
  }

  Result<void> read_model(const toml::table& table, Models& models) const {
    Model model;
    for (const auto& [key, node] : table) {
      const Result<void> read = read_trait(node, key.str(), model);
      if (!read) return read;
    }
    if (model.traits.name.empty()) return fail_at(table.source(), "a model needs a `name`");
    if (models.find_model(model.traits.name) != nullptr) {
      return fail_at(table.source(), "model `" + model.traits.name + "` stands twice");
    }
    models.models.push_back(std::move(model));
    return {};
  }

  Result<void> read_trait(const toml::node& node, std::string_view key, Model& model) const {
    if (key == "name") return text(node, key, model.traits.name);
    if (key == "family") return text(node, key, model.family);
    if (key == "architecture") return text(node, key, model.architecture);
    if (key == "size") return text(node, key, model.size);
    if (key == "invented") return read_invented(node, model.traits.invented);
    for (const NumberKey& known : kNumbers) {
      if (known.key == key) {
        return number(node, key, known.least, known.most, model.traits.*known.member);
      }
    }
    std::string names = "name, family, architecture, size, invented";
    for (const NumberKey& known : kNumbers) names.append(", ").append(known.key);
    return unknown(node, key, names);
  }

  Result<void> read_invented(const toml::node& node, std::vector<Temptation>& invented) const {
    const toml::array* list = node.as_array();
    if (list == nullptr) return fail_at(node.source(), "`invented` must be a list");
    for (const toml::node& entry : *list) {
      const toml::table* table = entry.as_table();
      if (table == nullptr) {
        return fail_at(entry.source(), "a name is written { name = \"...\", pull = -5.0 }");
      }
      Temptation temptation;
      for (const auto& [key, value] : *table) {
        const Result<void> read = key == "name" ? text(value, key.str(), temptation.name)
                                  : key == "pull"
                                      ? number(value, key.str(), -kAny, kAny, temptation.pull)
                                      : unknown(value, key.str(), "name, pull");
        if (!read) return read;
      }
      if (temptation.name.empty())
        return fail_at(table->source(), "an invented name needs a `name`");
      invented.push_back(std::move(temptation));
    }
    return {};
  }

  Result<void> unknown(const toml::node& node, std::string_view key, std::string_view known) const {
    return fail_at(node.source(),
                   "`" + std::string(key) + "` is not known here; known are " + std::string(known));
  }

  std::string file_;
};

}  // namespace

const Model* Models::find_model(std::string_view name) const {
  const auto found = std::find_if(models.begin(), models.end(),
                                  [name](const Model& model) { return model.traits.name == name; });
  return found == models.end() ? nullptr : &*found;
}

const LogitNoise* Models::find_precision(std::string_view name) const {
  const auto found = std::find_if(precisions.begin(), precisions.end(),
                                  [name](const LogitNoise& noise) { return noise.name == name; });
  return found == precisions.end() ? nullptr : &*found;
}

Result<Models> read_models(std::string_view toml, std::string_view file) {
  return Reader(file).read(toml);
}

const Models& own_models() {
  static const Models models = [] {
    Result<Models> read = read_models(data::simulated_models_toml, "simulated_models.toml");
    UNMASK_CHECK(read.has_value());
    return *std::move(read);
  }();
  return models;
}

}  // namespace unmask::simulate
