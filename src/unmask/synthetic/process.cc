#include "unmask/synthetic/process.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/base/rng.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"
#include "unmask/synthetic/message_cost.h"
#include "unmask/synthetic/world_texts.h"

namespace unmask::synthetic {
namespace {

bool is_share(double x) { return x >= 0.0 && x <= 1.0; }
bool is_mean(double x) { return x >= 0.0 && x < 500.0; }

void check_ranges(const CellProcess& process, const ArmProcess& arm) {
  UNMASK_CHECK(process.tasks >= 1 && process.trials >= 1 && process.max_errors >= 1);
  UNMASK_CHECK(process.solve_mean > 0.0 && process.solve_mean < 1.0);
  UNMASK_CHECK(process.solve_icc >= 0.0 && process.solve_icc < 1.0);
  UNMASK_CHECK(process.trap_shape > 0.0 && process.episode_shape > 0.0);
  UNMASK_CHECK(is_mean(process.solved_extra_calls) && is_mean(process.unsolved_extra_calls));
  UNMASK_CHECK(process.unsolved_trap >= 0.0);
  UNMASK_CHECK(process.recovery > 0.0 && process.recovery <= 1.0);
  UNMASK_CHECK(is_mean(process.user_calls) && is_share(process.user_failure));
  const ChannelMix& mix = process.mix;
  UNMASK_CHECK(is_share(mix.tool_name) && is_share(mix.arguments) && is_share(mix.entity) &&
               is_share(mix.precondition));
  UNMASK_CHECK(std::abs(mix.tool_name + mix.arguments + mix.entity + mix.precondition - 1.0) <
               1e-9);
  UNMASK_CHECK(mix.tool_name == 0.0 || !process.names.empty());
  UNMASK_CHECK(arm.novel_share == 0.0 || !process.novel_names.empty());
  UNMASK_CHECK(arm.slip_rate >= 0.0 && is_share(arm.novel_share));
}

// Draws from a list of names by cumulated weight, and interns a name when it is first called, so
// that an arm's table holds the names that it really used, in the order of their appearance.
class NameTable {
 public:
  void add(std::string_view text, double weight, std::string_view kind) {
    UNMASK_CHECK(weight > 0.0);
    const double before = cumulated_.empty() ? 0.0 : cumulated_.back();
    cumulated_.push_back(before + weight);
    entries_.push_back({.text = text, .kind = kind});
  }

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

  [[nodiscard]] std::size_t draw(Rng& rng) const {
    const double target = rng.uniform() * cumulated_.back();
    const auto found = std::upper_bound(cumulated_.begin(), cumulated_.end() - 1, target);
    return static_cast<std::size_t>(found - cumulated_.begin());
  }

  /// Sets name and kind of `call` to those of `index`.
  void put(std::size_t index, ArmFacts& arm, CallFacts& call) {
    Entry& entry = entries_[index];
    if (entry.name == kNotInterned) {
      entry.name = arm.names.intern(entry.text);
      entry.kind_id = arm.kinds.intern(entry.kind);
    }
    call.name = entry.name;
    call.kind = entry.kind_id;
  }

