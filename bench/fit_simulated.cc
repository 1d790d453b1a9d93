// Fits the three parameters of src/unmask/simulate/data/simulated_models.toml that are fitted, one
// after the other, by bisection; prints them with the figures that they give.
//   build/release/bench/fit_simulated          fits
//   build/release/bench/fit_simulated --show   the figures of every model, domain and precision

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "unmask/base/check.h"
#include "unmask/base/clock.h"
#include "unmask/base/rng.h"
#include "unmask/play/facts_user.h"
#include "unmask/play/orchestrator.h"
#include "unmask/run/unit_seed.h"
#include "unmask/simulate/models.h"
#include "unmask/simulate/simulated_agent.h"
#include "unmask/world/environment.h"
#include "unmask/world/evaluate.h"
#include "unmask/world/generate/generate.h"
#include "unmask/world/generate/own_world.h"

namespace {

using namespace unmask;
using namespace unmask::simulate;

constexpr std::uint32_t kTasks = 114;
constexpr int kTrials = 4;
constexpr std::uint64_t kSeed = kDefaultSeed;

// The paper's figures, Gemma-4 dense in Telecom.
constexpr double kHallucinatedBf16 = 649;
constexpr double kHallucinatedInt4 = 1646;
constexpr double kSolvedBf16 = 0.667;

std::shared_ptr<const world::World> own(std::string_view name) {
  world::generated::WorldSettings settings;
  settings.domain = name == "retail" ? world::generated::GeneratedDomain::retail
                                     : world::generated::GeneratedDomain::telecom;
  settings.tasks = kTasks;
  auto world = world::generated::own_world(name, settings);
  if (!world) {
    std::fprintf(stderr, "fit_simulated: %s\n", world.error().message.c_str());
    std::exit(1);
  }
  return *world;
}

struct Figures {
  double hallucinated = 0;
  double calls = 0;
  double failed = 0;
  double followed = 0;
  double recovered = 0;
  double solved = 0;
  double solved_at_2 = 0;
  double messages = 0;
  double episodes = 0;
};

/// The episodes of an arm of the demo's cell of that model and world, seed for seed.
Figures figures(const world::World& world, const ModelTraits& traits, const LogitNoise& noise,
                RepairTraits repair = {}) {
  const std::string cell = traits.name + "/" + world.name();
  Figures sum;
  const std::optional<world::Toolkit>& phone = world.setup().user;
  const std::optional<play::StepFinder> steps =
      phone ? std::optional<play::StepFinder>(*phone) : std::nullopt;
  for (const world::Task& task : world.tasks()) {
    const auto plan = std::make_shared<const Plan>(plan_of(world, task));
    for (int trial = 0; trial < kTrials; ++trial) {
      const auto environment = world.make_environment();
      UNMASK_CHECK(environment);
      const SimulatedAgent agent(
          world, task, plan,
          {.policy = world.setup().policy,
           .traits = traits,
           .noise = noise,
           .repair = repair,
           .seed = kSeed,
           .trial_seed = run::unit_seed(
               {.study_seed = kSeed, .cell = cell, .task = task.id, .trial = trial})});
      const play::FactsUser user(steps ? &*steps : nullptr, task);
      const ManualClock clock;
      play::Orchestrator episode(**environment, task, {}, agent, user, clock);
      episode.start();
      if (episode.advance() || episode.raised()) {
        std::fprintf(stderr, "fit_simulated: %s: %s\n", task.id.c_str(),
                     episode.raised() ? episode.raised()->text.c_str() : "asked a model");
        std::exit(1);
      }
      bool after_failure = false;
      const auto messages = episode.trajectory();
      for (std::size_t i = 0; i + 1 < messages.size(); ++i) {
        const world::Message& message = messages[i];
        if (message.role != world::Role::assistant || !message.tool_calls) continue;
        const bool failed = messages[i + 1].error;
        const bool offered = world.setup().agent.find_tool(message.tool_calls->front().name);
        sum.calls += 1;
        sum.failed += failed ? 1 : 0;
        sum.hallucinated += offered ? 0 : 1;
        if (after_failure) {
          sum.followed += 1;
          sum.recovered += failed ? 0 : 1;
        }
        after_failure = failed;
      }
      const auto ended = episode.termination();
      UNMASK_CHECK(ended);
      const auto reward = world::evaluate(
          world, task, {.messages = messages, .termination_reason = name_of(*ended)});
      const bool solved = reward && reward->reward == 1.0;
      sum.solved += solved ? 1 : 0;
      sum.solved_at_2 += solved && episode.num_errors() < 2 ? 1 : 0;
      sum.messages += static_cast<double>(messages.size());
      sum.episodes += 1;
    }
  }
  return sum;
}

void print(std::string_view model, std::string_view domain, const LogitNoise& noise,
           const Figures& f) {
  std::printf(
      "%-17s %-16s %-6s calls %6.0f  failed %5.0f  hallucinated %5.0f (%4.1f %% of calls)  "
      "recovery %4.1f %%  solved %4.1f %%  at K=2 %4.1f %%  messages %4.1f\n",
      std::string(model).c_str(), std::string(domain).c_str(), noise.name.c_str(), f.calls,
      f.failed, f.hallucinated, 100 * f.hallucinated / f.calls,
      f.followed > 0 ? 100 * f.recovered / f.followed : 0.0, 100 * f.solved / f.episodes,
      100 * f.solved_at_2 / f.episodes, f.messages / f.episodes);
}

/// Where a rising function reaches `target`.
double bisect(double low, double high, double target, const std::function<double(double)>& value) {
  for (int i = 0; i < 24; ++i) {
    const double middle = 0.5 * (low + high);
    (value(middle) < target ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

void show() {
  for (const std::string_view domain : {"retail", "telecom", "telecom-workflow"}) {
    const auto world = own(domain);
    for (const Model& model : own_models().models) {
      for (const LogitNoise& noise : own_models().precisions) {
        print(model.traits.name, domain, noise, figures(*world, model.traits, noise));
      }
    }
  }
}

void fit() {
  const auto world = own("telecom");
  ModelTraits traits = own_models().find_model("gemma-like-dense")->traits;
  LogitNoise noise = *own_models().find_precision("int4");
  const LogitNoise none = *own_models().find_precision("bf16");
  // The margins depend a little on one another: failing episodes are longer.
  for (int round = 0; round < 3; ++round) {
    traits.duty_margin = bisect(-60, 60, kSolvedBf16, [&](double margin) {
      traits.duty_margin = margin;
      const Figures f = figures(*world, traits, none);
      return f.solved / f.episodes;
    });
    traits.ask_margin = bisect(-10, 30, -kHallucinatedBf16, [&](double margin) {
      traits.ask_margin = margin;
      return -figures(*world, traits, none).hallucinated;
    });
    noise.margin_sd = bisect(0, 20, kHallucinatedInt4, [&](double sd) {
      noise.margin_sd = sd;
      return figures(*world, traits, noise).hallucinated;
    });
    std::printf("ask_margin %.3f  duty_margin %.3f  int4 margin_sd %.3f\n", traits.ask_margin,
                traits.duty_margin, noise.margin_sd);
  }
  print(traits.name, "telecom", none, figures(*world, traits, none));
  print(traits.name, "telecom", noise, figures(*world, traits, noise));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "--show") {
    show();
  } else {
    fit();
  }
  return 0;
}
