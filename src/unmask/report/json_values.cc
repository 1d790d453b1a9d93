#include "unmask/report/json_values.h"

#include <cmath>
#include <optional>
#include <string_view>

#include <nlohmann/json.hpp>

#include "unmask/base/twelve_digits.h"
#include "unmask/episode/log_header.h"
#include "unmask/report/character_width.h"
#include "unmask/report/producer.h"
#include "unmask/stats/figure.h"

namespace unmask::json_report {

Json number(std::optional<double> value, double scale) {
  if (!value || !std::isfinite(*value * scale)) return nullptr;
  return twelve_digits(*value * scale);
}

Json integer(std::optional<int> value) { return value ? Json(*value) : Json(nullptr); }

Json text_or_null(std::string_view text) { return text.empty() ? Json(nullptr) : Json(text); }

void put_figure(Json& object, const stats::Figure& figure, double scale, const char* key) {
  object[key] = number(figure.value, scale);
  object["low"] = number(figure.low, scale);
  object["high"] = number(figure.high, scale);
  if (object[key].is_null() || object["low"].is_null() || object["high"].is_null())
    object["reason"] = figure.reason.empty() ? "not computed" : figure.reason;
}

Json figure(const stats::Figure& figure, double scale) {
  Json object = Json::object();
  put_figure(object, figure, scale);
  return object;
}

Json producer(const Producer& producer) {
  return {{"version", producer.version}, {"commit", text_or_null(producer.commit)}};
}

Json harness(const Harness& harness) {
  return {{"name", text_or_null(harness.name)},
          {"version", text_or_null(harness.version)},
          {"git_commit", text_or_null(harness.git_commit)},
          {"evidence", text_or_null(harness.evidence)}};
}

Json budget(const BudgetRegime& budget) {
  return {{"k", integer(budget.enforced)},
          {"enforced", budget.enforced.has_value()},
          {"known", budget.known},
          {"nominal", integer(budget.nominal)},
          {"counts", budget.counts == CountedParty::both ? "both" : "agent"},
          {"evidence", text_or_null(budget.evidence)}};
}

Json identity(const ArmIdentity& identity) {
  return {{"model", text_or_null(identity.model)},
          {"model_is_guess", identity.model_is_guess},
          {"precision", text_or_null(identity.precision)},
          {"precision_is_guess", identity.precision_is_guess},
          {"quantization_method", text_or_null(identity.quantization_method)},
          {"kv_cache_precision", text_or_null(identity.kv_cache_precision)},
          {"engine", text_or_null(identity.engine)},
          {"chat_template_hash", text_or_null(identity.chat_template_hash)},
          {"tool_call_parser", text_or_null(identity.tool_call_parser)},
          {"grammar_constrained", text_or_null(identity.grammar_constrained)},
          {"sampling", identity.sampling},
          {"agent_implementation", text_or_null(identity.agent_implementation)},
          {"policy_hash", text_or_null(identity.policy_hash)},
          {"user_model", text_or_null(identity.user_model)},
          {"user_implementation", text_or_null(identity.user_implementation)},
          {"user_sampling", identity.user_sampling}};
}

std::string with_escapes(std::string_view json) {
  std::string result;
  result.reserve(json.size());
  const auto escape = [&result](char32_t unit) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    result += "\\u";
    for (const unsigned shift : {12U, 8U, 4U, 0U}) result += kDigits[(unit >> shift) & 0xFU];
  };
  while (!json.empty()) {
    const text::DecodedCharacter character = text::decode_character(json);
    // ASCII control characters inside strings are escaped already; those outside are line ends.
    if (!character.valid || character.code_point < 0x7F ||
        !text::is_deceptive(character.code_point)) {
      result.append(json.substr(0, character.bytes));
    } else if (character.code_point < 0x10000) {
      escape(character.code_point);
    } else {
      const char32_t rest = character.code_point - 0x10000;
      escape(0xD800 + (rest >> 10U));
      escape(0xDC00 + (rest & 0x3FFU));
    }
    json.remove_prefix(character.bytes);
  }
  return result;
}

std::string document(const Json& json) {
  return with_escapes(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace unmask::json_report
