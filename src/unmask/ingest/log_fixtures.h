#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/test_files.h"

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/ingest/read_log.h"

namespace unmask::fixtures {

/// While it lives nobody may read the file, not even a test that runs as root (which then acts as
/// the user `nobody`).
class Forbidden {
 public:
  explicit Forbidden(std::string path);
  ~Forbidden();
  Forbidden(const Forbidden&) = delete;
  Forbidden& operator=(const Forbidden&) = delete;

 private:
  std::string path_;
  bool was_root_ = false;
};

[[nodiscard]] std::string gzipped(std::string_view bytes);
[[nodiscard]] std::string zstd_packed(std::string_view bytes);

/// A message that says something. `role` is `assistant` or `user`.
[[nodiscard]] std::string says(std::string_view role, std::string_view text);
/// A message that calls one tool; `arguments` is JSON.
[[nodiscard]] std::string calls(std::string_view role, std::string_view id, std::string_view name,
                                std::string_view arguments = "{}");
/// A tool message; `party` is the requestor.
[[nodiscard]] std::string answers(std::string_view party, std::string_view id,
                                  std::string_view content, bool error = false);

/// What a simulation's text is made of; members are JSON, empty ones are left out.
struct SimulationText {
  std::string id = R"("s-1")";
  std::string task_id = R"("lamp")";
  std::string trial = "0";
  std::string seed = "77";
  std::string termination_reason = R"("user_stop")";
  std::string reward_info = R"({"reward": 1.0, "reward_basis": ["DB"]})";
  std::vector<std::string> messages;
  std::string more;  ///< further members, each with a comma in front
};
[[nodiscard]] std::string to_json(const SimulationText& simulation);
/// One episode: the agent calls `open_lid`, which works, and `turn_wheel`, which fails.
[[nodiscard]] SimulationText small_simulation(std::string_view task_id = "lamp", int trial = 0);

/// The `info` object of an older results file for the invented domain `workshop`.
[[nodiscard]] std::string info();
/// A task with one golden action.
[[nodiscard]] std::string task(std::string_view id);
/// A results file of older layout: `timestamp, info, tasks, simulations`.
[[nodiscard]] std::string results(const std::vector<std::string>& simulations);
[[nodiscard]] std::string joined(const std::vector<std::string>& parts);

/// `text` written to a file and loaded.
struct Loaded {
  Result<LoadedLog> log = LoadedLog{};
  Diagnostics diagnostics;

  /// The kept sentence of the first diagnostic with `code`; empty if there is none.
  [[nodiscard]] std::string sentence(std::string_view code) const;
};
[[nodiscard]] Loaded load_text(std::string_view text, const std::string& name = "log.json");
[[nodiscard]] Loaded load_path(const std::string& path);

}  // namespace unmask::fixtures
