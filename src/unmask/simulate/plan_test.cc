#include "unmask/simulate/plan.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/episode/channel.h"
#include "unmask/simulate/simulate_fixtures.h"
#include "unmask/world/environment.h"
#include "unmask/world/task.h"

namespace unmask::simulate {
namespace {

TEST(Plan, EveryStepOfEveryTaskSucceeds) {
  for (const std::string_view name : {"retail", "telecom", "telecom-workflow"}) {
    const auto world = fixtures::own_world(name, 60);
    for (const world::Task& task : world->tasks()) {
      SCOPED_TRACE(task.id);
      auto environment = world->make_environment();
      ASSERT_TRUE(environment);
      ASSERT_TRUE(
          world::set_state(**environment, task.initial_state ? &*task.initial_state : nullptr, {}));
      for (const Step& step : plan_of(*world, task).steps) {
        const world::CallResult result =
            (*environment)->call({"c", step.tool, step.arguments, step.party});
        EXPECT_FALSE(result.error) << step.tool << ": " << result.content;
      }
      for (const world::Assertion& assertion :
           task.evaluation_criteria->env_assertions.value_or(std::vector<world::Assertion>())) {
        const auto met = (*environment)->check(assertion);
        ASSERT_TRUE(met);
        EXPECT_TRUE(*met) << assertion.function.name;
      }
    }
  }
}

TEST(Plan, TelecomLooksBeforeItChanges) {
  const auto world = fixtures::own_world("telecom", 60);
  int looks = 0;
  for (const world::Task& task : world->tasks()) {
    const std::vector<Step> plan = plan_of(*world, task).steps;
    ASSERT_FALSE(plan.empty());
    EXPECT_EQ(plan.front().tool, "get_customer_by_phone");
    for (std::size_t i = 0; i < plan.size(); ++i) {
      if (plan[i].party == Party::user && plan[i].needed && !sign_of(plan[i].tool).empty()) {
        ++looks;
        const bool looked =
            std::any_of(plan.begin(), plan.begin() + static_cast<std::ptrdiff_t>(i),
                        [&](const Step& step) { return step.tool == sign_of(plan[i].tool); });
        EXPECT_TRUE(looked) << task.id << ": " << plan[i].tool;
      }
    }
  }
  EXPECT_GT(looks, 60);
}

}  // namespace
}  // namespace unmask::simulate
