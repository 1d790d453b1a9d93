#include "unmask/decisions/paired_replay.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/base/sha256.h"
#include "unmask/decisions/decision_context.h"
#include "unmask/decisions/decisions_file.h"
#include "unmask/decisions/decisions_writer.h"
#include "unmask/decisions/scorer.h"
#include "unmask/episode/scored_decision.h"
#include "unmask/llm/chat.h"

namespace unmask::decisions {
namespace {

/// Enough for an endpoint to be kept busy.
constexpr std::size_t kBatch = 64;

void add(Sha256& hash, std::string_view text) {
  hash.update(std::to_string(text.size()) + ":");
  hash.update(text);
}

void add(Sha256& hash, const DecisionContext& context) {
  add(hash, decision_line(0, context.decision, std::nullopt));
  for (const llm::ChatMessage& message : context.messages) {
    add(hash, llm::name_of(message.role));
    add(hash, message.content.value_or(""));
  }
  add(hash, context.begins);
  for (const std::string& continuation : context.continuations) add(hash, continuation);
}

std::optional<std::size_t> rest_of(const DecisionContext& context) {
  const auto rest = std::ranges::find_if(context.continuations,
                                         [](const std::string& text) { return text.empty(); });
  if (rest == context.continuations.end()) return std::nullopt;
  return static_cast<std::size_t>(rest - context.continuations.begin());
}

/// Log-probability of what `scores` leave, which may be nothing but rounding.
double rest(const std::vector<double>& scores) {
  constexpr double kLeast = 1e-12;
  double taken = 0.0;
  for (const double score : scores) taken += std::exp(score);
  return std::log(std::max(1.0 - taken, kLeast));
}

}  // namespace

ContextBook::ContextBook(std::size_t episodes, Make make, std::size_t most)
    : make_(std::move(make)) {
  std::vector<std::size_t> sizes;
  std::size_t all = 0;
  for (std::size_t i = 0; i < episodes; ++i) {
    sizes.push_back(make_(i).size());
    all += sizes.back();
  }
  // Each episode is taken where the share that was asked for passes the next whole episode.
  const double share =
      most == 0 || all <= most ? 1.0 : static_cast<double>(most) / static_cast<double>(all);
  double due = 1.0;  // the first episode is always taken
  Sha256 hash;
  for (std::size_t i = 0; i < episodes; ++i) {
    if (share < 1.0) due += share;
    if (due < 1.0) continue;
    if (share < 1.0) due -= 1.0;
    if (most > 0 && !decisions_.empty() && decisions_.size() + sizes[i] > most) continue;
    parts_.push_back({.episode = i, .first = decisions_.size()});
    for (DecisionContext& context : make_(i)) {
      add(hash, context);
      decisions_.push_back(std::move(context.decision));
    }
  }
  sha256_ = hash.hex_digest();
}

void ContextBook::each(const std::function<bool(Batch batch)>& take) const {
  Batch batch;
  for (const Part& part : parts_) {
    if (batch.contexts.empty()) batch.first = part.first;
    std::vector<DecisionContext> contexts = make_(part.episode);
    std::ranges::move(contexts, std::back_inserter(batch.contexts));
    if (batch.contexts.size() < kBatch) continue;
    if (!take(std::exchange(batch, Batch()))) return;
  }
  if (!batch.contexts.empty()) take(std::move(batch));
}

DecisionContext without_rest(DecisionContext context) {
  const std::optional<std::size_t> at = rest_of(context);
  if (!at) return context;
  const auto place = static_cast<std::ptrdiff_t>(*at);
  context.continuations.erase(context.continuations.begin() + place);
  context.decision.options.erase(context.decision.options.begin() + place);
  if (context.decision.recorded == *at) {
    context.decision.recorded.reset();
  } else if (context.decision.recorded > *at) {
    --*context.decision.recorded;
  }
  return context;
}

ArmScores with_rest(const DecisionContext& context, ArmScores scores) {
  const std::optional<std::size_t> at = rest_of(context);
  if (!at || !scores.fault.empty()) return scores;
  const auto place = static_cast<std::ptrdiff_t>(*at);
  const auto complete = [&](std::vector<double>& values) {
    values.insert(values.begin() + place, rest(values));
  };
  complete(scores.log_probability);
  for (TemperedScores& tempered : scores.tempered) complete(tempered.log_probability);
  if (!scores.at_most.empty()) scores.at_most.insert(scores.at_most.begin() + place, false);
  return scores;
}

Result<void> score_arm(const ContextBook& book, Scorer& scorer, std::size_t arm,
                       DecisionsWriter& writer,
                       const std::function<bool(std::size_t scored)>& goes_on) {
  std::size_t scored = 0;
  for (std::size_t i = 0; i < book.decisions().size(); ++i) {
    if (writer.is_scored(i, arm)) ++scored;
  }
  Result<void> result;
  book.each([&](ContextBook::Batch batch) {
    std::vector<DecisionContext> missing;
    std::vector<std::size_t> places;  // in the batch
    for (std::size_t i = 0; i < batch.contexts.size(); ++i) {
      if (writer.is_scored(batch.first + i, arm)) continue;
      places.push_back(i);
      DecisionContext& context = missing.emplace_back(without_rest(batch.contexts[i]));
      if (arm > 0) {
        context.likeliest = writer.scored().decisions[batch.first + i].arms.front().likeliest;
      }
    }
    if (missing.empty()) return true;
    Result<void> written;
    const auto done = [&](std::size_t index, ArmScores scores) {
      if (!written) return;
      const std::size_t place = places.at(index);
      ++scored;
      written = writer.add({.decision = batch.first + place,
                            .arm = arm,
                            .scores = with_rest(batch.contexts[place], std::move(scores))});
    };
    result = scorer.score(missing, done, [&] { return written && goes_on(scored); });
    if (!written) result = written;
    return result.has_value();
  });
  if (const Result<void> flushed = writer.flush(); result && !flushed) return flushed;
  return result;
}

}  // namespace unmask::decisions
