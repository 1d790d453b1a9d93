#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/world/environment.h"
#include "unmask/world/outcome.h"
#include "unmask/world/retail/retail_base.h"
#include "unmask/world/retail/retail_data.h"
#include "unmask/world/task.h"
#include "unmask/world/tool.h"
#include "unmask/world/world.h"

namespace unmask::world::retail {

/// tau2-bench's retail domain: the agent's tools over products, users and orders; no user tools, no
/// solo mode.
class RetailWorld final : public World {
 public:
  /// `toolkit` is retail_toolkit(), with descriptions where there are any.
  RetailWorld(Database database, std::string policy, Toolkit toolkit, std::vector<Task> tasks,
              std::vector<Split> splits);

  [[nodiscard]] Outcome<std::unique_ptr<Environment>> make_environment(
      bool solo = false) const override;
  [[nodiscard]] const RetailBase& base() const { return *base_; }

 private:
  std::shared_ptr<const RetailBase> base_;
};

/// Loads `db.json`, `policy.md` and, where they are there, `tasks.json` and `split_tasks.json`.
/// Errors: outside or bad_input, with file and place.
[[nodiscard]] Result<std::shared_ptr<const World>> load_retail(const std::filesystem::path& folder);

}  // namespace unmask::world::retail
