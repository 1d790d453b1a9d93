#include "unmask/world/generate/generate.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "world_generate_data.h"

#include "unmask/base/error.h"
#include "unmask/base/rng.h"
#include "unmask/json/json_text.h"
#include "unmask/world/generate/difficulty.h"
#include "unmask/world/generate/indented_json.h"
#include "unmask/world/generate/retail_catalog.h"
#include "unmask/world/generate/retail_database.h"
#include "unmask/world/generate/retail_tasks.h"
#include "unmask/world/generate/task_draft.h"
#include "unmask/world/generate/telecom_database.h"
#include "unmask/world/generate/telecom_tasks.h"

namespace unmask::world::generated {
namespace {

constexpr std::uint32_t kMostTasks = 1000000;
constexpr std::uint32_t kMostRows = 1000000;
constexpr std::uint32_t kMostCustomers = 20000;

Result<void> in_range(std::string_view what, std::uint32_t value, std::uint32_t least,
                      std::uint32_t most) {
  if (value >= least && value <= most) return {};
  return fail(ErrorCode::invalid_argument,
              std::string(what) + " must be from " + std::to_string(least) + " to " +
                  std::to_string(most) + ", not " + std::to_string(value));
}

std::uint32_t customers_of(const WorldSettings& settings) {
  const std::uint32_t needed = std::clamp(settings.tasks / 10, 60U, kMostCustomers);
  return settings.telecom_customers.value_or(needed);
}

Result<void> check(const WorldSettings& settings) {
  const auto kinds = static_cast<std::uint32_t>(product_kinds().size());
  Result<void> result = in_range("the number of tasks", settings.tasks, 1, kMostTasks);
  if (result) result = in_range("the number of products", settings.retail.products, 4, kinds);
  if (result) result = in_range("the number of users", settings.retail.users, 2, kMostRows);
  if (result) result = in_range("the number of orders", settings.retail.orders, 1, kMostRows);
  if (result) {
    result = in_range("the number of customers", customers_of(settings), 1, kMostCustomers);
  }
  return result;
}

/// A split's name and its tasks, by id.
struct NamedSplit {
  std::string_view name;
  std::vector<std::string> ids;
};

/// `train` and `test`: about two thirds and one, in the tasks' order.
void add_train_and_test(std::vector<NamedSplit>& splits, const std::vector<std::string>& ids,
                        std::uint64_t seed) {
  std::vector<std::size_t> order(ids.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  Rng rng(seed, "world split");
  rng.shuffle(std::span(order));
  const std::size_t trained = (ids.size() * 65 + 50) / 100;
  std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(trained));
  std::sort(order.begin() + static_cast<std::ptrdiff_t>(trained), order.end());
  NamedSplit train{"train", {}};
  NamedSplit test{"test", {}};
  for (std::size_t i = 0; i < order.size(); ++i) {
    (i < trained ? train : test).ids.push_back(ids[order[i]]);
  }
  splits.push_back(std::move(train));
  splits.push_back(std::move(test));
}

std::string splits_json(const std::vector<NamedSplit>& splits) {
  std::string text;
  json::JsonText out(text);
  out.begin_object();
  for (const NamedSplit& split : splits) {
    out.key(split.name).begin_array();
    for (const std::string& id : split.ids) out.string(id);
    out.end_array();
  }
  out.end_object();
  return indented_json(text);
}

std::vector<std::string> ids_of(const std::vector<TaskDraft>& tasks) {
  std::vector<std::string> ids;
  for (const TaskDraft& task : tasks) ids.push_back(task.id);
  return ids;
}

class Files {
 public:
  explicit Files(const WorldSettings& settings)
      : settings_(settings), folder_(domain_folder(settings.domain)) {
    const bool small = settings.difficulty <= Difficulty::easy;
    is_short_ =
        settings.policy.value_or(small ? PolicyLength::short_text : PolicyLength::long_text) ==
        PolicyLength::short_text;
  }

