#include "unmask/ingest/tau_bench_names.h"

#include <algorithm>
#include <array>

namespace unmask {

namespace {

constexpr std::array<std::string_view, 2> kDomains = {"airline", "retail"};
constexpr std::array<std::string_view, 4> kAgents = {"tool-calling", "few-shot", "react", "act"};
constexpr std::array<std::string_view, 5> kUsers = {"llm", "react", "verify", "reflection",
                                                    "human"};

std::string_view file_stem(std::string_view name) {
  for (const std::string_view ending : {".gz", ".zst", ".json", ".jsonl"}) {
    if (name.size() > ending.size() && name.ends_with(ending)) {
      name.remove_suffix(ending.size());
    }
  }
  return name;
}

bool is_decimal(std::string_view text) {
  return text.find('.') != std::string_view::npos &&
         text.find_first_not_of("0123456789.") == std::string_view::npos && text.size() >= 3;
}

/// `MODEL-0.0` before `_range_`, `MODEL-llm` and more behind `_user-`.
bool read_own_form(std::string_view stem, TauBenchRun& run) {
  const std::size_t range = stem.find("_range_");
  if (range == std::string_view::npos) return false;
  std::string_view head = stem.substr(0, range);
  for (const std::string_view agent : kAgents) {
    if (head.size() <= agent.size() + 1 || !head.starts_with(agent) || head[agent.size()] != '-') {
      continue;
    }
    run.agent = agent;
    head.remove_prefix(agent.size() + 1);
    break;
  }
  const std::size_t dash = head.rfind('-');
  if (run.agent.empty() || dash == std::string_view::npos || dash == 0 ||
      !is_decimal(head.substr(dash + 1))) {
    run = {};
    return false;
  }
  run.model = head.substr(0, dash);
  run.temperature = head.substr(dash + 1);
  constexpr std::string_view kUser = "_user-";
  const std::size_t user = stem.find(kUser, range);
  if (user == std::string_view::npos) return true;
  const std::string_view tail = stem.substr(user + kUser.size());
  // The model's own name may hold underscores and dashes: the strategy ends it.
  for (std::size_t at = tail.find('-'); at != std::string_view::npos; at = tail.find('-', at + 1)) {
    const std::string_view rest = tail.substr(at + 1);
    const std::string_view word = rest.substr(0, rest.find('_'));
    if (std::ranges::find(kUsers, word) == kUsers.end()) continue;
    run.user_model = tail.substr(0, at);
    run.user = word;
    break;
  }
  return true;
}

bool names_domain(std::string_view word) {
  return std::ranges::find(kDomains, word) != kDomains.end();
}

}  // namespace

TauBenchRun tau_bench_run_of(std::string_view path) {
  TauBenchRun run;
  const std::size_t slash = path.rfind('/');
  const bool in_folder = slash != std::string_view::npos && slash > 0;
  const std::string_view stem = file_stem(in_folder ? path.substr(slash + 1) : path);
  if (read_own_form(stem, run)) return run;
  if (const std::size_t dash = stem.rfind('-');
      dash != std::string_view::npos && dash > 0 && names_domain(stem.substr(dash + 1))) {
    run.model = stem.substr(0, dash);
    return run;
  }
  if (!in_folder || !names_domain(stem.substr(0, stem.find_first_of("-_")))) return run;
  const std::string_view folders = path.substr(0, slash);
  const std::size_t parent = folders.rfind('/');
  const std::string_view folder =
      parent == std::string_view::npos ? folders : folders.substr(parent + 1);
  // Folders that say nothing of a model.
  for (const std::string_view other : {".", "..", "results", "logs", "historical_trajectories"}) {
    if (folder == other) return run;
  }
  run.model = folder;
  return run;
}

}  // namespace unmask
