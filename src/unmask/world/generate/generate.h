#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/base/rng.h"
#include "unmask/world/generate/difficulty.h"
#include "unmask/world/generate/retail_database.h"
#include "unmask/world/generate/task_draft.h"

namespace unmask::world::generated {

enum class GeneratedDomain : std::uint8_t { retail, telecom };

[[nodiscard]] std::string_view name_of(GeneratedDomain domain);
[[nodiscard]] std::optional<GeneratedDomain> generated_domain_of_name(std::string_view name);

/// How much a policy explains: every rule and procedure, or a page.
enum class PolicyLength : std::uint8_t { long_text, short_text };

struct WorldSettings {
  GeneratedDomain domain = GeneratedDomain::telecom;
  std::uint32_t tasks = 114;  ///< 1 to 1,000,000
  std::uint64_t seed = kDefaultSeed;
  Difficulty difficulty = Difficulty::medium;
  std::optional<PolicyLength> policy;  ///< absent: short for tiny and easy, else long
  RetailSizes retail;
  std::optional<std::uint32_t> telecom_customers;  ///< absent: 60, or a tenth of `tasks` if more

  bool operator==(const WorldSettings&) const = default;
};

struct GeneratedFile {
  std::string name;  ///< place in a checkout of tau2-bench: `data/tau2/domains/retail/db.json`
  std::string bytes;

  bool operator==(const GeneratedFile&) const = default;
};

/// Invents a world with its tasks, in tau2-bench's file formats: database, tasks, splits, policies,
/// guidelines for a simulated user, and `tool_descriptions.json` ({world: {party: {tool:
/// {description, parameters: {name: description}}}}}). Nothing of tau2-bench's own texts or data is
/// in it. The same settings and version of unmask give the same bytes.
/// Errors: invalid_argument for settings out of range and worlds too small for so many tasks;
/// interrupted, if `progress` said so.
[[nodiscard]] Result<std::vector<GeneratedFile>> generate(const WorldSettings& settings,
                                                          const TaskProgress& progress = {});

/// The folder of a domain's files: `data/tau2/domains/retail/`.
[[nodiscard]] std::string domain_folder(GeneratedDomain domain);

}  // namespace unmask::world::generated
