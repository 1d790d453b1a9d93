#include "unmask/simulate/course.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/episode/channel.h"
#include "unmask/play/facts_user.h"
#include "unmask/simulate/decision.h"
#include "unmask/simulate/plan.h"
#include "unmask/world/value.h"

namespace unmask::simulate {
namespace {

/// Rounds after the first one, in which steps that are not done are taken up.
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

/// The argument that names what a call is about; null if there is none.
const world::Member* id_of(const world::Object& arguments) {
  for (const world::Member& member : arguments) {
    if (member.value.is_string() && member.key.ends_with("id")) return &member;
  }
  return nullptr;
}

}  // namespace

Course::Course(const Plan& plan, std::string_view task_id, const AgentSettings& settings)
    : plan_(plan), task_id_(task_id), settings_(settings), done_(plan.steps.size(), false) {
  if (settings.golden_action) take_up(*settings.golden_action);
  settle();
}

void Course::take_up(std::size_t golden_action) {
  std::size_t before = golden_action;  // needed steps that are done already
  for (; step_ < plan_.steps.size(); ++step_) {
    if (plan_.steps[step_].needed && before-- == 0) return;
    done_[step_] = true;
  }
}

Place Course::place() const {
  return {.seed = settings_.seed,
          .task = task_id_,
          .trial_seed = settings_.trial_seed,
          .step = static_cast<std::uint32_t>(step_),
          .attempt = round_ * kAttemptsARound + attempt_};
}

bool Course::is_left_out(std::size_t step) const {
  if (!plan_.steps[step].needed) return false;
  Place here = place();
  here.attempt = round_ * kAttemptsARound + static_cast<std::uint32_t>(step);
  const double margin = margin_at(settings_.traits, DecisionKind::duty, here);
  return !decide(settings_.traits, settings_.noise, DecisionKind::duty, here, "do", {{"done", 0.0}},
                 margin)
              .is_right();
}

double Course::named_pull(std::string_view tool) const {
  return settings_.policy.find(tool) != std::string::npos ? settings_.traits.named_pull : 0.0;
}

std::vector<Temptation> Course::temptations(const Step& step) const {
  std::vector<Temptation> tempting;
  if (step.party == Party::user) {
    tempting.push_back({step.tool, named_pull(step.tool)});
    const std::string_view sign = sign_of(step.tool);
    if (!sign.empty()) {
      tempting.push_back({std::string(sign), named_pull(sign) - settings_.traits.context_sd});
    }
  }
  for (const Temptation& name : settings_.traits.invented) tempting.push_back(name);
  return tempting;
}

void Course::settle() {
  for (; step_ < plan_.steps.size(); ++step_) {
    if (done_[step_] || is_left_out(step_)) continue;
    attempt_ = 0;
    refusals_ = 0;
    begin_step();
    return;
  }
  did_ = Did::close;
  action_ = {};
}

void Course::reopen() {
  const bool all_done = std::ranges::all_of(done_, [](bool done) { return done; });
  if (all_done || round_ == kMoreRounds) {
    action_ = {Action::Kind::hand_over, std::string(play::kHandOver), {}, std::nullopt};
    return;
  }
  ++round_;
  step_ = 0;
  settle();
}

Decision Course::choose_name() const {
  const Step& step = plan_.steps[step_];
  const bool asks = step.party == Party::user;
  const DecisionKind kind = asks ? DecisionKind::ask : DecisionKind::call;
  double margin = margin_at(settings_.traits, kind, place());
  if (settings_.repair.rule) margin += settings_.traits.rule_pull;
  if (asks) margin -= named_pull(step.tool);
  return decide(settings_.traits, settings_.noise, kind, place(),
                asks ? std::string_view() : std::string_view(step.tool), temptations(step), margin);
}

void Course::begin_step() {
  Decision decision = choose_name();
  if (!decision.is_right()) return call_tempting(std::move(decision));
  const Step& step = plan_.steps[step_];
  const bool garbles =
      step.party == Party::agent && id_of(step.arguments) != nullptr &&
      !decide(settings_.traits, settings_.noise, DecisionKind::argument, place(), "copied",
              {{"garbled", 0.0}}, margin_at(settings_.traits, DecisionKind::argument, place()))
           .is_right();
  if (garbles) {
    garble_step();
  } else {
    do_step();
  }
  action_.decision = std::move(decision);
}

void Course::try_again() {
  const bool recovered = recovers(settings_.traits, place(), settings_.repair.diagnosed);
  const Step& step = plan_.steps[step_];
  if (did_ == Did::planned || did_ == Did::look_up) return do_step();
  if (did_ == Did::garbled) return recovered ? do_step() : garble_step();
  if (recovered && step.party == Party::user && plan_.refuge) {
    did_ = Did::look_up;
    action_ = {Action::Kind::call, plan_.refuge->tool, plan_.refuge->arguments, std::nullopt};
    return;
  }
  if (recovered) return do_step();
  Decision decision = choose_name();
  if (decision.is_right()) {
    if (decision.options.size() == 1) return do_step();
    const auto best = std::max_element(
        decision.options.begin() + 1, decision.options.end(),
        [](const Option& left, const Option& right) { return left.logit < right.logit; });
    decision.chosen = static_cast<std::size_t>(best - decision.options.begin());
  }
  call_tempting(std::move(decision));
}

void Course::call_tempting(Decision decision) {
  did_ = Did::wrong;
  action_ = {Action::Kind::call, decision.options[decision.chosen].name,
             plan_.steps[step_].arguments, std::nullopt};
  action_.decision = std::move(decision);
}

void Course::do_step() {
  const Step& step = plan_.steps[step_];
  did_ = Did::planned;
  action_ = {step.party == Party::user ? Action::Kind::ask : Action::Kind::call, step.tool,
             step.arguments, std::nullopt};
}

void Course::garble_step() {
  do_step();
  did_ = Did::garbled;
  const world::Member* id = id_of(plan_.steps[step_].arguments);
  action_.arguments.set(id->key, garbled(*id->value.string()));
}

void Course::advance(bool failed) {
  if (did_ == Did::close) return reopen();
  ++attempt_;
  if (did_ == Did::look_up) return do_step();
  if (failed && did_ == Did::planned) ++refusals_;
  if (failed && refusals_ < kRefusals) return try_again();
  if (!failed) done_[step_] = true;
  ++step_;
  settle();
}

}  // namespace unmask::simulate
