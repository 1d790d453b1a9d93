#include "unmask/budget/budget_regime.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "unmask/budget/harness_version.h"
#include "unmask/budget/success_curve.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"

namespace unmask {
namespace {

/// tau2-bench's last release whose counter never moved; the increment came the same day as
/// `kCounterFixed` (ISO date) and is in every later release.
constexpr std::array<int, 3> kLastDeadRelease = {0, 2, 1};
constexpr std::string_view kCounterFixed = "2025-11-10";
/// The benchmark before tau2-bench.
constexpr std::string_view kTauBench = "tau-bench";

enum class Counter : std::uint8_t { dead, alive, unknown };

struct HarnessSays {
  Counter counter = Counter::unknown;
  std::string because;
  bool has_budget = true;  ///< false: no max_errors could ever stand in its logs
};

bool is_date(std::string_view text) {
  if (text.size() < kCounterFixed.size()) return false;
  for (std::size_t i = 0; i < kCounterFixed.size(); ++i) {
    const bool dash = i == 4 || i == 7;
    if (dash ? text[i] != '-' : (text[i] < '0' || text[i] > '9')) return false;
  }
  return true;
}

HarnessSays ask_harness(const LogHeader& header) {
  const Harness& harness = header.harness;
  if (harness.name == kTauBench) {
    return {.counter = Counter::dead,
            .because = "tau-bench has no error budget: no number of failed calls ends an episode",
            .has_budget = false};
  }
  if (harness.name == "unmask") {
    return {.counter = Counter::alive, .because = "unmask counts failed calls"};
  }
  if (harness.name != "tau2-bench") return {};
  if (const auto version = parse_version(harness.version)) {
    if (version->last <= kLastDeadRelease) {
      return {.counter = Counter::dead,
              .because = "tau2-bench " + harness.version +
                         " never incremented its error counter (releases up to 0.2.1)"};
    }
    if (version->first > kLastDeadRelease) {
      return {.counter = Counter::alive,
              .because = "tau2-bench " + harness.version + " counts failed calls"};
    }
  }
  if (is_date(header.timestamp) && header.timestamp.substr(0, 10) < kCounterFixed) {
    return {.counter = Counter::dead,
            .because = "the log was written on " + header.timestamp.substr(0, 10) +
                       ", before tau2-bench began to count errors (2025-11-10)"};
  }
  return {};
}

/// What the episodes of one log say of the counter, under one reading of whose errors count.
struct EpisodeTally {
  std::uint32_t stopped = 0;         ///< ended through too_many_errors
  std::uint32_t without_errors = 0;  ///< of these, with no counted error in the log: they tell no K
  int fewest_at_stop = 0;            ///< smallest count of the others: K is at most this
  int most_before_stop = 0;          ///< largest count that a stopped episode survived
  std::uint32_t went_past = 0;       ///< ended otherwise, for a reason that stands in the log
  std::uint32_t may_be_stopped = 0;  ///< no reason in the log, failed, at least K errors

