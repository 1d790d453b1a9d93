#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/episode/channel.h"

namespace unmask {

/// One rule on error texts: any of `patterns` against the whole (prepared) text.
struct TextRule {
  std::string id;  ///< `retail.order_not_found`; unique within a set
  Channel channel = Channel::other;
  std::string kind;  ///< `order`, `missing`, `order_status` ...; `@entity`: from the entity words
  std::vector<std::string> patterns;  ///< `*` stands for any text, `\*` for a star; case ignored
  std::vector<std::string> tools;     ///< only calls of these names; empty = all
  std::string comment;

  bool operator==(const TextRule&) const = default;
};

/// Words by which an entity's kind is recognised in a text; the earliest word of the text wins.
struct EntityWords {
  std::string kind;
  std::vector<std::string> words;  ///< lower case; a phrase of several words is allowed

  bool operator==(const EntityWords&) const = default;
};

/// What a rule said of a text.
struct RuleMatch {
  Channel channel = Channel::other;
  std::string kind;
  std::string rule_id;

  bool operator==(const RuleMatch&) const = default;
};

/// Rules in order: the first that fits decides.
struct RuleSet {
  std::string name;  ///< `retail`, or the user's file
  std::vector<TextRule> rules;
  std::vector<EntityWords> entities;

  bool operator==(const RuleSet&) const = default;
};

/// Bytes of an error text that rules see; the rest is cut (hostile or enormous results).
inline constexpr std::size_t kMatchedBytes = 2000;

/// Reads rules from TOML (docs/diagnosis-rules.md). `source` names the text in errors.
/// Errors: bad_input with line and remedy: not TOML, unknown key, channel or operator, empty
/// pattern, duplicate id.
[[nodiscard]] Result<RuleSet> parse_rules(std::string_view toml, std::string_view source);

/// `text` as rules see it: cut to kMatchedBytes, white space runs made one space, ASCII letters
/// lower case, wrappers such as `Error: ` and `Error executing tool x: ` removed.
[[nodiscard]] std::string prepared_error_text(std::string_view text);

/// First rule of the first set that fits; nullopt if none does. `prepared` from
/// prepared_error_text.
[[nodiscard]] std::optional<RuleMatch> match_rules(std::string_view prepared, std::string_view tool,
                                                   std::span<const RuleSet* const> sets);

/// Whether `pattern` (lower case, `*` = any text) covers all of `text`. No recursion; time
/// O(pattern x text).
[[nodiscard]] bool covers(std::string_view pattern, std::string_view text);

}  // namespace unmask
