// A simulated study written to files and read back as a user's logs are: what comes back is what
// the process made, down to channel and kind of each failed call.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/audit/audit.h"
#include "unmask/audit/findings.h"
#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/facts.h"
#include "unmask/ingest/read_episodes.h"
#include "unmask/study/study_file.h"
#include "unmask/study/study_reader.h"
#include "unmask/synthetic/example_study.h"
#include "unmask/synthetic/process.h"
#include "unmask/synthetic/study_folder.h"

namespace unmask {
namespace {

constexpr std::uint64_t kSeed = 3;

// Both domains, with every channel in them, and small enough for a fast test.
synthetic::StudyProcess lively_study() {
  synthetic::StudyProcess study = synthetic::example_study();
  study.cells.resize(2);
  for (synthetic::StudyCell& cell : study.cells) {
    cell.process.tasks = 15;
    cell.process.trials = 3;
    cell.process.mix = {.tool_name = 0.4, .arguments = 0.2, .entity = 0.2, .precondition = 0.2};
    if (cell.process.domain == "telecom") cell.process.user_failure = 0.1;
    for (synthetic::ArmProcess& arm : cell.arms) {
      arm.slip_rate = 0.4;
      arm.novel_share = 0.2;
    }
  }
  return study;
}

class SimulatedStudy : public testing::Test {
 protected:
  void SetUp() override {
    std::random_device random;
    folder_ = std::filesystem::temp_directory_path() /
              ("unmask_simulated_study_" + std::to_string(random()) + std::to_string(random()));
    const Result<void> written = synthetic::write_study(study_, kSeed, folder_);
    ASSERT_TRUE(written) << written.error().message;
    const Result<std::vector<CellSource>> sources =
        read_study_file((folder_ / "study.toml").string());
    ASSERT_TRUE(sources) << sources.error().message;
    Result<StudyRead> read = read_study(*sources, {});
    ASSERT_TRUE(read) << read.error().message;
    read_ = std::move(*read);
    ASSERT_EQ(read_.cells.size(), study_.cells.size());
  }
  void TearDown() override {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }

  synthetic::StudyProcess study_ = lively_study();
  std::filesystem::path folder_;
  StudyRead read_;
};

TEST_F(SimulatedStudy, ReadsWithoutARemark) {
  for (const Diagnostic& remark : read_.diagnostics.kept()) {
    ADD_FAILURE() << remark.code << ": " << remark.sentence;
  }
}

TEST_F(SimulatedStudy, CellsAndArmsAreThoseOfTheStudy) {
  for (std::size_t c = 0; c < study_.cells.size(); ++c) {
    const synthetic::StudyCell& cell = study_.cells[c];
    const CellInput& read = read_.cells[c];
    EXPECT_EQ(read.info.cell, cell.process.cell);
    EXPECT_EQ(read.info.family, cell.family);
    EXPECT_EQ(read.info.architecture, cell.architecture);
    EXPECT_EQ(read.info.size, cell.size);
    EXPECT_EQ(read.info.domain, cell.process.domain);
    EXPECT_EQ(read.reference, "bf16");
    ASSERT_EQ(read.arms.size(), cell.arms.size());
    for (std::size_t a = 0; a < cell.arms.size(); ++a) {
      const ArmFacts& arm = read.arms[a].facts;
      EXPECT_EQ(arm.name, cell.arms[a].name);
      EXPECT_EQ(arm.domain, cell.process.domain);
      EXPECT_EQ(arm.identity.precision, cell.arms[a].precision);
      EXPECT_EQ(arm.budget.enforced, std::optional(10));
      EXPECT_TRUE(arm.budget.known) << arm.budget.evidence;
      EXPECT_EQ(arm.missing_trials, 0U);
    }
  }
}

TEST_F(SimulatedStudy, EpisodesComeBackAsTheyWereMade) {
  for (std::size_t c = 0; c < study_.cells.size(); ++c) {
    const synthetic::StudyCell& cell = study_.cells[c];
    std::map<std::string, int> seen;  // channel and kind of failed calls
    for (std::size_t a = 0; a < cell.arms.size(); ++a) {
      const ArmFacts made = synthetic::simulate_arm(cell.process, cell.arms[a], kSeed);
      const ArmFacts& read = read_.cells[c].arms[a].facts;
      ASSERT_EQ(read.episodes.size(), made.episodes.size());
      for (std::size_t e = 0; e < made.episodes.size(); ++e) {
        const EpisodeFacts& want = made.episodes[e];
        const EpisodeFacts& got = read.episodes[e];
        SCOPED_TRACE(cell.process.cell + " " + made.name + " episode " + std::to_string(e));
        EXPECT_EQ(read.tasks[got.task].id, made.tasks[want.task].id);
        EXPECT_EQ(got.trial, want.trial);
        EXPECT_EQ(got.reward, want.reward);
        EXPECT_EQ(got.success, want.success);
        EXPECT_EQ(got.excluded, Exclusion::none);
        EXPECT_EQ(got.termination, want.termination);
        EXPECT_EQ(got.messages, want.messages);
        EXPECT_EQ(got.agent_messages, want.agent_messages);
        EXPECT_EQ(got.communication_errors, 0U);
        EXPECT_EQ(got.cost.prompt_tokens, want.cost.prompt_tokens);
        EXPECT_EQ(got.cost.completion_tokens, want.cost.completion_tokens);
        EXPECT_EQ(got.cost.seconds, want.cost.seconds);
        ASSERT_EQ(got.calls.size(), want.calls.size());
        for (std::size_t i = 0; i < want.calls.size(); ++i) {
          const CallFacts& made_call = want.calls[i];
          const CallFacts& read_call = got.calls[i];
          EXPECT_EQ(read.names.text(read_call.name), made.names.text(made_call.name));
          EXPECT_EQ(read_call.party, made_call.party);
          EXPECT_EQ(read_call.failed, made_call.failed);
          EXPECT_EQ(read_call.message, made_call.message);
          if (!made_call.failed) continue;
          const std::string& name = made.names.text(made_call.name);
          const std::string& kind = made.kinds.text(made_call.kind);
          EXPECT_EQ(name_of(read_call.channel), name_of(made_call.channel)) << name;
          EXPECT_EQ(read.kinds.text(read_call.kind), kind) << name;
          EXPECT_EQ(name_of(read_call.evidence), name_of(made_call.evidence)) << name;
          ++seen[std::string(name_of(made_call.channel)) + ":" + kind];
        }
      }
    }
    for (const char* channel :
         {"tool_name:near_miss", "tool_name:novel", "arguments:missing", "arguments:unexpected"}) {
      EXPECT_GT(seen[channel], 0) << channel;
    }
    EXPECT_GT(seen["tool_name:wrong_owner"] + seen["tool_name:other_domain"], 0);
  }
}

// A row's ref counts the files of all inputs and leads back to its episode's texts.
TEST_F(SimulatedStudy, RefsLeadBackToTheTexts) {
  std::uint32_t files = 0;
  for (const InputFindings& input : read_.inputs) {
    EXPECT_EQ(input.first_file, files);
    files += static_cast<std::uint32_t>(input.header.files.size());
  }
  ASSERT_EQ(files, read_.inputs.size());
  for (const CellInput& cell : read_.cells) {
    for (const ArmInput& arm : cell.arms) {
      ASSERT_EQ(arm.facts.inputs.size(), 1U);
      const std::uint32_t input = arm.facts.inputs[0];
      std::vector<EpisodeRef> refs;
      for (const EpisodeFacts& episode : arm.facts.episodes) {
        ASSERT_EQ(episode.ref.file, input);
        refs.push_back({0, episode.ref.offset, episode.ref.length});
      }
      std::size_t again = 0;
      read_episodes(read_.inputs[input].header, refs,
                    [&](std::size_t number, const Result<Episode>& episode) {
                      EXPECT_TRUE(episode) << episode.error().message;
                      if (!episode) return false;
                      const EpisodeFacts& facts = arm.facts.episodes[number];
                      EXPECT_EQ(episode->task_id, arm.facts.tasks[facts.task].id);
                      EXPECT_EQ(episode->trial, facts.trial);
                      EXPECT_EQ(episode->calls.size(), facts.calls.size());
                      EXPECT_EQ(episode->transcript.size(), facts.messages);
                      ++again;
                      return true;
                    });
      EXPECT_EQ(again, refs.size());
    }
  }
}

}  // namespace
}  // namespace unmask
