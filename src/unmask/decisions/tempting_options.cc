#include "unmask/decisions/tempting_options.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace unmask::decisions {

void TemptingOptions::add(Counts& counts, std::string_view text) {
  constexpr std::size_t kLongest = 64;    // what runs on until it is cut is no name
  constexpr std::size_t kMost = 100'000;  // of a hostile log
  if (text.empty() || text.size() > kLongest) return;
  if (const auto known = counts.find(text); known != counts.end()) {
    ++known->second;
  } else if (counts.size() < kMost) {
    counts.emplace(text, 1);
  }
}

void TemptingOptions::add_name(std::string_view name) { add(names_, name); }

void TemptingOptions::add_value(std::string_view argument, std::string_view value) {
  const auto known = values_.find(argument);
  add(known == values_.end() ? values_[std::string(argument)] : known->second, value);
}

std::vector<std::string> TemptingOptions::ranked(const Counts& counts) {
  std::vector<std::pair<std::string, std::uint64_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(
      sorted, [](const auto& left, const auto& right) { return left.second > right.second; });
  std::vector<std::string> texts;
  texts.reserve(sorted.size());
  for (auto& [text, count] : sorted) texts.push_back(std::move(text));
  return texts;
}

std::vector<std::string> TemptingOptions::names() const { return ranked(names_); }

std::vector<std::string> TemptingOptions::values(std::string_view argument) const {
  const auto known = values_.find(argument);
  return known == values_.end() ? std::vector<std::string>() : ranked(known->second);
}

}  // namespace unmask::decisions