  /// True if a single K = `nominal` explains the stopped episodes.
  [[nodiscard]] bool fits(int nominal) const {
    return tells_budget() && nominal <= fewest_at_stop && nominal > most_before_stop;
  }
  [[nodiscard]] bool tells_budget() const { return stopped > without_errors; }
};

/// The largest count at which the harness tested and let the episode go on.
int survived_count(const EpisodeFacts& episode, CountedParty counts) {
  int count = 0;
  int survived = 0;
  for (std::size_t i = 0; i < episode.calls.size(); ++i) {
    const CallFacts& call = episode.calls[i];
    if (i > 0 && call.message != episode.calls[i - 1].message) survived = count;
    if (call.failed && (counts == CountedParty::both || call.party == Party::agent)) ++count;
  }
  return survived;
}

EpisodeTally tally(std::span<const EpisodeFacts> episodes, CountedParty counts,
                   std::optional<int> nominal) {
  EpisodeTally result;
  for (const EpisodeFacts& episode : episodes) {
    if (episode.excluded == Exclusion::infrastructure) continue;
    const int errors = static_cast<int>(counted_errors(episode, counts));
    if (episode.termination == Termination::too_many_errors) {
      if (errors == 0) {
        ++result.without_errors;
      } else {
        const bool first = result.stopped == result.without_errors;
        result.fewest_at_stop = first ? errors : std::min(result.fewest_at_stop, errors);
      }
      result.most_before_stop = std::max(result.most_before_stop, survived_count(episode, counts));
      ++result.stopped;
    } else if (nominal && errors >= *nominal) {
      const bool ended_otherwise = episode.termination != Termination::unknown || episode.success;
      ++(ended_otherwise ? result.went_past : result.may_be_stopped);
    }
  }
  return result;
}

std::string episodes_of(std::uint32_t count) {
  return std::to_string(count) + (count == 1 ? " episode" : " episodes");
}

/// Both parties' errors unless only the agent's explain the log: every stopped episode reaches K
/// on the agent's errors alone, and some episode went past K on both parties' but none on its.
CountedParty who_counts(const EpisodeTally& both, const EpisodeTally& agent,
                        std::optional<int> nominal) {
  const bool agent_explains =
      nominal && agent.stopped > 0 && agent.fits(*nominal) && agent.went_past == 0;
  return agent_explains && both.went_past > 0 ? CountedParty::agent : CountedParty::both;
}

BudgetRegime enforced_by_episodes(const EpisodeTally& seen, CountedParty counts,
                                  std::optional<int> nominal) {
  BudgetRegime regime{.nominal = nominal, .known = true, .counts = counts};
  const std::string ended = episodes_of(seen.stopped) + " ended through too_many_errors";
  if (nominal && seen.fits(*nominal)) {
    regime.enforced = nominal;
    regime.evidence = ended + ", with at least the " + std::to_string(*nominal) +
                      " errors of the log's max_errors";
    if (counts == CountedParty::agent) regime.evidence += "; only the agent's errors explain them";
    return regime;
  }
  if (!seen.tells_budget()) {
    regime.known = false;
    regime.enforced = nominal.value_or(1);
    regime.evidence = ended + " but the log shows none of their errors; budget " +
                      std::to_string(*regime.enforced) + " assumed";
    return regime;
  }
  regime.enforced = seen.fewest_at_stop;
  regime.evidence = ended + ", after as few as " + std::to_string(seen.fewest_at_stop) +
                    (seen.fewest_at_stop == 1 ? " error" : " errors");
  if (nominal) {
    regime.evidence += "; that does not fit the log's max_errors of " + std::to_string(*nominal) +
                       " (stale after a resume with another value, or the failed calls in the log "
                       "are not those the harness counted)";
  } else {
    regime.evidence += "; the log has no max_errors between 1 and 1,000";
  }
  return regime;
}

BudgetRegime enforced_by_nobody(const LogHeader& header, const EpisodeTally& seen,
                                std::optional<int> nominal) {
  BudgetRegime regime{.nominal = nominal};
  const HarnessSays harness = ask_harness(header);
  if (!nominal) {
    regime.known = harness.counter == Counter::dead;
    regime.evidence =
        "the log has no max_errors between 1 and 1,000 and no episode ended through "
        "too_many_errors";
    if (regime.known) {
      regime.evidence =
          harness.has_budget ? regime.evidence + "; " + harness.because : harness.because;
    }
    return regime;
  }
  const std::string budget = "max_errors " + std::to_string(*nominal);
  if (seen.went_past > 0) {
    regime.known = true;
    regime.evidence = budget + " was not enforced: " + episodes_of(seen.went_past) +
                      " went on with that many errors or more and none ended through "
                      "too_many_errors";
    if (harness.counter == Counter::dead) regime.evidence += "; " + harness.because;
    return regime;
  }
  switch (harness.counter) {
    case Counter::dead:
      regime.known = true;
      regime.evidence = budget + " was not enforced: " + harness.because;
      return regime;
    case Counter::alive:
      regime.known = true;
      regime.enforced = nominal;
      regime.evidence = harness.because + "; no episode reached " + budget;
      break;
    case Counter::unknown:
      regime.enforced = nominal;
      regime.evidence = "neither the harness's version nor the episodes tell whether " + budget +
                        " was enforced; taken as enforced";
      break;
  }
  if (seen.may_be_stopped > 0) {
    regime.evidence += "; " + episodes_of(seen.may_be_stopped) +
                       " without a termination reason reached it and may have been stopped";
  }
  return regime;
}

}  // namespace

BudgetRegime infer_regime(const LogHeader& header, std::span<const EpisodeFacts> episodes) {
  // A max_errors below 1 is no budget: tau2-bench's own runner refuses it. One beyond what episodes
  // can use up never ends any, and a curve up to it would show nothing.
  const std::optional<int> nominal =
      header.max_errors && *header.max_errors >= 1 && *header.max_errors <= kLargestBudget
          ? header.max_errors
          : std::nullopt;
  const EpisodeTally both = tally(episodes, CountedParty::both, nominal);
  const EpisodeTally agent = tally(episodes, CountedParty::agent, nominal);
  if (both.stopped == 0) return enforced_by_nobody(header, both, nominal);
  const CountedParty counts = who_counts(both, agent, nominal);
  BudgetRegime regime =
      enforced_by_episodes(counts == CountedParty::both ? both : agent, counts, nominal);
  // Forks and experimental branches counted before the releases did.
  if (const HarnessSays harness = ask_harness(header); harness.counter == Counter::dead) {
    regime.evidence += "; this overrules that " + harness.because;
  }
  return regime;
}

BudgetRegime combine_regimes(std::span<const BudgetRegime> regimes) {
  if (regimes.empty()) return {};
  BudgetRegime combined = regimes.front();
  for (const BudgetRegime& regime : regimes.subspan(1)) {
    if (combined.nominal != regime.nominal) combined.nominal.reset();
    if (!combined.enforced || (regime.enforced && *regime.enforced < *combined.enforced)) {
      combined.enforced = regime.enforced;
    }
    combined.known = combined.known && regime.known;
    if (combined.counts != regime.counts) combined.counts = CountedParty::both;
    if (combined.evidence.find(regime.evidence) == std::string::npos) {
      combined.evidence += combined.evidence.empty() ? "" : "; ";
      combined.evidence += regime.evidence;
    }
  }
  return combined;
}

std::optional<int> observed_budget(const BudgetRegime& regime) { return regime.enforced; }

std::optional<int> observed_budget(const BudgetRegime& first, const BudgetRegime& second) {
  if (!first.enforced) return second.enforced;
  if (!second.enforced) return first.enforced;
  return std::min(*first.enforced, *second.enforced);
}

int shown_budget(std::optional<int> observed) { return observed.value_or(kShownBudgets); }

BudgetContradictions budget_contradictions(std::span<const EpisodeFacts> episodes,
                                           const BudgetRegime& regime) {
  BudgetContradictions result;
  for (const EpisodeFacts& episode : episodes) {
    if (episode.excluded != Exclusion::none) continue;
    ++result.episodes;
    if (regime.enforced && episode.success &&
        std::cmp_greater_equal(counted_errors(episode, regime.counts), *regime.enforced)) {
      ++result.contradicting;
    }
  }
  return result;
}

}  // namespace unmask
