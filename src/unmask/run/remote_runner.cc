#include "unmask/run/remote_runner.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/base/clock.h"
#include "unmask/base/error.h"
#include "unmask/llm/chat.h"
#include "unmask/run/endpoint_health.h"
#include "unmask/run/live_unit.h"
#include "unmask/run/model.h"
#include "unmask/run/run_plan.h"
#include "unmask/run/run_progress.h"
#include "unmask/run/run_study.h"
#include "unmask/run/runner.h"
#include "unmask/store/run.h"
#include "unmask/store/run_store.h"

namespace unmask::run {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
/// Episodes begun between two looks at the answers.
constexpr std::size_t kBegunAtOnce = 16;

/// Answers on their way from the models' threads to the runner's. Outlives the runner where a model
/// answers late.
class AnswerQueue {
 public:
  struct Answer {
    std::uint64_t slot = 0;
    llm::ChatResult result;
  };

  void put(std::uint64_t slot, llm::ChatResult result) {
    {
      const std::lock_guard lock(mutex_);
      answers_.push_back({slot, std::move(result)});
    }
    arrived_.notify_one();
  }

  /// All that have arrived, after waiting for the first one for at most `patience`.
  std::vector<Answer> take(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    arrived_.wait_for(lock, patience, [this] { return !answers_.empty(); });
    return std::exchange(answers_, {});
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<Answer> answers_;
};

/// An episode that is being played.
struct Slot {
  PlannedUnit unit;
  store::UnitId id{};
  std::size_t lane = 0;
  std::unique_ptr<LiveUnit> episode;
  std::optional<Request> request;  ///< to be sent, or under way
  bool is_trial = false;           ///< the request tries a paused endpoint
};

/// The units whose pace one endpoint sets: the agent's, or the user's where only that is a model.
struct Lane {
  std::deque<PlannedUnit> waiting;
  std::size_t alive = 0;
  std::size_t most_alive = 0;
};

struct EndpointUse {
  Model* model = nullptr;
  EndpointHealth health;
  std::deque<std::uint64_t> kept;           ///< slots that wait for it
  SteadyClock::time_point told_trial_at{};  ///< the trial that was last told of
};

class RemoteRunner {
 public:
  RemoteRunner(const RunPlan& plan, store::RunStore& store,
               std::span<const std::unique_ptr<Model>> models, const RunnerSettings& settings,
               const RunnerHooks& hooks, RunProgress& progress)
      : plan_(plan), store_(store), settings_(settings), hooks_(hooks), progress_(progress) {
    for (const std::unique_ptr<Model>& model : models) {
      endpoints_.push_back({model.get(), EndpointHealth(settings), {}, {}});
    }
    lanes_.resize(endpoints_.size());
    std::size_t arms = 0;
    for (const CellPlan& cell : plan.study.cells) {
      first_arm_.push_back(arms);
      arms += cell.arms.size();
    }
  }

  Result<RunEnd> run(std::span<const PlannedUnit> units) {
    line_up(units);
    std::optional<SteadyClock::time_point> stop_at;
    while (true) {
      if (!stop_at && !hooks_.goes_on(progress_)) stop_at = SteadyClock::now() + settings_.grace;
      stopping_ = stop_at.has_value();
      if (!stopping_) {
        if (Result<void> begun = begin_units(); !begun) return tl::unexpected(begun.error());
        try_paused_endpoints();
      }
      if (Result<void> settled = settle(); !settled) return tl::unexpected(settled.error());
      if (stopping_ && (progress_.asking == 0 || SteadyClock::now() >= *stop_at)) break;
      if (slots_.empty() && nothing_waits()) break;
      for (AnswerQueue::Answer& answer : queue_->take(patience())) take_answer(std::move(answer));
    }
    RunEnd end;
    end.interrupted = stopping_;
    for (std::size_t i = 0; i < endpoints_.size(); ++i) {
      if (endpoints_[i].health.state() != EndpointHealth::State::lost) continue;
      end.lost_endpoints.push_back(plan_.study.endpoints[i].name + ": " +
                                   endpoints_[i].health.last_error());
    }
    progress_.alive = 0;
    progress_.asking = 0;
    return end;
  }

