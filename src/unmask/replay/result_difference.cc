#include "unmask/replay/result_difference.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "unmask/base/error.h"
#include "unmask/world/environment.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/value.h"

namespace unmask::replay {
namespace {

using world::Value;

struct Parting {
  std::string place;
  std::string recorded, replayed;
};

Parting parting_of(const Value* recorded, const Value* replayed, std::string place) {
  const auto shown = [](const Value* value) {
    return value == nullptr ? std::string("(absent)") : world::dump_json(*value);
  };
  return {std::move(place), shown(recorded), shown(replayed)};
}

/// The first place at which two values differ.
Parting descend(const Value& recorded, const Value& replayed, std::string place) {
  const auto member_place = [&place](const std::string& key) {
    return place.empty() ? key : place + "." + key;
  };
  if (recorded.object() != nullptr && replayed.object() != nullptr) {
    for (const world::Member& member : *recorded.object()) {
      const Value* other = replayed.find(member.key);
      if (other == nullptr) return parting_of(&member.value, nullptr, member_place(member.key));
      if (!world::python_equal(member.value, *other)) {
        return descend(member.value, *other, member_place(member.key));
      }
    }
    for (const world::Member& member : *replayed.object()) {
      if (recorded.find(member.key) == nullptr) {
        return parting_of(nullptr, &member.value, member_place(member.key));
      }
    }
  }
  if (recorded.list() != nullptr && replayed.list() != nullptr) {
    const world::List& left = *recorded.list();
    const world::List& right = *replayed.list();
    for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
      if (!world::python_equal(left[i], right[i])) return descend(left[i], right[i], place + "[]");
    }
    if (left.size() != right.size()) {
      return parting_of(left.size() > right.size() ? &left[right.size()] : nullptr,
                        right.size() > left.size() ? &right[left.size()] : nullptr, place + "[]");
    }
  }
  return parting_of(&recorded, &replayed, std::move(place));
}

bool is_container(const Result<Value>& value) {
  return value && (value->object() != nullptr || value->list() != nullptr);
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

bool is_lower_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// With a sign in place of each drawn id.
std::string without_drawn_ids(std::string_view text) {
  constexpr std::size_t kDigits = 8;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view digits = text.substr(i + 1, kDigits);
    const bool begins = i == 0 || !is_word(text[i - 1]);
    const bool ends = i + 1 + kDigits >= text.size() || !is_word(text[i + 1 + kDigits]);
    if (text[i] == 'B' && begins && ends && digits.size() == kDigits &&
        std::ranges::all_of(digits, is_lower_hex)) {
      out += "B*";
      i += kDigits;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace

std::string around_difference(std::string_view text, std::string_view other) {
  constexpr std::size_t kBefore = 40;
  constexpr std::size_t kShown = 160;
  const auto [mine, theirs] = std::ranges::mismatch(text, other);
  const auto at = static_cast<std::size_t>(mine - text.begin());
  std::size_t begin = text.size() <= kShown || at <= kBefore ? 0 : at - kBefore;
  std::size_t end = std::min(text.size(), begin + kShown);
  while (begin > 0 && is_continuation(text[begin])) --begin;
  while (end < text.size() && is_continuation(text[end])) --end;
  std::string shown = begin > 0 ? "..." : "";
  shown += text.substr(begin, end - begin);
  if (end < text.size()) shown += "...";
  return shown;
}

std::optional<ResultDifference> difference_of(std::string_view recorded,
                                              std::string_view replayed) {
  if (recorded == replayed || world::same_content(recorded, replayed)) return std::nullopt;
  const Result<Value> left = world::parse_json(recorded);
  const Result<Value> right = world::parse_json(replayed);
  ResultDifference difference;
  if (is_container(left) && is_container(right)) {
    Parting parting = descend(*left, *right, {});
    difference.place = std::move(parting.place);
    difference.recorded = around_difference(parting.recorded, parting.replayed);
    difference.replayed = around_difference(parting.replayed, parting.recorded);
  } else {
    difference.recorded = around_difference(recorded, replayed);
    difference.replayed = around_difference(replayed, recorded);
  }
  return difference;
}

bool same_but_for_drawn_ids(std::string_view recorded, std::string_view replayed) {
  return world::same_content(without_drawn_ids(recorded), without_drawn_ids(replayed));
}

}  // namespace unmask::replay
