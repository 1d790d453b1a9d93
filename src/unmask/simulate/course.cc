#include "unmask/simulate/course.h"

#include <algorithm>
#include <utility>

namespace unmask::simulate {
namespace {

/// Rounds after the first one, in which steps that were left out are taken up.
constexpr std::uint32_t kMoreRounds = 2;

/// How often a step is refused, done right, before the agent lets it be.
constexpr int kRefusals = 2;

/// Attempts of one place are told apart by round as well.
constexpr std::uint32_t kAttemptsARound = 1000;

/// An id with its last two digits swapped, or its last one changed: what a slip of the pen does.
std::string garbled(std::string id) {
  std::vector<std::size_t> digits;
  for (std::size_t i = 0; i < id.size(); ++i) {
    if (id[i] >= '0' && id[i] <= '9') digits.push_back(i);
  }
  if (digits.empty()) return id + "0";
  const std::size_t last = digits.back();
  if (digits.size() >= 2 && id[digits[digits.size() - 2]] != id[last]) {
    std::swap(id[digits[digits.size() - 2]], id[last]);
  } else {
    id[last] = id[last] == '9' ? '0' : static_cast<char>(id[last] + 1);
  }
  return id;
}

}  // namespace

Course::Course(const world::World& world, const world::Task& task, std::string_view policy,
               const ModelTraits& traits, LogitNoise noise, RepairTraits repair, std::uint64_t seed,
               std::uint64_t trial_seed)
    : world_(world),
      task_(task),
      policy_(policy),
      traits_(traits),
      noise_(std::move(noise)),
      repair_(repair),
      seed_(seed),
      trial_seed_(trial_seed),
      plan_(plan_of(world, task)),
      done_(plan_.size(), false) {
  settle();
}

Place Course::place() const {
  return {.seed = seed_,
          .task = task_.id,
          .trial_seed = trial_seed_,
          .step = static_cast<std::uint32_t>(step_),
          .attempt = round_ * kAttemptsARound + attempt_};
}

bool Course::is_left_out(std::size_t step) const {
  if (!plan_[step].needed) return false;
  Place here = place();
  here.step = static_cast<std::uint32_t>(step);
  here.attempt = round_ * kAttemptsARound + static_cast<std::uint32_t>(step);
  const double margin = margin_at(traits_, DecisionKind::duty, here);
  return !decide(traits_, noise_, DecisionKind::duty, here, "do", {{"done", 0.0}}, margin)
              .is_right();
}

double Course::named_pull(std::string_view tool) const {
  return policy_.find(tool) != std::string_view::npos ? traits_.named_pull : 0.0;
}

std::vector<Temptation> Course::temptations(const Step& step) const {
  std::vector<Temptation> tempting;
  if (step.party == Party::user) {
    tempting.push_back({step.tool, named_pull(step.tool)});
    const std::string_view sign = sign_of(step.tool);
    if (!sign.empty()) {
      tempting.push_back({std::string(sign), named_pull(sign) - traits_.context_sd});
    }
  }
  for (const Temptation& name : traits_.invented) tempting.push_back(name);
  return tempting;
}

void Course::settle() {
  attempt_ = 0;
  failed_before_ = false;
  refusals_ = 0;
  while (true) {
    for (; step_ < plan_.size(); ++step_) {
      if (done_[step_]) continue;
      if (is_left_out(step_)) continue;
      choose();
      return;
    }
    // Another round only if something was left out: who did all that they know gives up.
    const bool all_done = std::all_of(done_.begin(), done_.end(), [](bool done) { return done; });
    if (all_done || round_ == kMoreRounds) break;
    ++round_;
    step_ = 0;
    // The last look tells whether it helped, so it is taken again.
    for (std::size_t i = 0; i < plan_.size(); ++i) {
      if (plan_[i].last_look) done_[i] = false;
    }
  }
  action_ = {};
}

void Course::choose() {
  const Step& step = plan_[step_];
  const bool asks = step.party == Party::user;
  const DecisionKind kind = asks ? DecisionKind::ask : DecisionKind::call;
  std::vector<Temptation> tempting = temptations(step);
  const std::string_view right = asks ? std::string_view() : std::string_view(step.tool);
  double margin = margin_at(traits_, kind, place()) + (repair_.rule ? traits_.rule_pull : 0.0);
  if (asks) margin -= named_pull(step.tool);
  Decision decision = decide(traits_, noise_, kind, place(), right, tempting, margin);
  if (failed_before_) {
    if (recovers(traits_, place(), repair_.diagnosed)) {
      decision.chosen = 0;
    } else if (decision.is_right() && decision.options.size() > 1) {
      const auto best = std::max_element(
          decision.options.begin() + 1, decision.options.end(),
          [](const Option& left, const Option& right_) { return left.logit < right_.logit; });
      decision.chosen = static_cast<std::size_t>(best - decision.options.begin());
    }
  }
  is_as_planned_ = false;
  if (!decision.is_right()) {
    action_ = {Action::Kind::call, decision.options[decision.chosen].name, step.arguments,
               std::move(decision)};
    return;
  }
  bool garbles = false;
  if (!asks && !failed_before_) {
    const double argument_margin = margin_at(traits_, DecisionKind::argument, place());
    garbles = !decide(traits_, noise_, DecisionKind::argument, place(), "copied",
                      {{"garbled", 0.0}}, argument_margin)
                   .is_right();
  }
  act(step, garbles);
  action_.decision = std::move(decision);
}

void Course::act(const Step& step, bool is_garbled) {
  action_ = {step.party == Party::user ? Action::Kind::ask : Action::Kind::call, step.tool,
             step.arguments, std::nullopt};
  is_as_planned_ = !is_garbled;
  if (!is_garbled) return;
  // The id that names what the call is about: the first one that looks like one.
  for (const world::Member& member : step.arguments) {
    const std::string* text = member.value.string();
    if (text != nullptr && member.key.ends_with("id")) {
      action_.arguments.set(member.key, garbled(*text));
      return;
    }
  }
}

bool Course::expects_user() const {
  return std::any_of(plan_.begin(), plan_.end(),
                     [](const Step& step) { return step.party == Party::user; });
}

void Course::advance(bool failed) {
  if (failed && is_as_planned_) ++refusals_;
  if (failed && refusals_ < kRefusals) {
    ++attempt_;
    failed_before_ = true;
    choose();
    return;
  }
  if (!failed) done_[step_] = true;
  ++step_;
  settle();
}

}  // namespace unmask::simulate
