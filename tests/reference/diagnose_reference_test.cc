#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "reference/reference_data.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "unmask/base/diagnostics.h"
#include "unmask/base/interner.h"
#include "unmask/diagnose/diagnose.h"
#include "unmask/diagnose/known_domains.h"
#include "unmask/diagnose/recovery.h"
#include "unmask/diagnose/rule_set.h"
#include "unmask/diagnose/to_facts.h"
#include "unmask/diagnose/tool_catalog.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/facts.h"
#include "unmask/ingest/read_log.h"

namespace unmask {
namespace {

using nlohmann::json;

EpisodeFacts recovery_episode(const json& source, Interner& names) {
  EpisodeFacts episode;
  episode.success = source.at("y") == 1;
  for (const json& row : source.at("calls")) {
    CallFacts& call = episode.calls.emplace_back();
    call.party = row.at("party") == "agent" ? Party::agent : Party::user;
    call.name = names.intern(row.at("name").get<std::string>());
    call.failed = !row.at("ok").get<bool>();
    call.channel = row.at("channel") == "name" ? Channel::tool_name : Channel::entity;
  }
  return episode;
}

TEST(DiagnoseReference, Recovery) {
  reference::Vectors vectors("stats/recovery.json", 24);
  if (!vectors.available()) return;
  const json file = vectors.json();
  for (const json& c : file.at("cases")) {
    Interner names;
    std::vector<EpisodeFacts> episodes;
    for (const json& episode : c.at("input").at("episodes")) {
      episodes.push_back(recovery_episode(episode, names));
    }
    for (const Party party : {Party::agent, Party::user}) {
      const json& e = c.at("expected").at(std::string(name_of(party)));
      const RecoveryCounts expected{e.at("next_num"), e.at("next_den"), e.at("run_num"),
                                    e.at("run_den"),  e.at("ep_num"),   e.at("ep_den"),
                                    e.at("rep_num"),  e.at("rep_den")};
      EXPECT_EQ(recovery_of(episodes, party), expected) << c.at("id");
    }
    vectors.count();
  }
  vectors.finish();
}

/// Evidence for logs of one domain.
class DomainEvidence {
 public:
  explicit DomainEvidence(const std::string& name) {
    const KnownDomain* domain = known_domain(name);
    if (domain != nullptr) {
      catalog_ = ToolCatalog(domain->inventory, InventoryOrigin::assumed);
      evidence_.tools = &catalog_;
      sets_.push_back(&domain->rules);
    }
    sets_.push_back(&general_rules());
    others_ = tools_of_other_domains(name);
    evidence_.other_domain_tools = others_;
    evidence_.rules = sets_;
  }
  DomainEvidence(const DomainEvidence&) = delete;
  DomainEvidence& operator=(const DomainEvidence&) = delete;

  [[nodiscard]] const Evidence& get() const { return evidence_; }