 private:
  [[nodiscard]] std::size_t endpoint_named(std::string_view name) const {
    const std::vector<EndpointPlan>& plans = plan_.study.endpoints;
    const auto found = std::ranges::find(plans, name, &EndpointPlan::name);
    return found == plans.end() ? kNone : static_cast<std::size_t>(found - plans.begin());
  }

  [[nodiscard]] std::size_t agent_endpoint(const PlannedUnit& unit) const {
    return endpoint_named(plan_.arm(unit).endpoint);
  }
  [[nodiscard]] std::size_t user_endpoint(const PlannedUnit& unit) const {
    if (unit.state) return kNone;  // a script speaks for it
    return endpoint_named(plan_.cell(unit).user_endpoint);
  }

  [[nodiscard]] std::size_t endpoint_of(const PlannedUnit& unit, Asked asked) const {
    switch (asked) {
      case Asked::agent:
        return agent_endpoint(unit);
      case Asked::user:
        return user_endpoint(unit);
      case Asked::judge:
        return endpoint_named(plan_.study.judge);
    }
    return kNone;
  }

  void line_up(std::span<const PlannedUnit> units) {
    for (const PlannedUnit& unit : units) {
      const std::size_t agent = agent_endpoint(unit);
      const std::size_t user = user_endpoint(unit);
      // A unit whose only model is its judge goes at the judge's pace.
      const std::size_t pace = agent != kNone  ? agent
                               : user != kNone ? user
                                               : endpoint_named(plan_.study.judge);
      UNMASK_CHECK(pace != kNone);
      Lane& lane = lanes_[pace];
      lane.waiting.push_back(unit);
      std::size_t most = plan_.study.endpoints[pace].max_concurrency;
      // While one of two models is asked, the other has nothing to do in that episode.
      if (user != kNone && user != pace) most += plan_.study.endpoints[user].max_concurrency;
      lane.most_alive = std::max(lane.most_alive, most);
    }
  }

  [[nodiscard]] bool nothing_waits() const {
    return std::ranges::all_of(lanes_, [](const Lane& lane) { return lane.waiting.empty(); });
  }

  [[nodiscard]] EndpointHealth::State worst_state(const PlannedUnit& unit) const {
    EndpointHealth::State worst = EndpointHealth::State::open;
    for (const std::size_t endpoint : {agent_endpoint(unit), user_endpoint(unit)}) {
      if (endpoint != kNone) worst = std::max(worst, endpoints_[endpoint].health.state());
    }
    return worst;
  }

  Result<void> begin_units() {
    std::size_t begun = 0;
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      Lane& lane = lanes_[i];
      // One whose other endpoint is paused goes to the end of the line; each gets one look.
      for (std::size_t looks = lane.waiting.size(); looks > 0; --looks) {
        if (lane.alive >= lane.most_alive || begun >= kBegunAtOnce) break;
        const PlannedUnit unit = lane.waiting.front();
        const EndpointHealth::State state = worst_state(unit);
        lane.waiting.pop_front();
        if (state == EndpointHealth::State::lost) continue;
        if (state == EndpointHealth::State::paused) {
          lane.waiting.push_back(unit);
          continue;
        }
        // Beginnings are stored with what they lead to.
        if (begun == 0) store_.gather();
        if (Result<void> done = begin(unit, i); !done) return done;
        ++begun;
      }
    }
    return {};
  }

  Result<void> begin(const PlannedUnit& unit, std::size_t lane) {
    const store::UnitKey key = plan_.key(unit);
    const Result<store::UnitId> id =
        store_.open_unit(key, static_cast<std::int64_t>(plan_.seed(unit)));
    if (!id) return tl::unexpected(id.error());
    Result<std::vector<store::Turn>> recorded;
    if (store_.units()[static_cast<std::size_t>(*id) - 1].turns > 0) {
      recorded = store_.read_turns(*id);
      if (!recorded) return tl::unexpected(recorded.error());
    }
    Slot slot;
    slot.unit = unit;
    slot.id = *id;
    slot.lane = lane;
    slot.episode = make_unit(plan_, unit, clock_);
    if (const Result<void> begun = slot.episode->begin(*recorded); !begun) {
      return fail(begun.error().code,
                  store_.path().string() + ": cell " + key.cell + ", arm " + key.arm + ", trial " +
                      std::to_string(key.trial) + ", " + begun.error().message +
                      ". Continue with unmask " + store_.info().version +
                      ", which began this run, or begin a new one with another -o");
    }
    slot.request = slot.episode->next();
    ++lanes_[lane].alive;
    ++progress_.alive;
    const std::uint64_t number = next_slot_++;
    slots_.emplace(number, std::move(slot));
    touched_.push_back(number);
    return {};
  }

