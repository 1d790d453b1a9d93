#include "unmask/schema/tool_names.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/near_names.h"

namespace unmask {

namespace {

constexpr std::size_t kMaxNameBytes = 200;  // a longer "name" is no misspelling of anything

bool is_digit_or_letter(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_folded(const std::string& whole, const std::string& bare, const std::string& offered) {
  return !offered.empty() && (whole == offered || bare == offered);
}

}  // namespace

std::string_view name_of(NameProvenance provenance) {
  switch (provenance) {
    case NameProvenance::wrong_owner:
      return "wrong_owner";
    case NameProvenance::near_miss:
      return "near_miss";
    case NameProvenance::named_in_context:
      return "named_in_context";
    case NameProvenance::other_domain:
      return "other_domain";
    case NameProvenance::novel:
      return "novel";
  }
  return "";
}

std::string_view bare_tool_name(std::string_view name) {
  // What follows a template token, a bracket or white space belongs to the call, not to the name.
  for (const std::string_view end : {"<|", "(", "{", "\n"}) {
    if (const auto at = name.find(end); at != std::string_view::npos && at > 0) {
      name = name.substr(0, at);
    }
  }
  const auto is_edge = [](char c) { return !is_digit_or_letter(static_cast<unsigned char>(c)); };
  while (!name.empty() && is_edge(name.back())) name.remove_suffix(1);
  while (!name.empty() && is_edge(name.front())) name.remove_prefix(1);
  for (const std::string_view separator : {".", ":", "/", "__"}) {
    if (const auto at = name.rfind(separator); at != std::string_view::npos) {
      name = name.substr(at + separator.size());
    }
  }
  return name;
}

std::string folded_tool_name(std::string_view name) {
  std::string folded;
  for (const char c : name) {
    if (is_digit_or_letter(static_cast<unsigned char>(c))) folded += lower(c);
  }
  return folded;
}

std::size_t allowed_edits(std::size_t length) {
  if (length < 5) return 0;
  return length < 12 ? 1 : 2;
}

std::optional<NameMatch> nearest_tool_name(std::string_view called,
                                           std::span<const std::string> offered) {
  if (called.empty() || called.size() > kMaxNameBytes) return std::nullopt;
  for (std::size_t i = 0; i < offered.size(); ++i) {
    if (offered[i] == called) return NameMatch{i, 0};
  }
  const std::string whole = folded_tool_name(called);
  const std::string bare = folded_tool_name(bare_tool_name(called));
  std::vector<std::string> folded;
  folded.reserve(offered.size());
  for (const std::string& name : offered) folded.push_back(folded_tool_name(name));
  for (std::size_t i = 0; i < folded.size(); ++i) {
    if (same_folded(whole, bare, folded[i])) return NameMatch{i, 0};
  }
  std::optional<NameMatch> best;
  for (std::size_t i = 0; i < folded.size(); ++i) {
    for (const std::string* candidate : {&whole, &bare}) {
      const std::size_t limit = allowed_edits(std::max(candidate->size(), folded[i].size()));
      const std::size_t edits = edit_distance(*candidate, folded[i], limit);
      if (edits <= limit && (!best || edits < best->edits)) best = NameMatch{i, edits};
    }
  }
  return best;
}

bool same_tool_offered(std::string_view called, std::span<const std::string> offered) {
  if (called.empty() || called.size() > kMaxNameBytes) return false;
  const std::string whole = folded_tool_name(called);
  const std::string bare = folded_tool_name(bare_tool_name(called));
  return std::ranges::any_of(offered, [&](const std::string& name) {
    return name == called || same_folded(whole, bare, folded_tool_name(name));
  });
}

NameProvenance provenance_of(std::string_view called, const NameContext& context) {
  if (same_tool_offered(called, context.other_party) && !same_tool_offered(called, context.own)) {
    return NameProvenance::wrong_owner;
  }
  if (nearest_tool_name(called, context.own)) return NameProvenance::near_miss;
  if (context.named_in_text) return NameProvenance::named_in_context;
  if (same_tool_offered(called, context.other_worlds)) return NameProvenance::other_domain;
  return NameProvenance::novel;
}

}  // namespace unmask
