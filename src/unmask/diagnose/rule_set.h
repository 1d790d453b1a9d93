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

/// Kind of a rule whose kind is read from the text: the entity named first (see EntityWords).
inline constexpr std::string_view kKindFromText = "@entity";

/// One rule on error texts: it fits if any pattern covers the whole text.
struct TextRule {
  std::string id;  ///< `retail.order_lookup`; unique within a set
  Channel channel = Channel::other;
  std::string kind;                   ///< `order`, `missing`, `order_status` ... or kKindFromText
  std::vector<std::string> patterns;  ///< lower case; `*` stands for any text
  std::vector<std::string> tools;     ///< only calls of these names, `*` allowed; empty = all
  std::size_t max_words = 0;          ///< only texts of at most so many words; 0 = any
  std::string comment;

  bool operator==(const TextRule&) const = default;
};

/// Words by which the kind of an entity is recognised.
struct EntityWords {
  std::string kind;
  std::vector<std::string> words;  ///< lower case; a phrase is allowed

  bool operator==(const EntityWords&) const = default;
};

/// Rules in order: the first that fits decides.
struct RuleSet {
  std::string source;  ///< `general`, `retail`, or the user's file
  std::vector<TextRule> rules;
  std::vector<EntityWords> entities;

  bool operator==(const RuleSet&) const = default;
};

/// What a rule said of a text.
struct RuleMatch {
  Channel channel = Channel::other;
  std::string kind;
  std::string rule;  ///< its id

  bool operator==(const RuleMatch&) const = default;
};

/// Reads rules from TOML: tables `[[rule]]` with `id`, `channel`, `kind`, `match` (a pattern or a
/// list) and optionally `tools`, `max_words`, `comment`; and a table `[entities]` of kind =
/// [words]. `source` names the text in errors. Errors: bad_input with line and remedy (not TOML,
/// unknown key or channel, missing or empty field, repeated id).
[[nodiscard]] Result<RuleSet> parse_rules(std::string_view toml, std::string_view source);

/// The first rule of the first set that fits; nullopt if none does. `prepared` is the text after
/// prepared_error_text. A kind from the text is looked up in the entity words of all sets: the word
/// that stands first (at one place the longest), then the words of the tool's name, else
/// `unspecified`.
[[nodiscard]] std::optional<RuleMatch> match_rules(std::string_view prepared, std::string_view tool,
                                                   std::span<const RuleSet* const> sets);

}  // namespace unmask
