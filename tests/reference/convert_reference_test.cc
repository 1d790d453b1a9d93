// Real logs written in other formats and read back, and a study kept as columns read through the
// script that the documentation shows: what is counted must stay the same.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/reference_data.h"
#include "support/test_files.h"
#include <gtest/gtest.h>

#include "unmask/audit/audit.h"
#include "unmask/convert/log_survey.h"
#include "unmask/convert/log_writer.h"
#include "unmask/ingest/read_log.h"
#include "unmask/study/log_facts.h"

namespace unmask {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kCells = 10;

/// The one log at `path`, a file or a folder.
LogInput input_of(const fs::path& path) {
  const Result<std::vector<LogInput>> inputs = find_logs(path.string());
  if (inputs && inputs->size() == 1) return inputs->front();
  return {.name = path.string(), .files = {path.string()}, .is_folder = false, .found = false};
}

std::optional<LogFacts> facts_of(const fs::path& path) {
  Diagnostics diagnostics;
  Result<LogFacts> facts = read_log_facts(input_of(path), {}, diagnostics);
  if (!facts) {
    ADD_FAILURE() << facts.error().message;
    return std::nullopt;
  }
  return std::move(*facts);
}

/// Rows as texts, which do not depend on the order in which names are numbered.
std::vector<std::string> rows_of(const ArmFacts& facts) {
  std::vector<std::string> rows;
  for (const EpisodeFacts& episode : facts.episodes) {
    std::string row = facts.tasks[episode.task].id + " " + std::to_string(episode.trial) + " " +
                      std::to_string(episode.reward) + (episode.success ? " solved " : " failed ") +
                      std::to_string(static_cast<int>(episode.excluded)) + " " +
                      std::string(name_of(episode.termination));
    std::uint32_t message = 0;
    for (const CallFacts& call : episode.calls) {
      row += call.message == message && &call != &episode.calls.front() ? " +" : " ";
      message = call.message;
      row += std::string(name_of(call.party)) + "." + facts.names.text(call.name);
      if (!call.failed) continue;
      row += "!" + std::string(name_of(call.channel));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Reads with transcripts.
class Collector final : public EpisodeSink {
 public:
  [[nodiscard]] bool wants_transcripts() const override { return true; }
  void header(const LogHeader& /*header*/) override {}
  bool episode(Episode episode) override {
    episodes.push_back(std::move(episode));
    return true;
  }
  void superseded(std::size_t number) override { dropped.insert(number); }

  std::vector<Episode> episodes;
  std::set<std::size_t> dropped;
};

void convert(const fs::path& from, LogFormat format, const fs::path& to) {
  Diagnostics diagnostics;
  Collector collector;
  Result<LogHeader> header = read_log(input_of(from), collector, diagnostics);
  ASSERT_TRUE(header.has_value()) << header.error().message;
  std::vector<std::vector<CallDiagnosis>> diagnoses;
  if (format == LogFormat::table) {
    const auto facts = read_log_facts(
        input_of(from), {}, diagnostics,
        {.domain = {},
         .progress = {},
         .visitor = [&](const Episode& /*episode*/, std::span<const CallDiagnosis> calls) {
           diagnoses.emplace_back(calls.begin(), calls.end());
         }});
    ASSERT_TRUE(facts.has_value());
  }
  LogSurvey survey;
  for (const Episode& episode : collector.episodes) survey.see(episode);
  survey.finish(std::move(*header));
  std::ofstream file(to, std::ios::binary);
  const auto writer = log_writer(format, survey, {}, [&file](std::string_view text) {
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
  });
  writer->begin();
  for (std::size_t i = 0; i < collector.episodes.size(); ++i) {
    if (collector.dropped.contains(i)) continue;
    writer->episode(collector.episodes[i],
                    diagnoses.empty() ? std::span<const CallDiagnosis>() : std::span(diagnoses[i]));
  }
  writer->end();
}

/// Real logs of every layout that can be converted, with the channels of their failed calls.
constexpr const char* kLogs = "logs/EXPECTED.json";
constexpr std::size_t kAllLogs = 59;

TEST(ConvertReference, LogsInOtherFormatsHoldTheSameCallsAndOutcomes) {
  reference::Vectors vectors(kLogs, kAllLogs);
  if (!vectors.available()) return;
  const fixtures::TemporaryFolder folder;
  const json expected = vectors.json();
  for (const auto& [log, counts] : expected.items()) {
    SCOPED_TRACE(log);
    const fs::path original = reference::shared_folder() / "logs" / log;
    const std::optional<LogFacts> before = facts_of(original);
    if (!before) continue;
    struct Step {
      LogFormat format;
      fs::path from;
      fs::path to;
    };
    const Step steps[] = {
        {LogFormat::table, original, folder.path() / "a.jsonl"},
        {LogFormat::openai, original, folder.path() / "b.jsonl"},
        {LogFormat::tau2, folder.path() / "b.jsonl", folder.path() / "c.json"},
    };
    bool all = true;
    for (const Step& step : steps) {
      // Chat lines of no episode are an empty file, which is no log.
      if (before->facts.episodes.empty() && step.format != LogFormat::table) continue;
      SCOPED_TRACE(std::string(name_of(step.format)));
      convert(step.from, step.format, step.to);
      const std::optional<LogFacts> after = facts_of(step.to);
      if (!after) {
        all = false;
        continue;
      }
      const auto here = rows_of(before->facts);
      const auto there = rows_of(after->facts);
      EXPECT_EQ(here.size(), there.size());
      for (std::size_t i = 0; i < here.size() && i < there.size(); ++i) {
        if (here[i] == there[i]) continue;
        all = false;
        ADD_FAILURE() << "episode " << i << "\n" << here[i] << "\n" << there[i];
        break;
      }
      EXPECT_EQ(before->facts.budget.enforced, after->facts.budget.enforced);
      EXPECT_EQ(before->facts.budget.known, after->facts.budget.known);
    }
    if (all) vectors.count();
  }
  vectors.finish();
}

/// The script in the documentation that begins with `# NAME`.
std::string documented_script(const std::string& name) {
  std::ifstream file(fs::path(UNMASK_SOURCE_FOLDER) / "docs/formats/table.md");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::size_t from = text.find("# " + name);
  if (from == std::string::npos) return {};
  return text.substr(from, text.find("```", from) - from);
}

ArmFacts arm_of(const json& episodes) {
  ArmFacts arm;
  for (const json& row : episodes) {
    const std::string id = std::to_string(row[0].get<int>());
    std::size_t task = 0;
    while (task < arm.tasks.size() && arm.tasks[task].id != id) ++task;
    if (task == arm.tasks.size()) arm.tasks.push_back({id, id});
    EpisodeFacts episode;
    episode.task = static_cast<std::uint32_t>(task);
    episode.trial = row[1].get<int>();
    episode.success = row[2].get<int>() == 1;
    episode.reward = episode.success ? 1.0 : 0.0;
    for (const json& call : row[3]) {
      CallFacts facts;
      facts.party = call[0] == "agent" ? Party::agent : Party::user;
      facts.name = arm.names.intern(call[1].get<std::string>());
      facts.failed = call[2].get<int>() == 0;
      facts.message = static_cast<std::uint32_t>(episode.calls.size());
      if (facts.failed) {
        facts.channel = call[3].is_null()       ? Channel::other
                        : call[3] == "name"     ? Channel::tool_name
                        : call[3] == "argument" ? Channel::arguments
                                                : Channel::entity;
      }
      episode.calls.push_back(facts);
    }
    episode.termination = counted_errors(episode, CountedParty::both) >= 10
                              ? Termination::too_many_errors
                              : Termination::user_stop;
    arm.episodes.push_back(std::move(episode));
  }
  return arm;
}

TEST(ConvertReference, AStudyKeptAsColumnsIsReadThroughTheDocumentedScript) {
  reference::Vectors summary("cells/summary.json", kCells);
  if (!summary.available()) return;
  const fixtures::TemporaryFolder folder;
  const std::string script = documented_script("columns_to_table.py");
  ASSERT_NE(script, "");
  std::ofstream(folder.path() / "columns_to_table.py") << script;
  AuditSettings settings;
  settings.sensitivity = false;
  settings.details = false;
  const json truths = summary.json();
  for (const auto& [name, truth] : truths.items()) {
    SCOPED_TRACE(name);
    reference::Vectors file("cells/" + name + ".json", 3);
    if (!file.available()) return;
    const std::string command = "python3 '" + (folder.path() / "columns_to_table.py").string() +
                                "' '" + file.path().string() + "' '" + folder.path().string() + "'";
    ASSERT_EQ(std::system(command.c_str()), 0);
    const json cell = file.json();
    for (const auto& [arm, episodes] : cell["arms"].items()) {
      SCOPED_TRACE(arm);
      std::optional<LogFacts> table = facts_of(folder.path() / (name + "_" + arm + ".jsonl"));
      ASSERT_TRUE(table.has_value());
      EXPECT_EQ(table->header.arm, arm);
      EXPECT_EQ(table->facts.budget.enforced, cell["K_obs"].get<int>());
      ArmFacts direct = arm_of(episodes);
      EXPECT_EQ(rows_of(table->facts), rows_of(direct));
      // The same figures, by the audit itself.
      const json& realised = truth["realised"][arm];
      CellInput input;
      input.info.cell = name;
      input.arms.push_back({.facts = std::move(table->facts)});
      input.arms[0].facts.name = arm;
      const std::optional<AuditFindings> findings = audit_study({input}, settings);
      ASSERT_TRUE(findings.has_value());
      const ArmFindings& found = findings->cells.at(0).arms.at(0);
      for (const auto& [k, share] : realised["S"].items()) {
        EXPECT_NEAR(*found.score.at(static_cast<std::size_t>(std::stoi(k)) - 1).score.value,
                    share.get<double>(), 1e-12);
      }
      file.count();
    }
    file.finish();
    summary.count();
  }
  summary.finish();
}

}  // namespace
}  // namespace unmask
