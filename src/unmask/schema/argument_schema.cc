#include "unmask/schema/argument_schema.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <boost/regex.hpp>
#include <nlohmann/json.hpp>

#include "unmask/base/error.h"
#include "unmask/base/utf8.h"

namespace unmask {

namespace {

using nlohmann::json;

// Schemas and arguments come from logs. These bounds stop what a hostile one could make expensive:
// recursion through $ref, branching by anyOf, backtracking by pattern. Past a bound a value counts
// as valid.
constexpr int kMaxDepth = 200;
constexpr int kMaxSteps = 200'000;
constexpr std::size_t kMaxPatternBytes = 1000;
constexpr std::size_t kMaxMatchedBytes = 4000;
constexpr std::size_t kShownBytes = 60;

std::string escaped_pointer_token(std::string_view token) {
  std::string escaped;
  for (const char c : token) {
    if (c == '~') {
      escaped += "~0";
    } else if (c == '/') {
      escaped += "~1";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string shown(const json& value) {
  std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  if (text.size() > kShownBytes) text = text.substr(0, kShownBytes) + "...";
  return text;
}

std::string_view type_name(const json& value) {
  switch (value.type()) {
    case json::value_t::null:
      return "null";
    case json::value_t::boolean:
      return "boolean";
    case json::value_t::number_integer:
    case json::value_t::number_unsigned:
      return "integer";
    case json::value_t::number_float:
      return "number";
    case json::value_t::string:
      return "string";
    case json::value_t::array:
      return "array";
    case json::value_t::object:
      return "object";
    case json::value_t::binary:
    case json::value_t::discarded:
      break;
  }
  return "nothing";
}

bool is_integral(const json& value) {
  if (value.is_number_integer()) return true;
  if (!value.is_number_float()) return false;
  const double number = value.get<double>();
  return std::isfinite(number) && std::trunc(number) == number;
}

/// A word that is no JSON type restricts nothing: tool definitions in the wild say `any`.
bool has_type(const json& value, std::string_view type) {
  if (type == "string") return value.is_string();
  if (type == "integer") return is_integral(value);
  if (type == "number") return value.is_number();
  if (type == "boolean") return value.is_boolean();
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "null") return value.is_null();
  return true;
}

std::size_t code_points(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

const json* member(const json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

std::optional<double> number_of(const json& schema, const char* key) {
  const json* value = member(schema, key);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->get<double>();
}

std::string percent_decoded(std::string_view text) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  };
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 &&
        digit(text[i + 2]) >= 0) {
      decoded += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

bool is_escaped_surrogate(std::string_view text, std::string_view second_digits) {
  return text.size() >= 6 && text[0] == '\\' && text[1] == 'u' &&
         (text[2] == 'd' || text[2] == 'D') &&
         second_digits.find(text[3]) != std::string_view::npos;
}

/// Length of the number at the start of `text`.
std::size_t number_length(std::string_view text) {
  return std::min(text.find_first_not_of("0123456789+-.eE"), text.size());
}

bool overflows(std::string_view number) {
  double value = 0.0;
  const auto result = std::from_chars(number.data(), number.data() + number.size(), value);
  return result.ec == std::errc::result_out_of_range && number.find("e-") == std::string_view::npos;
}

/// `text` with what models write and Python's reader takes, but ours refuses, replaced: lone
/// escaped surrogates and bytes that are no UTF-8 by U+FFFD, numbers beyond a double by 1e308. None
/// of that changes which schema the value fits.
std::string tolerated(std::string_view text) {
  std::string clean;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    std::size_t taken = 1;
    if (!in_string) {
      in_string = rest[0] == '"';
      const bool digit = rest[0] >= '0' && rest[0] <= '9';
      if (digit) taken = number_length(rest);
      clean += digit && overflows(rest.substr(0, taken)) ? "1e308" : rest.substr(0, taken);
    } else if (is_escaped_surrogate(rest, "89abAB") &&
               is_escaped_surrogate(rest.substr(6), "cdefCDEF")) {
      taken = 12;
      clean += rest.substr(0, taken);
    } else if (is_escaped_surrogate(rest, "89abAB") || is_escaped_surrogate(rest, "cdefCDEF")) {
      taken = 6;
      clean += "\\ufffd";
    } else if (rest[0] == '\\' && rest.size() > 1) {
      taken = 2;
      clean += rest.substr(0, taken);
    } else if (const std::size_t length = utf8_length(rest); length > 0) {
      in_string = rest[0] != '"';
      taken = length;
      clean += rest.substr(0, taken);
    } else {
      clean += "\xEF\xBF\xBD";
    }
    i += taken;
  }
  return clean;
}

json parsed(std::string_view text) {
  json value = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded()) {
    value = json::parse(tolerated(text), nullptr, /*allow_exceptions=*/false);
  }
  return value;
}

using Patterns = std::map<std::string, std::optional<boost::regex>, std::less<>>;

/// Compiles every `pattern` of the schema once. One that can't be compiled restricts nothing.
void collect_patterns(const json& schema, Patterns& patterns, int depth) {
  if (depth > kMaxDepth || !schema.is_structured()) return;
  if (schema.is_object()) {
    if (const json* pattern = member(schema, "pattern");
        pattern != nullptr && pattern->is_string()) {
      const auto& text = pattern->get_ref<const std::string&>();
      std::optional<boost::regex> compiled;
      if (text.size() <= kMaxPatternBytes) {
        try {
          compiled.emplace(text, boost::regex::ECMAScript);
        } catch (const std::exception&) {
          compiled.reset();
        }
      }
      patterns.emplace(text, std::move(compiled));
    }
  }
  for (const json& child : schema) collect_patterns(child, patterns, depth + 1);
}

class Checker {
 public:
  Checker(const json& root, const Patterns& patterns) : root_(root), patterns_(patterns) {}

  std::vector<Violation> run(const json& value) {
    std::vector<Violation> found;
    check(root_, value, "", 0, found);
    if (found.size() > ArgumentSchema::kMaxViolations) found.resize(ArgumentSchema::kMaxViolations);
    return found;
  }

 private:
  void check(const json& schema, const json& value, const std::string& at, int depth,
             std::vector<Violation>& found) {
    if (depth > kMaxDepth || ++steps_ > kMaxSteps) return;
    if (schema.is_boolean()) {
      if (!schema.get<bool>()) {
        found.push_back({ViolationKind::unexpected, at, "no value is allowed here"});
      }
      return;
    }
    if (!schema.is_object()) return;
    if (const json* reference = member(schema, "$ref");
        reference != nullptr && reference->is_string()) {
      if (const json* target = resolved(reference->get_ref<const std::string&>())) {
        check(*target, value, at, depth + 1, found);
      }
    }
    if (!check_type(schema, value, at, found)) return;
    check_listed(schema, value, at, found);
    if (value.is_number()) check_number(schema, value, at, found);
    if (value.is_string()) check_string(schema, value, at, found);
    if (value.is_array()) check_array(schema, value, at, depth, found);
    if (value.is_object()) check_object(schema, value, at, depth, found);
    check_combinations(schema, value, at, depth, found);
  }

  [[nodiscard]] const json* resolved(const std::string& reference) const {
    if (reference.empty() || reference[0] != '#') return nullptr;
    try {
      return &root_.at(json::json_pointer(percent_decoded(std::string_view(reference).substr(1))));
    } catch (const json::exception&) {
      return nullptr;
    }
  }

  static bool check_type(const json& schema, const json& value, const std::string& at,
                         std::vector<Violation>& found) {
    const json* type = member(schema, "type");
    if (type == nullptr) return true;
    std::string wanted;
    const auto fits = [&](const json& name) {
      if (!name.is_string()) return true;
      wanted += (wanted.empty() ? "" : " or ") + name.get_ref<const std::string&>();
      return has_type(value, name.get_ref<const std::string&>());
    };
    const bool ok =
        type->is_array() ? type->empty() || std::ranges::any_of(*type, fits) : fits(*type);
    // OpenAPI 3.0, which some tool servers still write.
    const json* nullable = member(schema, "nullable");
    if (ok || (value.is_null() && nullable != nullptr && *nullable == true)) return true;
    found.push_back({ViolationKind::wrong_type, at,
                     "expected " + wanted + ", got " + std::string(type_name(value))});
    return false;
  }

  static void check_listed(const json& schema, const json& value, const std::string& at,
                           std::vector<Violation>& found) {
    if (const json* allowed = member(schema, "enum"); allowed != nullptr && allowed->is_array()) {
      if (std::ranges::find(*allowed, value) == allowed->end()) {
        found.push_back(
            {ViolationKind::bad_enum, at, shown(value) + " is not one of " + shown(*allowed)});
      }
    }
    if (const json* constant = member(schema, "const"); constant != nullptr && *constant != value) {
      found.push_back({ViolationKind::bad_enum, at, shown(value) + " is not " + shown(*constant)});
    }
  }

  static void check_number(const json& schema, const json& value, const std::string& at,
                           std::vector<Violation>& found) {
    const double number = value.get<double>();
    const auto refuse = [&](const char* sentence, double bound) {
      found.push_back({ViolationKind::bad_value, at, shown(value) + sentence + shown(bound)});
    };
    const json* open_below = member(schema, "exclusiveMinimum");
    const json* open_above = member(schema, "exclusiveMaximum");
    const bool draft4_below = open_below != nullptr && *open_below == true;
    const bool draft4_above = open_above != nullptr && *open_above == true;
    if (const auto bound = number_of(schema, "minimum");
        bound && (draft4_below ? number <= *bound : number < *bound)) {
      refuse(" is below the minimum ", *bound);
    }
    if (const auto bound = number_of(schema, "maximum");
        bound && (draft4_above ? number >= *bound : number > *bound)) {
      refuse(" is above the maximum ", *bound);
    }
    if (const auto bound = number_of(schema, "exclusiveMinimum"); bound && number <= *bound) {
      refuse(" is not above ", *bound);
    }
    if (const auto bound = number_of(schema, "exclusiveMaximum"); bound && number >= *bound) {
      refuse(" is not below ", *bound);
    }
    if (const auto step = number_of(schema, "multipleOf"); step && *step > 0.0) {
      const double quotient = number / *step;
      // Decimal steps such as 0.01 are not exact in binary.
      if (std::abs(quotient - std::round(quotient)) > 1e-9 * std::max(1.0, std::abs(quotient))) {
        refuse(" is not a multiple of ", *step);
      }
    }
  }

  void check_string(const json& schema, const json& value, const std::string& at,
                    std::vector<Violation>& found) const {
    const auto& text = value.get_ref<const std::string&>();
    const auto length = static_cast<double>(code_points(text));
    if (const auto bound = number_of(schema, "minLength"); bound && length < *bound) {
      found.push_back({ViolationKind::bad_value, at, "shorter than " + shown(*bound)});
    }
    if (const auto bound = number_of(schema, "maxLength"); bound && length > *bound) {
      found.push_back({ViolationKind::bad_value, at, "longer than " + shown(*bound)});
    }
    const json* pattern = member(schema, "pattern");
    if (pattern == nullptr || !pattern->is_string() || text.size() > kMaxMatchedBytes) return;
    const auto compiled = patterns_.find(pattern->get_ref<const std::string&>());
    if (compiled == patterns_.end()) return;
    const std::optional<boost::regex>& expression = compiled->second;
    if (!expression) return;
    try {
      if (boost::regex_search(text, *expression)) return;
    } catch (const std::exception&) {
      return;  // too much backtracking: the pattern says nothing
    }
    found.push_back(
        {ViolationKind::bad_value, at, shown(value) + " does not match " + shown(*pattern)});
  }

  void check_array(const json& schema, const json& value, const std::string& at, int depth,
                   std::vector<Violation>& found) {
    const auto size = static_cast<double>(value.size());
    if (const auto bound = number_of(schema, "minItems"); bound && size < *bound) {
      found.push_back({ViolationKind::bad_value, at, "fewer than " + shown(*bound) + " items"});
    }
    if (const auto bound = number_of(schema, "maxItems"); bound && size > *bound) {
      found.push_back({ViolationKind::bad_value, at, "more than " + shown(*bound) + " items"});
    }
    if (const json* unique = member(schema, "uniqueItems"); unique != nullptr && *unique == true) {
      std::vector<const json*> sorted;
      for (const json& item : value) sorted.push_back(&item);
      std::ranges::sort(sorted, [](const json* a, const json* b) { return *a < *b; });
      if (std::ranges::adjacent_find(
              sorted, [](const json* a, const json* b) { return *a == *b; }) != sorted.end()) {
        found.push_back({ViolationKind::bad_value, at, "items repeat"});
      }
    }
    const json* items = member(schema, "items");
    // `items` as a list is the older spelling of `prefixItems`.
    const json* prefix = member(schema, "prefixItems");
    const json* rest = items;
    if (items != nullptr && items->is_array()) {
      prefix = items;
      rest = member(schema, "additionalItems");
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
      const std::string item_at = at + "/" + std::to_string(i);
      if (prefix != nullptr && prefix->is_array() && i < prefix->size()) {
        check((*prefix)[i], value[i], item_at, depth + 1, found);
      } else if (rest != nullptr) {
        check(*rest, value[i], item_at, depth + 1, found);
      }
      if (found.size() >= ArgumentSchema::kMaxViolations) return;
    }
  }

  void check_object(const json& schema, const json& value, const std::string& at, int depth,
                    std::vector<Violation>& found) {
    if (const json* required = member(schema, "required");
        required != nullptr && required->is_array()) {
      for (const json& name : *required) {
        if (!name.is_string()) continue;
        const auto& key = name.get_ref<const std::string&>();
        if (value.contains(key)) continue;
        found.push_back({ViolationKind::missing, at + "/" + escaped_pointer_token(key),
                         "required, but missing"});
        if (found.size() >= ArgumentSchema::kMaxViolations) return;
      }
    }
    const auto size = static_cast<double>(value.size());
    if (const auto bound = number_of(schema, "minProperties"); bound && size < *bound) {
      found.push_back({ViolationKind::bad_value, at, "fewer than " + shown(*bound) + " entries"});
    }
    if (const auto bound = number_of(schema, "maxProperties"); bound && size > *bound) {
      found.push_back({ViolationKind::bad_value, at, "more than " + shown(*bound) + " entries"});
    }
    const json* properties = member(schema, "properties");
    // Names that only a pattern allows are left alone.
    const json* pattern_properties = member(schema, "patternProperties");
    const json* additional =
        pattern_properties == nullptr ? member(schema, "additionalProperties") : nullptr;
    for (const auto& [key, item] : value.items()) {
      if (found.size() >= ArgumentSchema::kMaxViolations) return;
      const std::string item_at = at + "/" + escaped_pointer_token(key);
      if (properties != nullptr && properties->is_object()) {
        if (const auto known = properties->find(key); known != properties->end()) {
          check(*known, item, item_at, depth + 1, found);
          continue;
        }
      }
      if (additional == nullptr) continue;
      if (*additional == false) {
        found.push_back({ViolationKind::unexpected, item_at, "not a parameter of the tool"});
      } else {
        check(*additional, item, item_at, depth + 1, found);
      }
    }
  }

  void check_combinations(const json& schema, const json& value, const std::string& at, int depth,
                          std::vector<Violation>& found) {
    if (const json* all = member(schema, "allOf"); all != nullptr && all->is_array()) {
      for (const json& part : *all) check(part, value, at, depth + 1, found);
    }
    check_alternatives(member(schema, "anyOf"), value, at, depth, false, found);
    check_alternatives(member(schema, "oneOf"), value, at, depth, true, found);
    if (const json* excluded = member(schema, "not"); excluded != nullptr) {
      std::vector<Violation> inner;
      check(*excluded, value, at, depth + 1, inner);
      if (inner.empty() && steps_ <= kMaxSteps) {
        found.push_back({ViolationKind::bad_value, at, "an excluded value"});
      }
    }
  }

  /// Reports the violations of the alternative that came nearest: the first that the value's own
  /// type fits, else a wrong type.
  void check_alternatives(const json* alternatives, const json& value, const std::string& at,
                          int depth, bool exactly_one, std::vector<Violation>& found) {
    if (alternatives == nullptr || !alternatives->is_array() || alternatives->empty()) return;
    std::size_t fitting = 0;
    std::optional<std::vector<Violation>> nearest;
    for (const json& alternative : *alternatives) {
      std::vector<Violation> inner;
      check(alternative, value, at, depth + 1, inner);
      if (inner.empty()) {
        ++fitting;
        if (!exactly_one) return;
        continue;
      }
      const bool wrong_at_root =
          inner.front().kind == ViolationKind::wrong_type && inner.front().pointer == at;
      if (!wrong_at_root && !nearest) nearest = std::move(inner);
    }
    if (steps_ > kMaxSteps || fitting == 1) return;
    if (fitting > 1) {
      found.push_back({ViolationKind::bad_value, at, "fits more than one alternative"});
    } else if (nearest) {
      found.insert(found.end(), nearest->begin(), nearest->end());
    } else {
      found.push_back({ViolationKind::wrong_type, at,
                       std::string(type_name(value)) + " is none of the allowed types"});
    }
  }

  const json& root_;
  const Patterns& patterns_;
  int steps_ = 0;
};

}  // namespace

std::string_view name_of(ViolationKind kind) {
  switch (kind) {
    case ViolationKind::missing:
      return "missing";
    case ViolationKind::unexpected:
      return "unexpected";
    case ViolationKind::wrong_type:
      return "wrong_type";
    case ViolationKind::bad_enum:
      return "bad_enum";
    case ViolationKind::bad_value:
      return "bad_value";
  }
  return "";
}

struct ArgumentSchema::Compiled {
  json root;
  Patterns patterns;
};

ArgumentSchema::ArgumentSchema() = default;
ArgumentSchema::~ArgumentSchema() = default;
ArgumentSchema::ArgumentSchema(const ArgumentSchema&) = default;
ArgumentSchema& ArgumentSchema::operator=(const ArgumentSchema&) = default;
ArgumentSchema::ArgumentSchema(ArgumentSchema&&) noexcept = default;
ArgumentSchema& ArgumentSchema::operator=(ArgumentSchema&&) noexcept = default;

Result<ArgumentSchema> ArgumentSchema::parse(std::string_view text) {
  json root = parsed(text);
  if (root.is_discarded()) {
    return fail(ErrorCode::bad_input, "the schema is not JSON: give a JSON Schema object");
  }
  if (!root.is_object() && !root.is_boolean()) {
    return fail(ErrorCode::bad_input, "the schema is a JSON " + std::string(type_name(root)) +
                                          ": give a JSON Schema object");
  }
  auto compiled = std::make_shared<Compiled>();
  compiled->root = std::move(root);
  collect_patterns(compiled->root, compiled->patterns, 0);
  ArgumentSchema schema;
  schema.compiled_ = std::move(compiled);
  return schema;
}

std::vector<Violation> ArgumentSchema::check(std::string_view arguments) const {
  const json value = parsed(arguments);
  if (value.is_discarded()) return {{ViolationKind::wrong_type, "", "the arguments are not JSON"}};
  if (compiled_ == nullptr) return {};
  return Checker(compiled_->root, compiled_->patterns).run(value);
}

}  // namespace unmask
