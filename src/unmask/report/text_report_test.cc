#include "unmask/report/text_report.h"

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/audit/findings.h"
#include "unmask/audit/verdict.h"
#include "unmask/base/diagnostics.h"
#include "unmask/episode/log_header.h"
#include "unmask/report/character_width.h"
#include "unmask/report/golden_fixtures.h"
#include "unmask/report/markdown_report.h"
#include "unmask/report/report_sample.h"
#include "unmask/report/report_words.h"

namespace unmask {
namespace {

using golden::expect_golden;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(TextReport, OneCellAt80Columns) {
  expect_golden("masked_80.txt", text_report(sample::masked_audit(), {.width = 80}));
}
TEST(TextReport, OneCellAt160Columns) {
  expect_golden("masked_160.txt", text_report(sample::masked_audit(), {.width = 160}));
}
TEST(TextReport, OneCellInColour) {
  expect_golden("masked_color.txt",
                text_report(sample::masked_audit(), {.width = 120, .color = true}));
}
TEST(TextReport, StudyAt80Columns) {
  expect_golden("study_80.txt", text_report(sample::study_audit(), {.width = 80}));
}
TEST(TextReport, StudyAt160Columns) {
  expect_golden("study_160.txt", text_report(sample::study_audit(), {.width = 160}));
}
TEST(TextReport, StudyInAsciiAndVerbose) {
  expect_golden(
      "study_ascii_verbose.txt",
      text_report(sample::study_audit(), {.width = 100, .unicode = false, .verbose = true}));
}
TEST(TextReport, CallsExecutedAgain) {
  expect_golden("replayed_100.txt", text_report(sample::replayed_audit(), {.width = 100}));
}
TEST(TextReport, NothingToCompare) {
  expect_golden("empty.txt", text_report(sample::empty_audit(), {.width = 80}));
}
TEST(MarkdownReport, Study) { expect_golden("study.md", audit_markdown(sample::study_audit())); }
TEST(MarkdownReport, CallsExecutedAgain) {
  expect_golden("replayed.md", audit_markdown(sample::replayed_audit()));
}
TEST(MarkdownReport, NothingToCompare) {
  expect_golden("empty.md", audit_markdown(sample::empty_audit()));
}

TEST(TextReport, FitsEveryWidth) {
  for (const AuditFindings& findings : {sample::masked_audit(), sample::study_audit(),
                                        sample::replayed_audit(), sample::empty_audit()}) {
    for (const bool verbose : {false, true}) {
      for (int width = 60; width <= 200; width += 10) {
        for (const std::string& line :
             lines_of(text_report(findings, {.width = width, .verbose = verbose}))) {
          // Tables of numbers are not cut; they fit from 80 columns on.
          EXPECT_LE(text::display_width(line), std::max(width, 80)) << width << ": " << line;
          EXPECT_FALSE(line.ends_with(' ')) << line;
        }
      }
    }
  }
}

TEST(TextReport, NamesCannotDeceiveTheTerminal) {
  AuditFindings findings = sample::study_audit();
  for (CellFindings& cell : findings.cells) {
    const std::string evil = "\x1b]0;x\a\u202Ename\r\n";
    cell.info.domain = evil;
    for (ArmFindings& arm : cell.arms) {
      if (arm.arm == cell.reference) arm.arm += evil;
      arm.harness.version = evil;
      for (NameCount& name : arm.hallucinated) name.name = evil;
    }
    cell.reference += evil;
    for (ComparisonFindings& comparison : cell.comparisons) {
      comparison.not_equal = {evil};
      comparison.open = {{evil, 3.0}};
    }
  }
  findings.diagnostics.add({.code = "evil",
                            .severity = Severity::error,
                            .file = "\x1b[2Jfile",
                            .episode = "\u202E",
                            .sentence = "\x07",
                            .offset = {}});
  for (const std::string& report :
       {text_report(findings, {.width = 100, .verbose = true}), audit_markdown(findings)}) {
    for (const char c : report) EXPECT_TRUE(c == '\n' || c >= ' ' || c < '\0') << int{c};
    EXPECT_EQ(report.find("\u202E"), std::string::npos);
  }
}

TEST(TextReport, ColourOnlyMarks) {
  const std::string plain = text_report(sample::study_audit(), {.width = 100});
  std::string colored = text_report(sample::study_audit(), {.width = 100, .color = true});
  std::string stripped;
  for (std::size_t i = 0; i < colored.size(); ++i) {
    if (colored[i] != '\x1b') {
      stripped.push_back(colored[i]);
      continue;
    }
    i = colored.find('m', i);
  }
  EXPECT_NE(colored, plain);
  EXPECT_EQ(stripped, plain);
}

TEST(TextReport, AsciiIsAscii) {
  for (const char c : text_report(sample::study_audit(), {.width = 100, .unicode = false}))
    ASSERT_TRUE(c == '\n' || (c >= ' ' && c <= '~'));
}

TEST(TextReport, ManyArmsStillReadable) {
  AuditFindings findings = sample::masked_audit();
  CellFindings& cell = findings.cells.front();
  for (int i = 0; i < 4; ++i) {
    cell.arms.push_back(cell.arms[2]);
    cell.arms.back().arm = "int4-variant-" + std::to_string(i);
    cell.comparisons.push_back(cell.comparisons[1]);
    cell.comparisons.back().arm = cell.arms.back().arm;
  }
  const std::string report = text_report(findings, {.width = 80});
  for (const std::string& line : lines_of(report)) EXPECT_LE(text::display_width(line), 80) << line;
  EXPECT_NE(report.find("int4-variant-3"), std::string::npos);
}

TEST(ReportWords, WorstChannelPrefersAmplified) {
  ComparisonFindings comparison;
  EXPECT_EQ(text::worst_channel(comparison), nullptr);
  const auto channel = [&](const char* name, double ratio, bool quiet, bool amplified) {
    AmplificationFindings& added = comparison.amplification.emplace_back();
    added.channel = name;
    added.in_family = added.tested = true;
    added.ratio.value = ratio;
    added.errors_arm = 10;
    added.quiet = quiet;
    added.amplified = amplified;
  };
  channel("entity", 7.0, true, false);
  EXPECT_EQ(text::worst_channel(comparison), nullptr);
  comparison.amplification[0].rising = true;
  EXPECT_EQ(text::worst_channel(comparison)->channel, "entity") << "it keeps an arm from clean";
  channel("arguments", 3.0, false, false);
  comparison.amplification[1].errors_arm = 11;
  EXPECT_EQ(text::worst_channel(comparison)->channel, "arguments");
  channel("tool_name", 1.5, false, true);
  EXPECT_EQ(text::worst_channel(comparison)->channel, "tool_name");
  channel("precondition", 1.9, false, true);
  EXPECT_EQ(text::worst_channel(comparison)->channel, "precondition");
}

TEST(ReportWords, RatiosInSentencesHaveTheirSign) {
  EXPECT_EQ(text::shown_sentence("errors may rise (x4.1), x2 and 0x1, box2", {.unicode = true}),
            "errors may rise (×4.1), ×2 and 0x1, box2");
  EXPECT_EQ(text::shown_sentence("x4.1", {.unicode = false}), "x4.1");
}

TEST(TextReport, AmplifiedPointsToALargerGapThatWasNotTested) {
  AuditFindings findings = sample::masked_audit();
  findings.settings.budgets = {2, 5};
  ComparisonFindings& comparison = findings.cells.front().comparisons[1];
  comparison.verdict = Verdict::amplified;
  for (GapPoint& point : comparison.gap)
    point.gap.figure = {.value = 0.01, .low = 0.0, .high = 0.02};
  const std::string before = text_report(findings, {.width = 300});
  EXPECT_EQ(before.find("where nothing was tested"), std::string::npos);
  for (GapPoint& point : comparison.gap) {
    if (point.k == 3) point.gap.figure = {.value = 0.123, .low = 0.05, .high = 0.2};
  }
  const std::string after = text_report(findings, {.width = 300});
  EXPECT_NE(after.find("the largest gap is 12.3 points"), std::string::npos) << after;
  EXPECT_NE(after.find("--budgets 3"), std::string::npos);
}

TEST(ReportWords, SaysWhatTheBudgetWas) {
  BudgetRegime budget{.nominal = 10, .enforced = 10, .known = true};
  EXPECT_EQ(text::budget_words(budget), "budget K=10 enforced, agent + user");
  budget.known = false;
  budget.counts = CountedParty::agent;
  EXPECT_EQ(text::budget_words(budget), "budget K=10 assumed, agent only");
  budget.enforced.reset();
  EXPECT_EQ(text::budget_words(budget), "error budget not known");
  budget.known = true;
  EXPECT_EQ(text::budget_words(budget), "budget never enforced (the log's max_errors 10 is dead)");
}

TEST(ReportWords, JoinsAndCounts) {
  EXPECT_EQ(text::joined({}), "");
  EXPECT_EQ(text::joined({"a"}), "a");
  EXPECT_EQ(text::joined({"a", "b"}), "a and b");
  EXPECT_EQ(text::joined({"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(text::counted(1, "task"), "1 task");
  EXPECT_EQ(text::counted(1200, "task"), "1,200 tasks");
}

}  // namespace
}  // namespace unmask