 private:
  ToolCatalog catalog_;
  std::vector<const RuleSet*> sets_;
  std::vector<std::string> others_;
  Evidence evidence_;
};

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

/// What the text of a tau2-bench error says about the channel where it leaves no doubt.
std::optional<Channel> certain_channel(const std::string& text) {
  if (text.starts_with("Error: Tool '") && text.ends_with("' not found.")) {
    return Channel::tool_name;
  }
  if (text == "Error: User tools not available") return Channel::tool_name;
  if (contains(text, "Tools.") && contains(text, "() got an unexpected keyword argument")) {
    return Channel::arguments;
  }
  if (contains(text, "() missing ") || contains(text, " validation error")) {
    return Channel::arguments;
  }
  if (text.starts_with("Error: Non-")) return Channel::precondition;
  if (text == "Error: Line must be suspended to resume") return Channel::precondition;
  return std::nullopt;
}

struct VectorCounts {
  std::size_t episodes = 0;
  std::size_t failed = 0;
  std::size_t other = 0;
};

void check_vector(const json& vector, const Evidence& evidence, VectorCounts& counts) {
  Episode episode;
  const json& calls = vector.at("calls");
  const json& results = vector.at("results");
  for (std::size_t i = 0; i < calls.size(); ++i) {
    ToolCall& call = episode.calls.emplace_back();
    call.name = calls[i].at("name").get<std::string>();
    call.arguments = calls[i].at("arguments").dump();
    call.party = calls[i].value("requestor", "assistant") == "user" ? Party::user : Party::agent;
    call.answered = true;
    call.failed = results[i].at("error").get<bool>();
    call.result = results[i].at("content").get<std::string>();
  }
  const auto diagnoses = diagnose(episode, evidence);
  for (std::size_t i = 0; i < diagnoses.size(); ++i) {
    const ToolCall& call = episode.calls[i];
    if (!call.failed) continue;
    ++counts.failed;
    if (diagnoses[i].channel == Channel::other) ++counts.other;
    EXPECT_NE(diagnoses[i].channel, Channel::infrastructure) << call.result;
    if (const auto certain = certain_channel(call.result)) {
      EXPECT_EQ(diagnoses[i].channel, *certain) << call.name << " " << call.result;
    }
  }
  ++counts.episodes;
}

/// Real texts of the original's tools, made by calling them rightly and wrongly.
void check_tool_vectors(const std::string& domain, const std::string& file, std::size_t expected) {
  reference::Vectors vectors("tau2/" + domain + "/" + file, expected);
  if (!vectors.available()) return;
  const DomainEvidence evidence(domain);
  VectorCounts counts;
  std::istringstream lines(reference::read_bytes(vectors.path()).value());
  for (std::string line; std::getline(lines, line);) {
    // Lone surrogates and integers of thousands of digits are no matter for this reader of tests.
    const json vector = json::parse(line, nullptr, /*allow_exceptions=*/false);
    vectors.count();
    if (vector.is_discarded() || vector.value("solo_mode", false)) continue;
    check_vector(vector, evidence.get(), counts);
  }
  EXPECT_GT(counts.failed, 0U);
  EXPECT_LT(static_cast<double>(counts.other), 0.01 * static_cast<double>(counts.failed));
  vectors.finish();
}

TEST(DiagnoseReference, RetailTexts) {
  check_tool_vectors("retail", "vectors.jsonl.gz", 1646);
  check_tool_vectors("retail", "vectors_edge.jsonl.gz", 273);
}

TEST(DiagnoseReference, TelecomTexts) {
  check_tool_vectors("telecom", "vectors.jsonl.gz", 1510);
  check_tool_vectors("telecom", "vectors_edge.jsonl.gz", 159);
}

/// Failed calls of the logs, by whether their domain is known.
struct Coverage {
  std::size_t failed = 0;
  std::size_t other = 0;
};

/// Diagnoses a log and compares hallucinated names, failed calls and next-call recovery.
void check_log(const LoadedLog& log, const json& expected, Coverage& coverage) {
  const DomainEvidence evidence(log.header.domain);
  ArmFacts arm;
  TaskIndex tasks;
  std::map<std::string, int> hallucinated;
  for (const Episode& episode : log.episodes) {
    const auto diagnoses = diagnose(episode, evidence.get());
    to_facts(episode, diagnoses, arm, tasks);
    for (std::size_t i = 0; i < diagnoses.size(); ++i) {
      const ToolCall& call = episode.calls[i];
      if (!call.failed || call.in_history) continue;
      ++coverage.failed;
      if (diagnoses[i].channel == Channel::other) ++coverage.other;
      if (diagnoses[i].channel == Channel::tool_name) {
        ++hallucinated[std::string(call.party == Party::agent ? "assistant/" : "user/") +
                       call.name];
      }
    }
  }
  EXPECT_EQ(json(hallucinated), expected.at("hallucinated"));
  std::map<Party, std::size_t> failed;
  for (const EpisodeFacts& episode : arm.episodes) {
    if (episode.excluded != Exclusion::none) continue;
    for (const CallFacts& call : episode.calls) failed[call.party] += call.failed ? 1U : 0U;
  }
  EXPECT_EQ(failed[Party::agent], expected.at("assistant_failed").get<std::size_t>());
  EXPECT_EQ(failed[Party::user], expected.at("user_failed").get<std::size_t>());
  const RecoveryCounts recovery = recovery_of(arm.episodes, Party::agent);
  EXPECT_EQ(json({recovery.next_recovered, recovery.next_followed}),
            expected.at("next_call_recovery"));
}

/// The reference's counts know structured calls only; those of these logs stand in texts.
bool is_text_protocol(const std::string& file) { return contains(file, "ck496__tau-bench-agents"); }

TEST(DiagnoseReference, Logs) {
  reference::Vectors vectors("logs/EXPECTED.json", 53);
  if (!vectors.available()) return;
  Coverage known;
  Coverage unknown;
  const json logs = vectors.json();
  for (const auto& [file, expected] : logs.items()) {
    if (!expected.contains("assistant_failed") || is_text_protocol(file)) continue;
    Diagnostics diagnostics;
    const auto log = load_log((reference::shared_folder() / "logs" / file).string(), diagnostics);
    ASSERT_TRUE(log.has_value()) << file << ": " << log.error().message;
    SCOPED_TRACE(file + " (" + log->header.domain + ")");
    check_log(*log, expected, known_domain(log->header.domain) != nullptr ? known : unknown);
    vectors.count();
  }
  std::cout << "failed calls of channel other: " << known.other << " of " << known.failed
            << " in known domains, " << unknown.other << " of " << unknown.failed << " in others\n";
  EXPECT_GT(known.failed, 0U);
  EXPECT_LT(static_cast<double>(known.other), 0.01 * static_cast<double>(known.failed));
  EXPECT_LT(static_cast<double>(unknown.other), 0.05 * static_cast<double>(unknown.failed));
  vectors.finish();
}

/// Diagnoses a log as one of an unknown world: with the general rules and what the log itself says
/// of its tools.
Coverage coverage_without_domain(const LoadedLog& log) {
  Coverage coverage;
  const std::vector<const RuleSet*> rules = {&general_rules()};
  const ToolCatalog stated(log.header.tools);
  ToolCatalog own;
  for (const Episode& episode : log.episodes) {
    Evidence evidence;
    evidence.rules = rules;
    evidence.tools = &stated;
    if (episode.tools != nullptr) {
      own = ToolCatalog(*episode.tools);
      evidence.tools = &own;
    }
    const auto diagnoses = diagnose(episode, evidence);
    for (std::size_t i = 0; i < diagnoses.size(); ++i) {
      if (!episode.calls[i].failed || episode.calls[i].in_history) continue;
      if (diagnoses[i].channel == Channel::infrastructure) continue;
      ++coverage.failed;
      if (diagnoses[i].channel == Channel::other) ++coverage.other;
    }
  }
  return coverage;
}

bool is_other_below(const Coverage& coverage, double share) {
  return static_cast<double>(coverage.other) < share * static_cast<double>(coverage.failed);
}

/// Every shared log that can be read, failed calls of the model: the general rules alone leave less
/// than 5 % without a channel, both where no known domain is named and over all.
TEST(DiagnoseReference, OtherWhereTheDomainIsUnknown) {
  const reference::Vectors vectors("logs", 0);
  if (!vectors.available()) return;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(vectors.path())) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  Coverage unknown;
  Coverage all;
  for (const std::filesystem::path& file : files) {
    Diagnostics diagnostics;
    const auto log = load_log(file.string(), diagnostics);
    if (!log) continue;
    const Coverage here = coverage_without_domain(*log);
    if (here.failed == 0) continue;
    all.failed += here.failed;
    all.other += here.other;
    if (known_domain(log->header.domain) != nullptr) continue;
    unknown.failed += here.failed;
    unknown.other += here.other;
    std::cout << "other: " << here.other << " of " << here.failed << " in "
              << std::filesystem::relative(file, vectors.path()).string() << "\n";
  }
  std::cout << "other: " << unknown.other << " of " << unknown.failed
            << " where no known domain is named, " << all.other << " of " << all.failed
            << " over all\n";
  EXPECT_GT(unknown.failed, 2000U);
  EXPECT_TRUE(is_other_below(unknown, 0.05));
  EXPECT_TRUE(is_other_below(all, 0.05));
}

}  // namespace
}  // namespace unmask