 private:
  static constexpr std::uint32_t kNotInterned = std::numeric_limits<std::uint32_t>::max();
  struct Entry {
    std::string_view text;
    std::string_view kind;
    std::uint32_t name = kNotInterned;
    std::uint32_t kind_id = 0;
  };
  std::vector<double> cumulated_;
  std::vector<Entry> entries_;
};

NameTable table_of(std::span<const ToolTexts> tools) {
  NameTable table;
  for (const ToolTexts& tool : tools) table.add(tool.name, 1.0, "");
  return table;
}

NameTable table_of(std::span<const HallucinatedName> names) {
  NameTable table;
  for (const HallucinatedName& name : names) table.add(name.name, name.weight, name.kind);
  return table;
}

NameTable table_of(std::span<const FailureTexts> failures, Party party, Channel channel) {
  NameTable table;
  for (const FailureTexts& failure : failures) {
    if (failure.party == party && failure.channel == channel) {
      table.add(failure.tool, 1.0, failure.kind);
    }
  }
  return table;
}

// Plays the episodes of one arm into `out_`.
class Player {
 public:
  Player(const CellProcess& process, const ArmProcess& arm, const WorldTexts& world, ArmFacts& out)
      : process_(process),
        arm_(arm),
        out_(out),
        agent_tools_(table_of(world.agent_tools)),
        user_tools_(table_of(world.user_tools)),
        names_(table_of(process.names)),
        novel_names_(table_of(process.novel_names)),
        arguments_(table_of(world.failures, Party::agent, Channel::arguments)),
        entities_(table_of(world.failures, Party::agent, Channel::entity)),
        preconditions_(table_of(world.failures, Party::agent, Channel::precondition)),
        user_failures_(table_of(world.failures, Party::user, Channel::arguments)) {
    UNMASK_CHECK(process.user_calls == 0.0 || !user_tools_.empty());
    out_.kinds.intern("");
  }

  void play(std::uint32_t task, int trial, double solve_probability, double trap, Rng& rng) {
    EpisodeFacts& episode = out_.episodes.emplace_back();
    episode.task = task;
    episode.trial = trial;
    episode.messages = 2;  // the agent's greeting, which no model writes, and the user's request
    episode.agent_messages = 1;
    errors_ = 0;

    const double shifted = std::clamp(solve_probability + arm_.solve_shift, 0.0, 1.0);
    const bool solvable = rng.bernoulli(shifted);
    const std::uint32_t length =
        1 + rng.poisson(solvable ? process_.solved_extra_calls : process_.unsolved_extra_calls);
    const double factor = rng.gamma(process_.episode_shape, 1.0 / process_.episode_shape);
    const double level = solvable ? trap : process_.unsolved_trap;
    const double slip = 1.0 - std::exp(-arm_.slip_rate * factor * level);

    episode.calls.reserve(2 * static_cast<std::size_t>(length) + 4);
    for (std::uint32_t i = 0; i < length && !out_of_budget(); ++i) {
      if (rng.bernoulli(slip)) failed_run(rng, episode);
      if (out_of_budget()) break;
      // The first tool is the look-up that opens an episode; the rest follow in no order.
      const auto others = static_cast<std::uint32_t>(agent_tools_.size() - 1);
      const std::size_t tool = i == 0 ? 0 : 1 + rng.below(others);
      agent_tools_.put(tool, out_, add_call(episode, Party::agent, std::nullopt));
      user_turn(rng, episode);
    }
    finish(episode, solvable);
  }

 private:
  [[nodiscard]] bool out_of_budget() const { return errors_ >= process_.max_errors; }

  static void add_agent_message(EpisodeFacts& episode) {
    EpisodeCost& cost = episode.cost;
    cost.prompt_tokens = cost.prompt_tokens.value_or(0) + prompt_tokens_at(episode.messages);
    cost.completion_tokens = cost.completion_tokens.value_or(0) + kCompletionTokensPerMessage;
    ++episode.agent_messages;
    ++episode.messages;
  }

  // A call takes two messages: the caller's and the tool's.
  CallFacts& add_call(EpisodeFacts& episode, Party party, std::optional<Channel> failure) {
    CallFacts& call = episode.calls.emplace_back();
    call.party = party;
    call.message = episode.messages;
    if (failure) {
      call.failed = true;
      call.channel = *failure;
      call.evidence = *failure == Channel::tool_name || *failure == Channel::arguments
                          ? EvidenceKind::structure
                          : EvidenceKind::error_text;
      ++errors_;
    }
    if (party == Party::agent) {
      add_agent_message(episode);
    } else {
      ++episode.messages;
    }
    ++episode.messages;
    return call;
  }

