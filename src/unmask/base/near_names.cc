#include "unmask/base/near_names.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace unmask {
namespace {

constexpr std::size_t kLongestName = 300;  // a longer text is no slip of the fingers
constexpr std::size_t kShortestBeginning = 3;

std::string lower(std::string_view text) {
  std::string folded(text);
  for (char& c : folded) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return folded;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (a.size() < b.size()) std::swap(a, b);
  if (a.size() - b.size() > limit) return limit + 1;
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    std::size_t smallest = row[0];
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
      smallest = std::min(smallest, row[j]);
    }
    // Each entry is at most one above the entry before it, so both rows that a later entry can
    // start from (a swap reaches back two) are above the limit.
    if (smallest > limit + 1) return limit + 1;
    before_last.swap(last);
    last.swap(row);
  }
  return std::min(last[b.size()], limit + 1);
}

std::vector<std::string> near_names(std::string_view typed, std::span<const std::string> known,
                                    std::size_t most) {
  if (typed.empty() || typed.size() > kLongestName) return {};
  struct Near {
    std::size_t edits = 0;
    std::size_t place = 0;
  };
  const std::string wanted = lower(typed);
  std::vector<Near> near;
  for (std::size_t i = 0; i < known.size(); ++i) {
    const std::string name = lower(known[i]);
    const std::size_t allowed = std::max<std::size_t>(1, std::max(wanted.size(), name.size()) / 3);
    const std::size_t edits = edit_distance(wanted, name, allowed);
    if (edits <= allowed && edits < name.size()) {
      near.push_back({edits, i});
    } else if (wanted.size() >= kShortestBeginning && name.starts_with(wanted)) {
      near.push_back({kLongestName, i});
    }
  }
  std::ranges::sort(near, {}, [](const Near& each) { return std::pair(each.edits, each.place); });
  std::vector<std::string> names;
  for (const Near& each : near) {
    if (names.size() == most) break;
    if (std::ranges::find(names, known[each.place]) == names.end())
      names.push_back(known[each.place]);
  }
  return names;
}

std::string did_you_mean(std::string_view typed, std::span<const std::string> known) {
  std::string text;
  for (const std::string& name : near_names(typed, known)) {
    text += (text.empty() ? "; did you mean " : " or ") + name;
  }
  return text.empty() ? text : text + "?";
}

}  // namespace unmask
