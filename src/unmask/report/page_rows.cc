#include "unmask/report/page_rows.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "unmask/audit/audit.h"
#include "unmask/audit/task_table.h"
#include "unmask/base/interner.h"
#include "unmask/budget/counterfactual.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"
#include "unmask/report/json_values.h"

namespace unmask {
namespace {

using json_report::Json;

constexpr unsigned kSuccess = 1, kInfrastructure = 2, kNoReward = 4, kStopped = 8;
constexpr unsigned kByUser = 1, kFailed = 2, kChannelBits = 2, kEvidenceBits = 5;

unsigned flags_of(const EpisodeFacts& episode, const BudgetRegime& budget) {
  switch (episode.excluded) {
    case Exclusion::infrastructure:
      return kInfrastructure;
    case Exclusion::no_reward:
      return kNoReward;
    case Exclusion::none:
      break;
  }
  return (episode.success ? kSuccess : 0U) |
         (stopped_by_own_budget(episode, budget) ? kStopped : 0U);
}

unsigned flags_of(const CallFacts& call) {
  unsigned flags = call.party == Party::user ? kByUser : 0U;
  if (call.failed) {
    flags |= kFailed | static_cast<unsigned>(call.channel) << kChannelBits |
             static_cast<unsigned>(call.evidence) << kEvidenceBits;
  }
  return flags;
}

Json texts_of(const Interner& interner) {
  Json texts = Json::array();
  for (std::uint32_t id = 0; id < interner.size(); ++id) texts.push_back(interner.text(id));
  return texts;
}

Json or_null(std::optional<std::int64_t> value) { return value ? Json(*value) : Json(nullptr); }

// Columns of a table, by name.
class Columns {
 public:
  Columns(std::initializer_list<const char*> names) {
    for (const char* name : names) table_[name] = Json::array();
  }
  void add(const char* name, Json value) { table_[name].push_back(std::move(value)); }
  [[nodiscard]] Json take() { return std::move(table_); }

 private:
  Json table_ = Json::object();
};

std::vector<int> pairs_with(const ArmFacts& ref, const ArmFacts& arm) {
  std::vector<int> pair(arm.tasks.size(), -1);
  const TaskPairing pairing = pair_tasks(ref, arm);
  for (std::size_t i = 0; i < pairing.size(); ++i)
    pair[pairing.arm[i]] = static_cast<int>(pairing.ref[i]);
  return pair;
}

std::string_view name_of(ArmRole role) {
  switch (role) {
    case ArmRole::compared:
      return "compared";
    case ArmRole::null:
      return "null";
    case ArmRole::repaired:
      return "repaired";
  }
  return {};
}

Json arm_json(const ArmInput& input, const ArmFacts* reference,
              const std::vector<EpisodePlace>& places) {
  const ArmFacts& arm = input.facts;
  Json json{{"arm", arm.name},
            {"role", name_of(input.role)},
            {"names", texts_of(arm.names)},
            {"kinds", texts_of(arm.kinds)}};
  Json& tasks = json["tasks"] = Json::array();
  for (const TaskFacts& task : arm.tasks) tasks.push_back(task.id);
  json["pair"] =
      reference == nullptr ? std::vector<int>(arm.tasks.size(), -1) : pairs_with(*reference, arm);
  Columns episodes({"task", "trial", "flags", "termination", "messages", "turns", "communication",
                    "prompt_tokens", "completion_tokens", "seconds", "usd", "calls", "block",
                    "place"});
  Columns calls({"name", "kind", "message", "flags"});
  for (std::size_t i = 0; i < arm.episodes.size(); ++i) {
    const EpisodeFacts& episode = arm.episodes[i];
    episodes.add("task", episode.task);
    episodes.add("trial", episode.trial);
    episodes.add("flags", flags_of(episode, arm.budget));
    episodes.add("termination", unmask::name_of(episode.termination));
    episodes.add("messages", episode.messages);
    episodes.add("turns", episode.agent_messages);
    episodes.add("communication", episode.communication_errors);
    episodes.add("prompt_tokens", or_null(episode.cost.prompt_tokens));
    episodes.add("completion_tokens", or_null(episode.cost.completion_tokens));
    episodes.add("seconds", json_report::number(episode.cost.seconds));
    episodes.add("usd", json_report::number(episode.cost.agent_usd));
    episodes.add("calls", episode.calls.size());
    episodes.add("block", places[i].block);
    episodes.add("place", places[i].place);
    for (const CallFacts& call : episode.calls) {
      calls.add("name", call.name);
      calls.add("kind", call.kind);
      calls.add("message", call.message);
      calls.add("flags", flags_of(call));
    }
  }
  json["episodes"] = episodes.take();
  json["calls"] = calls.take();
  return json;
}

}  // namespace

std::string page_rows(std::span<const CellInput> cells, const PerEpisode<EpisodePlace>& places,
                      std::string_view selection) {
  Json json{{"version", 1}, {"selection", selection}};
  Json& all = json["cells"] = Json::array();
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const CellInput& cell = cells[c];
    const auto reference =
        std::ranges::find(cell.arms, cell.reference,
                          [](const ArmInput& arm) -> const std::string& { return arm.facts.name; });
    Json entry{{"cell", cell.info.cell}};
    Json& arms = entry["arms"] = Json::array();
    for (std::size_t a = 0; a < cell.arms.size(); ++a) {
      arms.push_back(arm_json(
          cell.arms[a], reference == cell.arms.end() ? nullptr : &reference->facts, places[c][a]));
    }
    all.push_back(std::move(entry));
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace unmask