  [[nodiscard]] Channel draw_channel(Rng& rng) const {
    const ChannelMix& mix = process_.mix;
    double left = rng.uniform() - mix.tool_name;
    if (left < 0.0) return Channel::tool_name;
    left -= mix.arguments;
    if (left < 0.0) return Channel::arguments;
    left -= mix.entity;
    // Without preconditions in the mix, what rounding leaves over is an entity.
    return left < 0.0 || mix.precondition == 0.0 ? Channel::entity : Channel::precondition;
  }

  void failed_run(Rng& rng, EpisodeFacts& episode) {
    const Channel channel = draw_channel(rng);
    do {
      CallFacts& call = add_call(episode, Party::agent, channel);
      NameTable& table = failing_calls(channel, rng);
      table.put(table.draw(rng), out_, call);
    } while (!out_of_budget() && !rng.bernoulli(process_.recovery));
  }

  NameTable& failing_calls(Channel channel, Rng& rng) {
    if (channel == Channel::arguments) return arguments_;
    if (channel == Channel::entity) return entities_;
    if (channel == Channel::precondition) return preconditions_;
    const bool novel = arm_.novel_share > 0.0 && rng.bernoulli(arm_.novel_share);
    return novel ? novel_names_ : names_;
  }

  // The agent asks (a message), the user calls tools and then answers (a message).
  void user_turn(Rng& rng, EpisodeFacts& episode) {
    if (process_.user_calls == 0.0) return;
    const std::uint32_t calls = rng.poisson(process_.user_calls);
    if (calls == 0) return;
    add_agent_message(episode);
    for (std::uint32_t i = 0; i < calls && !out_of_budget(); ++i) {
      const bool failed = rng.bernoulli(process_.user_failure);
      NameTable& table = failed ? user_failures_ : user_tools_;
      const std::optional<Channel> failure =
          failed ? std::optional(Channel::arguments) : std::nullopt;
      table.put(table.draw(rng), out_, add_call(episode, Party::user, failure));
    }
    if (!out_of_budget()) ++episode.messages;
  }

  void finish(EpisodeFacts& episode, bool solvable) const {
    if (out_of_budget()) {
      episode.termination = Termination::too_many_errors;
    } else {
      episode.termination = Termination::user_stop;
      add_agent_message(episode);
      ++episode.messages;  // the user hangs up
      episode.success = solvable;
      episode.reward = solvable ? 1.0 : 0.0;
    }
    episode.cost.seconds = static_cast<double>(kSecondsPerMessage * episode.messages);
  }

