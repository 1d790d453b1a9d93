#include "unmask/run/local_runner.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/base/clock.h"
#include "unmask/base/error.h"
#include "unmask/run/episode_counts.h"
#include "unmask/run/live_unit.h"
#include "unmask/run/run_plan.h"
#include "unmask/run/run_progress.h"
#include "unmask/run/run_study.h"
#include "unmask/run/runner.h"
#include "unmask/store/run.h"
#include "unmask/store/run_store.h"

namespace unmask::run {
namespace {

/// An episode that has ended.
struct Played {
  std::size_t index = 0;  ///< of its unit
  std::vector<store::Turn> turns;
  store::Outcome outcome;
  EpisodeCounts counts;
  std::string problem;
  std::exception_ptr failure;  ///< a bug's, to be thrown where the runner was called
};

Played play(const RunPlan& plan, const PlannedUnit& unit) {
  const ManualClock clock;
  const std::unique_ptr<LiveUnit> live = make_unit(plan, unit, clock);
  const Result<void> begun = live->begin({});
  UNMASK_CHECK(begun.has_value());
  const std::optional<Request> request = live->next();
  UNMASK_CHECK(!request.has_value());
  Played played;
  played.turns = live->take_turns();
  played.outcome = live->outcome();
  played.counts = live->counts();
  played.problem = live->problem();
  return played;
}

/// Threads that play, and a bounded queue of what they have played.
class Players {
 public:
  Players(const RunPlan& plan, std::span<const PlannedUnit> units, unsigned threads)
      : plan_(plan), units_(units), most_waiting_(std::size_t{4} * threads) {
    for (unsigned i = 0; i < threads; ++i) {
      threads_.emplace_back([this] { work(); });
    }
  }
  ~Players() { stop(); }
  Players(const Players&) = delete;
  Players& operator=(const Players&) = delete;

  /// The next episode that has ended; nullopt if none has within `patience`.
  std::optional<Played> take(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    if (!played_.wait_for(lock, patience, [this] { return !queue_.empty(); })) return std::nullopt;
    std::optional<Played> first(std::move(queue_.front()));
    queue_.pop_front();
    room_.notify_one();
    return first;
  }

  /// Lets the episodes under way end and drops them.
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    room_.notify_all();
    threads_.clear();
  }

  [[nodiscard]] std::size_t most_alive() const { return threads_.size(); }

 private:
  void work() {
    while (true) {
      std::size_t index = 0;
      {
        const std::lock_guard lock(mutex_);
        if (stopping_ || next_ == units_.size()) return;
        index = next_++;
      }
      Played played;
      try {
        played = play(plan_, units_[index]);
      } catch (...) {
        played.failure = std::current_exception();
      }
      played.index = index;
      std::unique_lock lock(mutex_);
      room_.wait(lock, [this] { return stopping_ || queue_.size() < most_waiting_; });
      if (stopping_) return;
      queue_.push_back(std::move(played));
      played_.notify_one();
    }
  }

  const RunPlan& plan_;
  std::span<const PlannedUnit> units_;
  std::size_t most_waiting_;
  std::mutex mutex_;
  std::condition_variable played_;
  std::condition_variable room_;
  std::deque<Played> queue_;
  std::size_t next_ = 0;
  bool stopping_ = false;
  std::vector<std::jthread> threads_;
};

Result<void> put(const RunPlan& plan, const PlannedUnit& unit, const Played& played,
                 store::RunStore& store) {
  const store::UnitKey key = plan.key(unit);
  const std::optional<store::Unit> known = store.find(key);
  const Result<store::UnitId> id = store.open_unit(key, static_cast<std::int64_t>(plan.seed(unit)));
  if (!id) return tl::unexpected(id.error());
  if (known && known->turns > 0) {
    if (Result<void> emptied = store.restart(*id); !emptied) return emptied;
  }
  if (Result<void> appended = store.append_turns(*id, played.turns); !appended) return appended;
  return store.finish(*id, played.outcome);
}

}  // namespace

Result<RunEnd> play_local(const RunPlan& plan, std::span<const PlannedUnit> units,
                          store::RunStore& store, const RunnerSettings& settings,
                          const RunnerHooks& hooks, RunProgress& progress) {
  constexpr std::chrono::milliseconds kPatience{100};
  RunEnd end;
  Players players(plan, units, settings.threads);
  std::vector<std::size_t> first_arm;  // of each cell, in progress.arms
  std::size_t arms = 0;
  for (const CellPlan& cell : plan.study.cells) {
    first_arm.push_back(arms);
    arms += cell.arms.size();
  }
  for (std::size_t ended = 0; ended < units.size();) {
    progress.alive = std::min(players.most_alive(), units.size() - ended);
    if (!hooks.goes_on(progress)) {
      end.interrupted = true;
      break;
    }
    const std::optional<Played> played = players.take(kPatience);
    if (!played) continue;
    if (played->failure) std::rethrow_exception(played->failure);
    const PlannedUnit& unit = units[played->index];
    if (const Result<void> usable = check_script_end(plan, unit, played->problem); !usable) {
      return tl::unexpected(usable.error());
    }
    if (const Result<void> stored = put(plan, unit, *played, store); !stored) {
      return tl::unexpected(stored.error());
    }
    ++ended;
    progress.arms[first_arm[unit.cell] + unit.arm].add(played->outcome, played->counts,
                                                       played->problem);
    if (played->outcome.state == store::UnitState::done) {
      ++progress.done;
    } else {
      ++progress.infrastructure;
    }
  }
  players.stop();
  progress.alive = 0;
  if (const Result<void> written = store.flush(); !written) {
    return tl::unexpected(written.error());
  }
  return end;
}

}  // namespace unmask::run
