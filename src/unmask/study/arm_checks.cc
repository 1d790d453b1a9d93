#include "unmask/study/arm_checks.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "unmask/audit/audit.h"
#include "unmask/audit/task_table.h"
#include "unmask/base/diagnostics.h"
#include "unmask/episode/facts.h"
#include "unmask/ingest/precision.h"
#include "unmask/study/precision_rank.h"

namespace unmask {
namespace {

constexpr std::size_t kShownTasks = 3;

// Rank of the precision that a text names; 0 if it names none.
int named_rank(std::string_view text) {
  const PrecisionGuess guess = guess_precision(text);
  return guess.precision.empty() ? 0 : precision_rank(guess.precision);
}

void check_name(const CellInput& cell, const ArmInput& arm, Diagnostics& diagnostics) {
  const int by_name = named_rank(arm.facts.name);
  const int by_model = named_rank(arm.facts.identity.model);
  if (by_name == 0 || by_model == 0 || by_name == by_model) return;
  std::string swapped;
  for (const ArmInput& other : cell.arms) {
    if (named_rank(other.facts.name) == by_model &&
        named_rank(other.facts.identity.model) == by_name) {
      swapped = "; is it swapped with arm '" + other.facts.name + "'?";
    }
  }
  diagnostics.add(
      {.code = kArmContradictsLog,
       .severity = Severity::error,
       .file = {},
       .episode = {},
       .sentence = "arm '" + arm.facts.name + "' has a log of the model " +
                   arm.facts.identity.model +
                   (arm.facts.identity.model_is_guess ? " (guessed from its path)" : "") +
                   (swapped.empty() ? "; is it the right file?" : swapped),
       .offset = {}});
}

std::set<std::string_view> ids_of(const ArmFacts& arm) {
  std::set<std::string_view> ids;
  for (const EpisodeFacts& episode : arm.episodes) ids.insert(arm.tasks[episode.task].id);
  return ids;
}

std::string some(const std::set<std::string_view>& ids) {
  std::string text;
  std::size_t shown = 0;
  for (const std::string_view id : ids) {
    if (shown++ == kShownTasks) return text + " ...";
    text += (text.empty() ? "" : ", ") + std::string(id);
  }
  return text;
}

bool any_observed(const ArmFacts& arm) {
  return std::ranges::any_of(arm.episodes, [](const EpisodeFacts& episode) {
    return episode.excluded == Exclusion::none;
  });
}

void check_tasks(const ArmInput& reference, const ArmInput& arm, Diagnostics& diagnostics) {
  if (!any_observed(reference.facts) || !any_observed(arm.facts)) return;
  const TaskPairing pairing = pair_tasks(reference.facts, arm.facts, TasksPaired::observed);
  if (pairing.size() > 0) return;
  const bool same_ids = !pairing.same_id_other_content.empty();
  diagnostics.add(
      {.code = kNoCommonTask,
       .severity = Severity::error,
       .file = {},
       .episode = {},
       .sentence =
           "arm '" + arm.facts.name + "' and the reference '" + reference.facts.name +
           "' have no task in common, so that nothing can be compared: " +
           (same_ids ? "their ids are the same and their texts are not; are the logs of different "
                       "versions of the benchmark, or of different domains?"
                     : some(ids_of(arm.facts)) + " against " + some(ids_of(reference.facts)) +
                           "; give logs of the same tasks"),
       .offset = {}});
}

// Episodes in the order of their tasks and trials, whatever that of their log.
std::vector<const EpisodeFacts*> in_order(const ArmFacts& arm) {
  std::vector<const EpisodeFacts*> episodes;
  episodes.reserve(arm.episodes.size());
  for (const EpisodeFacts& episode : arm.episodes) episodes.push_back(&episode);
  std::ranges::stable_sort(episodes, [&](const EpisodeFacts* a, const EpisodeFacts* b) {
    return std::tie(arm.tasks[a->task].id, a->trial) < std::tie(arm.tasks[b->task].id, b->trial);
  });
  return episodes;
}

template <class Value>
bool contradict(const std::optional<Value>& a, const std::optional<Value>& b) {
  return a && b && *a != *b;
}

// A conversion drops texts and may drop costs; it keeps these.
bool same_episode(const ArmFacts& a, const EpisodeFacts& x, const ArmFacts& b,
                  const EpisodeFacts& y) {
  if (a.tasks[x.task].id != b.tasks[y.task].id || x.trial != y.trial || x.reward != y.reward ||
      x.excluded != y.excluded || x.termination != y.termination ||
      x.calls.size() != y.calls.size() || contradict(x.cost.seconds, y.cost.seconds) ||
      contradict(x.cost.prompt_tokens, y.cost.prompt_tokens) ||
      contradict(x.cost.completion_tokens, y.cost.completion_tokens)) {
    return false;
  }
  return std::ranges::equal(x.calls, y.calls, [&](const CallFacts& call, const CallFacts& other) {
    return call.party == other.party && call.failed == other.failed &&
           a.names.text(call.name) == b.names.text(other.name);
  });
}

bool same_episodes(const ArmFacts& a, const ArmFacts& b) {
  if (a.episodes.size() != b.episodes.size()) return false;
  // Packing and converting keep the model's name.
  const std::string& model = a.identity.model;
  if (!model.empty() && !b.identity.model.empty() && model != b.identity.model) return false;
  std::size_t calls = 0;
  for (const EpisodeFacts& episode : a.episodes) calls += episode.calls.size();
  if (calls < kCallsThatTell) return false;
  return std::ranges::equal(
      in_order(a), in_order(b),
      [&](const EpisodeFacts* x, const EpisodeFacts* y) { return same_episode(a, *x, b, *y); });
}

void check_same(const CellInput& cell, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < cell.arms.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!same_episodes(cell.arms[i].facts, cell.arms[j].facts)) continue;
      diagnostics.add({.code = kSameEpisodesInTwoArms,
                       .severity = Severity::data_loss,
                       .file = {},
                       .episode = {},
                       .sentence = "arm '" + cell.arms[i].facts.name +
                                   "' has the same episodes as '" + cell.arms[j].facts.name +
                                   "', call by call: probably one log, packed again or converted, "
                                   "so that the two can't differ; give each arm its own log",
                       .offset = {}});
    }
  }
}

}  // namespace

void check_arms(const CellInput& cell, Diagnostics& diagnostics) {
  for (const ArmInput& arm : cell.arms) check_name(cell, arm, diagnostics);
  if (diagnostics.count(kSameBytesInTwoArms) == 0) check_same(cell, diagnostics);
  const auto reference = std::ranges::find_if(
      cell.arms, [&](const ArmInput& arm) { return arm.facts.name == cell.reference; });
  if (reference == cell.arms.end()) return;
  for (const ArmInput& arm : cell.arms) {
    if (&arm != &*reference) check_tasks(*reference, arm, diagnostics);
  }
}

}  // namespace unmask