  void add(std::string_view name, std::string bytes) {
    files_.push_back({folder_ + std::string(name), std::move(bytes)});
  }
  /// One of two texts, by the length asked for.
  void add_policy(std::string_view name, std::string_view long_text, std::string_view short_text) {
    add(name, std::string(is_short_ ? short_text : long_text));
  }
  void add_tasks(const std::vector<TaskDraft>& tasks, std::vector<NamedSplit> splits) {
    const std::vector<std::string> ids = ids_of(tasks);
    splits.push_back({"base", ids});
    add_train_and_test(splits, ids, settings_.seed);
    add("tasks.json",
        indented_json(tasks_json(tasks, name_of(settings_.domain), name_of(settings_.difficulty))));
    add("split_tasks.json", splits_json(splits));
  }
  /// What all worlds share.
  std::vector<GeneratedFile> finish() {
    files_.push_back({"data/tau2/user_simulator/simulation_guidelines.md",
                      std::string(world_data::user_guidelines_md)});
    files_.push_back({"data/tau2/user_simulator/simulation_guidelines_tools.md",
                      std::string(world_data::user_guidelines_tools_md)});
    files_.push_back({"tool_descriptions.json", std::string(world_data::tool_descriptions_json)});
    return std::move(files_);
  }

 private:
  const WorldSettings& settings_;
  std::string folder_;
  bool is_short_ = false;
  std::vector<GeneratedFile> files_;
};

Result<std::vector<GeneratedFile>> generate_retail(const WorldSettings& settings,
                                                   const TaskProgress& progress) {
  const RetailDatabase database = make_retail_database(settings.retail, settings.seed);
  const Result<std::vector<TaskDraft>> tasks =
      make_retail_tasks(database, settings.tasks, settings.difficulty, settings.seed, progress);
  if (!tasks) return tl::unexpected(tasks.error());
  Files files(settings);
  files.add("db.json", indented_json(retail_database_json(database)));
  files.add_tasks(*tasks, {});
  files.add_policy("policy.md", world_data::retail_policy_md, world_data::retail_policy_short_md);
  return files.finish();
}

Result<std::vector<GeneratedFile>> generate_telecom(const WorldSettings& settings,
                                                    const TaskProgress& progress) {
  const TelecomDatabase database = make_telecom_database(customers_of(settings), settings.seed);
  Result<std::vector<TelecomTask>> made =
      make_telecom_tasks(database, settings.tasks, settings.difficulty, settings.seed, progress);
  if (!made) return tl::unexpected(made.error());
  std::vector<TaskDraft> tasks;
  NamedSplit small{"small", {}};
  for (TelecomTask& task : *made) {
    if (task.has_one_fault) small.ids.push_back(task.draft.id);
    tasks.push_back(std::move(task.draft));
  }
  Files files(settings);
  files.add("db.toml", telecom_database_toml(database));
  files.add("user_db.toml", std::string(telecom_phone_toml()));
  files.add_tasks(tasks, {small, {"full", ids_of(tasks)}});
  namespace data = world_data;
  files.add_policy("main_policy.md", data::telecom_main_policy_md,
                   data::telecom_main_policy_short_md);
  files.add_policy("main_policy_solo.md", data::telecom_main_policy_solo_md,
                   data::telecom_main_policy_solo_short_md);
  files.add_policy("tech_support_manual.md", data::telecom_tech_support_manual_md,
                   data::telecom_tech_support_short_md);
  files.add_policy("tech_support_workflow.md", data::telecom_tech_support_workflow_md,
                   data::telecom_tech_support_short_md);
  files.add_policy("tech_support_workflow_solo.md", data::telecom_tech_support_workflow_solo_md,
                   data::telecom_tech_support_short_md);
  return files.finish();
}

}  // namespace

std::string_view name_of(GeneratedDomain domain) {
  switch (domain) {
    case GeneratedDomain::retail:
      return "retail";
    case GeneratedDomain::telecom:
      return "telecom";
  }
  return {};
}

std::optional<GeneratedDomain> generated_domain_of_name(std::string_view name) {
  for (const GeneratedDomain domain : {GeneratedDomain::retail, GeneratedDomain::telecom}) {
    if (name_of(domain) == name) return domain;
  }
  return std::nullopt;
}

std::string domain_folder(GeneratedDomain domain) {
  return "data/tau2/domains/" + std::string(name_of(domain)) + "/";
}

Result<std::vector<GeneratedFile>> generate(const WorldSettings& settings,
                                            const TaskProgress& progress) {
  if (const Result<void> range = check(settings); !range) return tl::unexpected(range.error());
  switch (settings.domain) {
    case GeneratedDomain::retail:
      return generate_retail(settings, progress);
    case GeneratedDomain::telecom:
      return generate_telecom(settings, progress);
  }
  return std::vector<GeneratedFile>();
}

}  // namespace unmask::world::generated
