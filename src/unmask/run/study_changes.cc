#include "unmask/run/study_changes.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "unmask/budget/budget_semantics.h"
#include "unmask/play/settings.h"
#include "unmask/run/run_study.h"
#include "unmask/study/study_reader.h"

namespace unmask::run {
namespace {

/// A model in the process may move to another folder.
std::string file_name(const EndpointPlan& endpoint) {
  return std::filesystem::path(endpoint.gguf).filename().string();
}

class Comparison {
 public:
  Comparison(const RunStudy& before, const RunStudy& now) : before_(before), now_(now) {}

  std::vector<std::string> changes() {
    check(before_.seed == now_.seed, "seed", std::to_string(before_.seed),
          std::to_string(now_.seed));
    if (now_.trials < before_.trials) {
      changed("trials", std::to_string(before_.trials), std::to_string(now_.trials));
    }
    check_settings(before_.episode, now_.episode);
    check_endpoint("the judge", before_.judge, now_.judge);
    for (const CellPlan& cell : before_.cells) check_cell(cell);
    return std::move(changes_);
  }

 private:
  void changed(const std::string& what, const std::string& before, const std::string& now) {
    changes_.push_back(what + " was " + before + " and is now " + now);
  }
  void check(bool same, const std::string& what, const std::string& before,
             const std::string& now) {
    if (!same) changed(what, before, now);
  }

  void check_settings(const play::EpisodeSettings& before, const play::EpisodeSettings& now) {
    check(before.max_steps == now.max_steps, "max_steps", std::to_string(before.max_steps),
          std::to_string(now.max_steps));
    check(before.max_errors == now.max_errors, "max_errors", std::to_string(before.max_errors),
          std::to_string(now.max_errors));
    check(before.budget == now.budget, "the budget's rule", name_of(before.budget),
          name_of(now.budget));
    if (before.timeout_seconds != now.timeout_seconds) changes_.emplace_back("timeout has changed");
    if (before.validate_communication != now.validate_communication) {
      changes_.emplace_back("validate_communication has changed");
    }
    if (before.when_empty != now.when_empty) changes_.emplace_back("when_empty has changed");
  }

  /// Whether two endpoints may give different answers.
  void check_endpoint(const std::string& whose, const std::string& before, const std::string& now) {
    const EndpointPlan* old_one = before_.find_endpoint(before);
    const EndpointPlan* new_one = now_.find_endpoint(now);
    if (old_one == nullptr && new_one == nullptr) return;
    if (old_one == nullptr || new_one == nullptr) {
      changes_.push_back("the endpoint of " + whose + " has changed");
      return;
    }
    check(old_one->model == new_one->model, "the model of " + whose, old_one->model,
          new_one->model);
    if (old_one->temperature != new_one->temperature ||
        old_one->max_tokens != new_one->max_tokens || old_one->extra_body != new_one->extra_body ||
        old_one->top_logprobs != new_one->top_logprobs ||
        old_one->text_protocol != new_one->text_protocol ||
        old_one->gguf.empty() != new_one->gguf.empty() ||
        file_name(*old_one) != file_name(*new_one) || old_one->context != new_one->context ||
        old_one->begins != new_one->begins) {
      changes_.push_back("what is asked of the endpoint of " + whose +
                         " has changed (temperature, max_tokens, extra_body, top_logprobs, "
                         "text_protocol, gguf, context or begins)");
    }
  }

  void check_cell(const CellPlan& before) {
    const std::string& id = before.source.info.cell;
    const auto found = std::ranges::find_if(
        now_.cells, [&](const CellPlan& cell) { return cell.source.info.cell == id; });
    if (found == now_.cells.end()) {
      changes_.push_back("cell " + id + " is gone");
      return;
    }
    const CellPlan& now = *found;
    const std::string cell = "cell " + id;
    check(before.source.info.domain == now.source.info.domain, "the domain of " + cell,
          before.source.info.domain, now.source.info.domain);
    if (before.user != now.user) {
      changed("the user of " + cell, std::string(name_of(before.user)),
              std::string(name_of(now.user)));
    } else {
      check_endpoint("the user of " + cell, before.user_endpoint, now.user_endpoint);
    }
    if (before.tasks.official != now.tasks.official ||
        (!now.tasks.official && before.tasks.world != now.tasks.world)) {
      changes_.push_back("the world of " + cell +
                         " has changed (source, number, seed, difficulty or policy of its tasks)");
    }
    for (std::size_t i = 0; i < before.arms.size(); ++i) {
      check_arm(cell, before.source.arms[i], before.arms[i], now);
    }
  }

  void check_arm(const std::string& cell, const ArmSource& source, const ArmPlan& before,
                 const CellPlan& now) {
    const std::string arm = "arm " + source.name + " of " + cell;
    const auto found = std::ranges::find(now.source.arms, source.name, &ArmSource::name);
    if (found == now.source.arms.end()) {
      changes_.push_back(arm + " is gone");
      return;
    }
    const auto index = static_cast<std::size_t>(found - now.source.arms.begin());
    ArmPlan after = now.arms[index];
    after.endpoint = before.endpoint;  // compared by what they are
    after.script = before.script;      // its messages are compared when an episode goes on
    if (after != before || found->precision != source.precision || found->role != source.role) {
      changes_.push_back(arm + " has changed (agent, model, margin_sd, repair, precision or role)");
    }
    check_endpoint(arm, before.endpoint, now.arms[index].endpoint);
  }

  const RunStudy& before_;
  const RunStudy& now_;
  std::vector<std::string> changes_;
};

}  // namespace

std::vector<std::string> forbidden_changes(const RunStudy& before, const RunStudy& now) {
  return Comparison(before, now).changes();
}

}  // namespace unmask::run