  const CellProcess& process_;
  const ArmProcess& arm_;
  ArmFacts& out_;
  NameTable agent_tools_;
  NameTable user_tools_;
  NameTable names_;
  NameTable novel_names_;
  NameTable arguments_;
  NameTable entities_;
  NameTable preconditions_;
  NameTable user_failures_;
  int errors_ = 0;
};

// Stream of everything that belongs to `name`; the episodes and tasks below it have streams of
// their own, keyed by what is drawn here.
std::uint64_t seed_of(std::uint64_t seed, std::string_view purpose, std::string_view name,
                      std::uint64_t replicate) {
  return Rng(seed, std::string(purpose).append(": ").append(name), replicate).next_u64();
}

HallucinatedName named(std::string_view name, double weight, std::string_view kind) {
  return {.name = std::string(name), .weight = weight, .kind = std::string(kind)};
}

void describe(const CellProcess& process, const ArmProcess& arm, const WorldTexts& world,
              ArmFacts& out) {
  out.name = arm.name;
  out.cell = process.cell;
  out.domain = process.domain;
  out.identity.model = model_name(process, arm);
  out.identity.precision = arm.precision;
  out.identity.agent_implementation = "simulated_agent";
  out.identity.user_model = "simulated/user";
  out.identity.user_implementation = "simulated_user";
  out.budget = {.nominal = process.max_errors,
                .enforced = process.max_errors,
                .known = true,
                .counts = CountedParty::both,
                .evidence = "the simulated process stops episodes itself"};
  out.harness = {.name = "simulated", .evidence = "made by unmask's generating process"};
  out.reward_basis = {std::string(world.reward_basis)};
  out.tasks.reserve(static_cast<std::size_t>(process.tasks));
  for (int task = 0; task < process.tasks; ++task) {
    const std::string id = task_id(world, static_cast<std::uint32_t>(task));
    out.tasks.push_back({.id = id, .key = id});
  }
}

}  // namespace

CellProcess telecom_process(std::string cell) {
  CellProcess process;
  process.cell = std::move(cell);
  process.names = {named("toggle_airplane_mode", 0.270, "wrong_owner"),
                   named("check_network_status", 0.200, "wrong_owner"),
                   named("run_speed_test", 0.145, "wrong_owner"),
                   named("toggle_data", 0.105, "wrong_owner"),
                   named("check_apn_settings", 0.080, "wrong_owner"),
                   named("reboot_device", 0.062, "wrong_owner"),
                   named("check_sim_status", 0.045, "wrong_owner"),
                   named("toggle_roaming", 0.034, "wrong_owner"),
                   named("reset_apn_settings", 0.024, "wrong_owner"),
                   named("get_bill_for_customer", 0.017, "near_miss"),
                   named("functions.get_details_by_id", 0.012, "near_miss"),
                   named("lookup_tower_coverage", 0.006, "novel")};
  process.novel_names = {named("diagnose_connection", 1.0, "novel"),
                         named("open_support_ticket", 1.0, "novel"),
                         named("escalate_to_network_team", 1.0, "novel")};
  return process;
}

CellProcess retail_process(std::string cell) {
  CellProcess process;
  process.cell = std::move(cell);
  process.domain = "retail";
  process.user_calls = 0.0;
  process.user_failure = 0.0;
  process.mix = {.tool_name = 0.06, .arguments = 0.32, .entity = 0.47, .precondition = 0.15};
  process.names = {named("get_order_detail", 0.40, "near_miss"),
                   named("get_customer_by_phone", 0.25, "other_domain"),
                   named("track_shipment", 0.20, "novel"), named("apply_discount", 0.15, "novel")};
  process.novel_names = {named("schedule_pickup", 1.0, "novel")};
  return process;
}

std::string model_name(const CellProcess& process, const ArmProcess& arm) {
  return "simulated/" + process.model + "-" + arm.name;
}

ArmFacts simulate_arm(const CellProcess& process, const ArmProcess& arm, std::uint64_t seed,
                      std::uint64_t replicate) {
  check_ranges(process, arm);
  const WorldTexts* world = find_world(process.domain);
  UNMASK_CHECK(world != nullptr);
  ArmFacts out;
  describe(process, arm, *world, out);

  const std::uint64_t task_seed = seed_of(seed, "synthetic tasks", process.cell, replicate);
  const std::uint64_t episode_seed =
      seed_of(seed, "synthetic episodes", process.cell + "/" + arm.name, replicate);
  // Beta with mean m and intra-class correlation c: alpha + beta = (1 - c) / c.
  const double concentration =
      process.solve_icc > 0.0 ? (1.0 - process.solve_icc) / process.solve_icc : 0.0;

  Player player(process, arm, *world, out);
  const auto tasks = static_cast<std::uint32_t>(process.tasks);
  out.episodes.reserve(static_cast<std::size_t>(tasks) * static_cast<std::size_t>(process.trials));
  for (std::uint32_t task = 0; task < tasks; ++task) {
    Rng task_rng(task_seed, "task", task);
    const double trap = task_rng.gamma(process.trap_shape, 1.0 / process.trap_shape);
    const double solve_probability = concentration > 0.0
                                         ? task_rng.beta(process.solve_mean * concentration,
                                                         (1.0 - process.solve_mean) * concentration)
                                         : process.solve_mean;
    for (int trial = 0; trial < process.trials; ++trial) {
      const std::uint64_t index =
          (static_cast<std::uint64_t>(task) << 32U) | static_cast<std::uint32_t>(trial);
      Rng episode_rng(episode_seed, "episode", index);
      player.play(task, trial, solve_probability, trap, episode_rng);
    }
  }
  return out;
}

}  // namespace unmask::synthetic