  /// Stores what has happened, ends episodes that are over, and asks what is to be asked next.
  Result<void> settle() {
    while (!touched_.empty()) {
      const std::vector<std::uint64_t> touched = std::exchange(touched_, {});
      if (Result<void> stored = store_turns(touched); !stored) return stored;
      for (const std::uint64_t number : touched) {
        if (!slots_.at(number).request) {
          retire(number);
        } else if (!stopping_) {
          ask(number);
        }
      }
    }
    return {};
  }

  /// Stores turns and ends in one transaction, on the disk when this returns.
  Result<void> store_turns(std::span<const std::uint64_t> touched) {
    std::vector<store::UnitTurn> turns;
    for (const std::uint64_t number : touched) {
      Slot& slot = slots_.at(number);
      for (store::Turn& turn : slot.episode->take_turns()) {
        turns.push_back({slot.id, std::move(turn)});
      }
    }
    store_.gather();
    if (Result<void> stored = store_.append(turns); !stored) return stored;
    Result<void> ended;
    for (const std::uint64_t number : touched) {
      const Slot& slot = slots_.at(number);
      if (slot.request) continue;
      ended = check_script_end(plan_, slot.unit, slot.episode->problem());
      if (ended) ended = store_.finish(slot.id, slot.episode->outcome());
      if (!ended) break;
    }
    // What was paid for is stored, whatever an end was like.
    const Result<void> stored = store_.flush();
    return ended ? stored : ended;
  }

  /// Lets go of an episode whose end is stored.
  void retire(std::uint64_t number) {
    const Slot& slot = slots_.at(number);
    const store::Outcome& outcome = slot.episode->outcome();
    progress_.arms[first_arm_[slot.unit.cell] + slot.unit.arm].add(outcome, slot.episode->counts(),
                                                                   slot.episode->problem());
    if (outcome.state == store::UnitState::done) {
      ++progress_.done;
    } else {
      ++progress_.infrastructure;
    }
    --lanes_[slot.lane].alive;
    --progress_.alive;
    slots_.erase(number);
  }

  void ask(std::uint64_t number) {
    Slot& slot = slots_.at(number);
    if (!slot.request) return;
    const std::size_t index = endpoint_of(slot.unit, slot.request->asked);
    EndpointUse& endpoint = endpoints_[index];
    switch (endpoint.health.state()) {
      case EndpointHealth::State::lost:
        return give_up(number, endpoint);
      case EndpointHealth::State::paused:
        if (!slot.is_trial) {
          endpoint.kept.push_back(number);
          return;
        }
        break;
      case EndpointHealth::State::open:
        break;
    }
    llm::ChatRequest& request = slot.request->chat;
    request.log_probabilities =
        slot.request->asked == Asked::agent && plan_.study.endpoints[index].top_logprobs > 0;
    ++progress_.asking;
    endpoint.model->ask(request, [queue = queue_, number](llm::ChatResult result) {
      queue->put(number, std::move(result));
    });
  }

  void give_up(std::uint64_t number, const EndpointUse& endpoint) {
    llm::ChatError error;
    error.message = endpoint.health.last_error();
    proceed(number, tl::unexpected(std::move(error)));
  }

  /// Gives an answer, or the lack of one, to its episode.
  void proceed(std::uint64_t number, const llm::ChatResult& result) {
    Slot& slot = slots_.at(number);
    slot.is_trial = false;
    slot.episode->answer(result);
    slot.request = slot.episode->next();
    touched_.push_back(number);
  }

