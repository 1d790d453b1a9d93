#include "unmask/simulate/plan.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "unmask/world/environment.h"
#include "unmask/world/generate/generate.h"
#include "unmask/world/generate/own_world.h"

namespace unmask::simulate {
namespace {

std::shared_ptr<const world::World> own(std::string_view name) {
  world::generated::WorldSettings settings;
  settings.domain = name == "retail" ? world::generated::GeneratedDomain::retail
                                     : world::generated::GeneratedDomain::telecom;
  settings.tasks = 60;
  settings.seed = 11;
  auto world = world::generated::own_world(name, settings);
  if (!world) throw std::runtime_error(world.error().message);
  return *world;
}

TEST(Plan, EveryStepOfEveryTaskSucceeds) {
  for (const std::string_view name : {"retail", "telecom", "telecom-workflow"}) {
    const auto world = own(name);
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
  const auto world = own("telecom");
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
