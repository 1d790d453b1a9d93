// Studies over models in the process: random weights, which the test writes, with llama.cpp.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/test_files.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/audit/audit.h"
#include "unmask/audit/findings.h"
#include "unmask/base/error.h"
#include "unmask/local/gguf_fixtures.h"
#include "unmask/local/language_model.h"
#include "unmask/output/output_file.h"
#include "unmask/run/endpoint_check.h"
#include "unmask/run/model.h"
#include "unmask/run/run_export.h"
#include "unmask/run/run_fixtures.h"
#include "unmask/run/run_folder.h"
#include "unmask/run/run_plan.h"
#include "unmask/run/run_study.h"
#include "unmask/run/runner.h"
#include "unmask/study/study_file.h"
#include "unmask/study/study_reader.h"

namespace unmask::run {
namespace {

using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

/// A study of two precisions of one model, and its files, in a folder.
class GgufRun : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string tiny =
        files_.write("tiny.gguf", local::fixtures::gguf_bytes({.context_tokens = 32'768}));
    for (const std::string type : {"q8_0", "q4_0"}) {
      const Result<void> done = local::quantize(tiny, files_.path() / (type + ".gguf"), type, 1);
      ASSERT_TRUE(done) << done.error().message;
    }
  }

  [[nodiscard]] static std::string study(const std::string& of_endpoint,
                                         const std::string& of_low_arm = "") {
    std::string text = "[study]\nname = \"tiny\"\nmax_steps = 8\nmax_errors = 3\n";
    for (const std::string type : {"q8_0", "q4_0"}) {
      text.append("[[endpoint]]\nname = \"").append(type).append("\"\ngguf = \"").append(type);
      text.append(".gguf\"\nmax_tokens = 24\ntemperature = 0.7\ntop_logprobs = 3\n");
      text.append(of_endpoint);
    }
    text +=
        "[[cell]]\nid = \"tiny/retail\"\ndomain = \"retail\"\n[cell.tasks]\nnumber = 1\n"
        "difficulty = \"tiny\"\n"
        "[[cell.arm]]\nname = \"high\"\nagent = \"llm\"\nendpoint = \"q8_0\"\nreference = true\n"
        "[[cell.arm]]\nname = \"low\"\nagent = \"llm\"\nendpoint = \"q4_0\"\n";
    return text + of_low_arm;
  }

  /// As unmask run reads it.
  [[nodiscard]] Result<RunPlan> plan(const std::string& text) const {
    Result<RunStudy> parsed = parse_run_study(text, (files_.path() / "study.toml").string());
    if (!parsed) return tl::unexpected(parsed.error());
    if (const Result<void> found = find_ggufs(*parsed, no_variables); !found) {
      return tl::unexpected(found.error());
    }
    return plan_run(std::move(*parsed), "");
  }

  [[nodiscard]] RunResult play(const RunPlan& planned, const std::string& folder) const {
    const RunOrigin origin{.version = "0.1.0", .settings = "{}", .created = "2026-01-01T00:00:00"};
    Result<RunResult> result =
        run_study(planned, files_.path() / folder, origin,
                  [&] { return open_models(planned.study, no_variables); }, {}, {});
    if (!result) throw std::runtime_error(result.error().message);
    return std::move(*result);
  }

  static std::optional<std::string> no_variables(const std::string& /*name*/) { return {}; }

  unmask::fixtures::TemporaryFolder files_;
};

TEST_F(GgufRun, PlaysAStudyTheSameEachTimeAndEndsWithItsAudit) {
  const Result<RunPlan> planned = plan(study("context = 32768\n"));
  ASSERT_TRUE(planned) << planned.error().message;
  const RunResult result = play(*planned, "run");
  EXPECT_TRUE(result.end.lost_endpoints.empty());
  EXPECT_EQ(result.progress.done, 2U);
  const std::vector<std::string> episodes = fixtures::contents((files_.path() / "run").string());
  EXPECT_THAT(episodes, SizeIs(2));
  EXPECT_THAT(episodes, Not(Contains(HasSubstr("context_window_exceeded"))));
  static_cast<void>(play(*planned, "again"));
  // All but the times of messages.
  const auto without_times = [](std::vector<std::string> lines) {
    for (std::string& line : lines) {
      for (std::size_t at = line.find("\"timestamp\""); at != std::string::npos;
           at = line.find("\"timestamp\"", at)) {
        line.erase(at, line.find_first_of(",}", at) - at);
      }
    }
    return lines;
  };
  EXPECT_EQ(without_times(fixtures::contents((files_.path() / "again").string())),
            without_times(episodes));

  const std::filesystem::path folder = files_.path() / "run";
  const Result<std::size_t> arms = export_logs(planned->study, folder, Packing::none);
  ASSERT_TRUE(arms) << arms.error().message;
  EXPECT_EQ(*arms, 2U);
  const std::string log = unmask::fixtures::bytes_of(folder / "logs" / "tiny-retail" / "low.json");
  EXPECT_THAT(log, HasSubstr("bits a weight (q4_0"));
  EXPECT_THAT(log, HasSubstr("top_logprobs"));
  const Result<std::vector<CellSource>> sources = read_study_file((folder / "study.toml").string());
  ASSERT_TRUE(sources) << sources.error().message;
  const Result<StudyRead> read = read_study(*sources, {});
  ASSERT_TRUE(read) << read.error().message;
  const std::optional<AuditFindings> findings = audit_study(read->cells, {}, {});
  ASSERT_TRUE(findings);
  EXPECT_EQ(findings->cells.size(), 1U);
}

TEST_F(GgufRun, EndsEpisodesWhereTheContextIsFull) {
  const Result<RunPlan> planned = plan(study("context = 256\n"));
  ASSERT_TRUE(planned) << planned.error().message;
  EXPECT_EQ(play(*planned, "run").progress.done, 2U);
  EXPECT_THAT(fixtures::contents((files_.path() / "run").string()),
              Each(HasSubstr("context_window_exceeded")));
}

TEST_F(GgufRun, ReadsPrecisionFromTheFile) {
  EXPECT_TRUE(plan(study("", "precision = \"int4\"\n")));
  EXPECT_TRUE(plan(study("", "precision = \"simulated 3-bit\"\n")));
  const Result<RunPlan> wrong = plan(study("", "precision = \"int8\"\n"));
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("said to be 'int8'"));
  EXPECT_THAT(wrong.error().message, HasSubstr("bits a weight (q4_0"));
}

TEST_F(GgufRun, NamesAFileThatIsMissingOrDamaged) {
  std::filesystem::remove(files_.path() / "q4_0.gguf");
  const Result<RunPlan> missing = plan(study(""));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::outside);
  EXPECT_THAT(missing.error().message, HasSubstr("scripts/get-small-models"));
  files_.write("q4_0.gguf", "GGUF and no more");
  EXPECT_EQ(plan(study("")).error().code, ErrorCode::bad_input);
}

TEST_F(GgufRun, ChecksWhatAModelIs) {
  const Result<RunPlan> planned = plan(study(""));
  ASSERT_TRUE(planned) << planned.error().message;
  const Result<std::vector<EndpointReport>> reports = check_endpoints(planned->study, no_variables);
  ASSERT_TRUE(reports) << reports.error().message;
  ASSERT_EQ(reports->size(), 2U);
  EXPECT_EQ((*reports)[1].error, "");
  EXPECT_EQ((*reports)[1].context_tokens, 8192U);
  EXPECT_THAT((*reports)[1].weights, HasSubstr("llama, "));
  EXPECT_THAT((*reports)[1].weights, HasSubstr("q4_0"));
  EXPECT_THAT((*reports)[1].chat_template, HasSubstr("its own"));
}

}  // namespace
}  // namespace unmask::run
