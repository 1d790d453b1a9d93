#include "unmask/report/page_selection.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "unmask/audit/audit.h"
#include "unmask/base/rng.h"
#include "unmask/episode/facts.h"
#include "unmask/report/page_rows.h"

namespace unmask {
namespace {

constexpr std::string_view kSample = "sample:";

// A number that depends on task and trial only, so that arms draw alike.
std::uint64_t lot(const ArmFacts& arm, const EpisodeFacts& episode, std::uint64_t seed) {
  const std::string purpose = "page " + arm.tasks[episode.task].id;
  return Rng(seed, purpose, static_cast<std::uint64_t>(episode.trial)).next_u64();
}

std::vector<bool> sample(const ArmFacts& arm, std::size_t count, std::uint64_t seed) {
  std::vector<std::pair<std::uint64_t, std::size_t>> lots;
  lots.reserve(arm.episodes.size());
  for (std::size_t i = 0; i < arm.episodes.size(); ++i)
    lots.emplace_back(lot(arm, arm.episodes[i], seed), i);
  std::ranges::sort(lots);
  std::vector<bool> chosen(arm.episodes.size());
  for (std::size_t i = 0; i < std::min(count, lots.size()); ++i) chosen[lots[i].second] = true;
  return chosen;
}

std::vector<bool> failed(const ArmFacts& arm) {
  std::vector<bool> chosen;
  chosen.reserve(arm.episodes.size());
  for (const EpisodeFacts& episode : arm.episodes) chosen.push_back(!episode.success);
  return chosen;
}

}  // namespace

std::optional<PageSelection> page_selection(std::string_view text) {
  using Kind = PageSelection::Kind;
  if (text == "all") return PageSelection{.kind = Kind::all};
  if (text == "failed") return PageSelection{.kind = Kind::failed};
  if (text == "none") return PageSelection{.kind = Kind::none};
  if (!text.starts_with(kSample)) return std::nullopt;
  text.remove_prefix(kSample.size());
  PageSelection selection{.kind = Kind::sample};
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), selection.count);
  if (error != std::errc() || end != text.data() + text.size() || selection.count == 0)
    return std::nullopt;
  return selection;
}

std::string name_of(const PageSelection& selection) {
  switch (selection.kind) {
    case PageSelection::Kind::all:
      return "all";
    case PageSelection::Kind::failed:
      return "failed";
    case PageSelection::Kind::sample:
      return std::string(kSample) + std::to_string(selection.count);
    case PageSelection::Kind::none:
      return "none";
  }
  return {};
}

PerEpisode<bool> selected_episodes(std::span<const CellInput> cells, const PageSelection& selection,
                                   std::uint64_t seed) {
  PerEpisode<bool> all = per_episode(cells, selection.kind == PageSelection::Kind::all);
  for (std::size_t c = 0; c < cells.size(); ++c) {
    for (std::size_t a = 0; a < cells[c].arms.size(); ++a) {
      const ArmFacts& arm = cells[c].arms[a].facts;
      if (selection.kind == PageSelection::Kind::failed) all[c][a] = failed(arm);
      if (selection.kind == PageSelection::Kind::sample)
        all[c][a] = sample(arm, selection.count, seed);
    }
  }
  return all;
}

}  // namespace unmask