  void take_answer(AnswerQueue::Answer answer) {
    --progress_.asking;
    Slot& slot = slots_.at(answer.slot);
    if (!slot.request) return;
    const std::size_t index = endpoint_of(slot.unit, slot.request->asked);
    EndpointUse& endpoint = endpoints_[index];
    const EndpointHealth::State before = endpoint.health.state();
    EndpointHealth::Verdict verdict = EndpointHealth::Verdict::end_episode;
    if (answer.result) {
      endpoint.health.answered();
    } else {
      verdict = endpoint.health.failed(answer.result.error(), slot.is_trial, SteadyClock::now());
    }
    if (!answer.result && verdict == EndpointHealth::Verdict::keep_episode) {
      slot.is_trial = false;
      endpoint.kept.push_back(answer.slot);
    } else {
      proceed(answer.slot, answer.result);
    }
    tell_change(index, before);
  }

  void tell_change(std::size_t index, EndpointHealth::State before) {
    EndpointUse& endpoint = endpoints_[index];
    const std::string& name = plan_.study.endpoints[index].name;
    const EndpointHealth::State now = endpoint.health.state();
    if (now == EndpointHealth::State::paused) {
      const SteadyClock::time_point trial_at = endpoint.health.trial_at();
      if (trial_at == endpoint.told_trial_at) return;
      endpoint.told_trial_at = trial_at;
      const auto wait =
          std::chrono::ceil<std::chrono::seconds>(trial_at - SteadyClock::now()).count();
      hooks_.tell("endpoint " + name + " does not answer (" + endpoint.health.last_error() +
                  "); its arms wait, it is tried again in " + std::to_string(wait) + " s");
      return;
    }
    if (now == before) return;
    if (now == EndpointHealth::State::lost) {
      hooks_.tell("endpoint " + name + " is given up (" + endpoint.health.last_error() +
                  "); its arms stop, the others go on");
    } else {
      hooks_.tell("endpoint " + name + " answers again");
    }
    for (const std::uint64_t number : std::exchange(endpoint.kept, {})) {
      if (!stopping_) ask(number);
    }
  }

  void try_paused_endpoints() {
    for (EndpointUse& endpoint : endpoints_) {
      if (endpoint.kept.empty() || !endpoint.health.is_trial_due(SteadyClock::now())) continue;
      const std::uint64_t number = endpoint.kept.front();
      endpoint.kept.pop_front();
      endpoint.health.trial_sent();
      slots_.at(number).is_trial = true;
      ask(number);
    }
  }

  /// How long answers may be waited for before something else is due.
  [[nodiscard]] std::chrono::milliseconds patience() const {
    constexpr std::chrono::milliseconds kLook{100};  // at interrupts, and to show progress
    const bool more_to_begin = std::ranges::any_of(lanes_, [](const Lane& lane) {
      return !lane.waiting.empty() && lane.alive < lane.most_alive;
    });
    return more_to_begin && !stopping_ && progress_.asking > 0 ? std::chrono::milliseconds(1)
                                                               : kLook;
  }

  const RunPlan& plan_;
  store::RunStore& store_;
  const RunnerSettings& settings_;
  const RunnerHooks& hooks_;
  RunProgress& progress_;
  SystemClock clock_;
  std::shared_ptr<AnswerQueue> queue_ = std::make_shared<AnswerQueue>();
  std::vector<EndpointUse> endpoints_;
  std::vector<Lane> lanes_;             ///< by endpoint
  std::vector<std::size_t> first_arm_;  ///< of each cell, in progress_.arms
  std::map<std::uint64_t, Slot> slots_;
  std::vector<std::uint64_t> touched_;  ///< slots with something to store or to ask
  std::uint64_t next_slot_ = 0;
  bool stopping_ = false;
};

}  // namespace

Result<RunEnd> play_remote(const RunPlan& plan, std::span<const PlannedUnit> units,
                           store::RunStore& store, std::span<const std::unique_ptr<Model>> models,
                           const RunnerSettings& settings, const RunnerHooks& hooks,
                           RunProgress& progress) {
  return RemoteRunner(plan, store, models, settings, hooks, progress).run(units);
}

}  // namespace unmask::run
