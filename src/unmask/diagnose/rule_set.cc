#include "unmask/diagnose/rule_set.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <toml++/toml.h>

#include "unmask/base/error.h"
#include "unmask/diagnose/error_text.h"
#include "unmask/episode/channel.h"

namespace unmask {

namespace {

constexpr std::array<std::string_view, 7> kRuleKeys = {"id",    "channel",   "kind",   "match",
                                                       "tools", "max_words", "comment"};

/// Ends the reading of one text; caught in parse_rules.
struct RuleError {
  std::string sentence;
  toml::source_position at;
};

std::string text_of(const toml::table& table, std::string_view key, bool required) {
  const toml::node* node = table.get(key);
  if (node == nullptr) {
    if (!required) return {};
    throw RuleError{"the rule has no `" + std::string(key) + "`: add it", table.source().begin};
  }
  const auto value = node->value_exact<std::string>();
  if (!value || (required && value->empty())) {
    throw RuleError{"`" + std::string(key) + "` must be a text that is not empty",
                    node->source().begin};
  }
  return *value;
}

std::vector<std::string> texts_of(const toml::node& node, std::string_view key) {
  std::vector<std::string> texts;
  const auto add = [&](const toml::node& item) {
    const auto value = item.value_exact<std::string>();
    if (!value || value->empty()) {
      throw RuleError{"`" + std::string(key) + "` takes texts that are not empty",
                      item.source().begin};
    }
    texts.push_back(*value);
  };
  if (const toml::array* list = node.as_array()) {
    for (const toml::node& item : *list) add(item);
  } else {
    add(node);
  }
  if (texts.empty()) {
    throw RuleError{"`" + std::string(key) + "` is an empty list: give at least one text",
                    node.source().begin};
  }
  return texts;
}

Channel channel_of(const toml::table& table) {
  const std::string word = text_of(table, "channel", true);
  if (const auto channel = channel_from_name(word)) return *channel;
  std::string known;
  for (std::size_t i = 0; i < kChannelCount; ++i) {
    known += (i == 0 ? "" : ", ") + std::string(name_of(static_cast<Channel>(i)));
  }
  throw RuleError{"`" + word + "` is no channel: use one of " + known,
                  table.get("channel")->source().begin};
}

TextRule rule_of(const toml::table& table) {
  for (const auto& [key, node] : table) {
    if (std::ranges::find(kRuleKeys, key.str()) == kRuleKeys.end()) {
      throw RuleError{"`" + std::string(key.str()) +
                          "` is no key of a rule: use id, channel, kind, match, tools, max_words, "
                          "comment",
                      key.source().begin};
    }
  }
  TextRule rule;
  rule.id = text_of(table, "id", true);
  rule.channel = channel_of(table);
  rule.kind = text_of(table, "kind", false);
  rule.comment = text_of(table, "comment", false);
  const toml::node* match = table.get("match");
  if (match == nullptr) {
    throw RuleError{"rule `" + rule.id + "` has no `match`: give the text, with * for any part",
                    table.source().begin};
  }
  for (const std::string& pattern : texts_of(*match, "match")) {
    rule.patterns.push_back(lower_case(pattern));
  }
  if (const toml::node* tools = table.get("tools")) rule.tools = texts_of(*tools, "tools");
  if (const toml::node* words = table.get("max_words")) {
    const auto count = words->value_exact<std::int64_t>();
    if (!count || *count < 1) {
      throw RuleError{"`max_words` must be a whole number of at least 1", words->source().begin};
    }
    rule.max_words = static_cast<std::size_t>(*count);
  }
  return rule;
}

void read_rules(const toml::node& node, RuleSet& set) {
  const toml::array* list = node.as_array();
  if (list == nullptr || !list->is_array_of_tables()) {
    throw RuleError{"`rule` must be written as [[rule]] tables", node.source().begin};
  }
  std::set<std::string> ids;
  for (const toml::node& item : *list) {
    set.rules.push_back(rule_of(*item.as_table()));
    if (!ids.insert(set.rules.back().id).second) {
      throw RuleError{"the id `" + set.rules.back().id + "` is used twice: rename one",
                      item.source().begin};
    }
  }
}

void read_entities(const toml::node& node, RuleSet& set) {
  const toml::table* table = node.as_table();
  if (table == nullptr) {
    throw RuleError{"`entities` must be a table of kind = [words]", node.source().begin};
  }
  for (const auto& [kind, words] : *table) {
    EntityWords& entity = set.entities.emplace_back();
    entity.kind = std::string(kind.str());
    for (const std::string& word : texts_of(words, kind.str())) {
      entity.words.push_back(lower_case(word));
    }
  }
}

RuleSet read_set(const toml::table& root, std::string_view source) {
  RuleSet set;
  set.source = std::string(source);
  for (const auto& [key, node] : root) {
    if (key.str() == "rule") {
      read_rules(node, set);
    } else if (key.str() == "entities") {
      read_entities(node, set);
    } else {
      throw RuleError{"`" + std::string(key.str()) +
                          "` is not known here: use [[rule]] and "
                          "[entities]",
                      key.source().begin};
    }
  }
  return set;
}

std::string located(std::string_view source, const toml::source_position& at,
                    std::string_view sentence) {
  std::string text(source);
  if (at.line > 0) text += ", line " + std::to_string(at.line);
  return text + ": " + std::string(sentence);
}

std::size_t word_count(std::string_view prepared) {
  if (prepared.empty()) return 0;
  return 1 + static_cast<std::size_t>(std::count(prepared.begin(), prepared.end(), ' '));
}

std::string entity_kind(std::string_view text, std::span<const RuleSet* const> sets) {
  std::string kind;
  std::size_t best_at = std::string_view::npos;
  std::size_t best_length = 0;
  for (const RuleSet* set : sets) {
    for (const EntityWords& entity : set->entities) {
      for (const std::string& word : entity.words) {
        const std::size_t at = find_word(text, word);
        if (at == std::string_view::npos) continue;
        if (at < best_at || (at == best_at && word.size() > best_length)) {
          kind = entity.kind;
          best_at = at;
          best_length = word.size();
        }
      }
    }
  }
  return kind;
}

std::string kind_from_text(std::string_view prepared, std::string_view tool,
                           std::span<const RuleSet* const> sets) {
  if (std::string kind = entity_kind(prepared, sets); !kind.empty()) return kind;
  std::string words = lower_case(tool.substr(0, kMatchedBytes));
  std::ranges::replace(words, '_', ' ');
  if (std::string kind = entity_kind(words, sets); !kind.empty()) return kind;
  return "unspecified";
}

bool fits(const TextRule& rule, std::string_view prepared, std::size_t words,
          std::string_view tool) {
  if (rule.max_words > 0 && words > rule.max_words) return false;
  if (!rule.tools.empty() && std::ranges::none_of(rule.tools, [&](const std::string& pattern) {
        return covers(pattern, tool);
      })) {
    return false;
  }
  return std::ranges::any_of(rule.patterns,
                             [&](const std::string& pattern) { return covers(pattern, prepared); });
}

}  // namespace

Result<RuleSet> parse_rules(std::string_view text, std::string_view source) {
  try {
    return read_set(toml::parse(text, source), source);
  } catch (const toml::parse_error& error) {
    return fail(ErrorCode::bad_input,
                located(source, error.source().begin,
                        "not TOML: " + std::string(error.description()) + "; correct this line"));
  } catch (const RuleError& error) {
    return fail(ErrorCode::bad_input, located(source, error.at, error.sentence));
  }
}

std::optional<RuleMatch> match_rules(std::string_view prepared, std::string_view tool,
                                     std::span<const RuleSet* const> sets) {
  const std::size_t words = word_count(prepared);
  for (const RuleSet* set : sets) {
    for (const TextRule& rule : set->rules) {
      if (!fits(rule, prepared, words, tool)) continue;
      return RuleMatch{
          rule.channel,
          rule.kind == kKindFromText ? kind_from_text(prepared, tool, sets) : rule.kind, rule.id};
    }
  }
  return std::nullopt;
}

}  // namespace unmask
