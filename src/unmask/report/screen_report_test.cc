#include "unmask/report/screen_report.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "unmask/report/character_width.h"
#include "unmask/report/golden_fixtures.h"
#include "unmask/report/report_sample.h"
#include "unmask/report/schema_fixtures.h"
#include "unmask/report/text_style.h"

namespace unmask {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const Producer kProducer = {"1.2.3", "abc"};

ScreenReport sample_report() {
  ScreenReport report;
  report.cells = {{.info = {.cell = "gemma-4-dense", .domain = "telecom"},
                   .arms = {sample::prone_screen(), sample::unknown_screen()}}};
  return report;
}

ScreenReport with_margins() {
  ScreenReport report = sample_report();
  screen::MarginScreen& margins = report.margins.emplace_back();
  margins.noise = {.label = "q4\x1b[31m", .sigma = 0.75, .bias = -0.1};
  screen::MarginKindScreen& all = margins.kinds.emplace_back();
  all.kind = "all";
  all.decisions = 1200;
  all.left_out = 3;
  all.tasks = 40;
  all.greedy = {.now = {.value = 0.02, .low = 0.01, .high = 0.04, .reason = {}},
                .predicted = {.value = 0.05, .low = 0.03, .high = 0.08, .reason = {}},
                .amplification = {.value = 2.5, .low = 1.7, .high = 3.6, .reason = {}}};
  all.sampled = {.now = stats::missing("no decision that can be scored"),
                 .predicted = stats::missing("no decision that can be scored"),
                 .amplification = stats::missing("no decision that can be scored")};
  return report;
}

TEST(ScreenReport, TextAt80Columns) {
  golden::expect_golden("screen_80.txt", screen_text(sample_report(), {.width = 80}));
}
TEST(ScreenReport, TextInAsciiVerboseWithMargins) {
  golden::expect_golden(
      "screen_ascii_120.txt",
      screen_text(with_margins(), {.width = 120, .unicode = false, .verbose = true}));
}
TEST(ScreenReport, Markdown) {
  golden::expect_golden("screen.md", screen_markdown(with_margins()));
}

TEST(ScreenReport, NarrowTextStaysInside) {
  for (const int width : {40, 60, 79}) {
    std::string line;
    for (const char c : screen_text(with_margins(), {.width = width})) {
      if (c != '\n') {
        line += c;
        continue;
      }
      EXPECT_LE(text::display_width(line), width) << line;
      line.clear();
    }
  }
}

TEST(ScreenReport, NamesFromLogsCannotDeceive) {
  ScreenReport report = with_margins();
  report.cells[0].info.cell = "a\x1b]0;b";
  report.cells[0].arms[0].arm = "x\x07";
  for (const std::string& text :
       {screen_text(report, {.width = 80}), screen_markdown(report), screen_json(report)}) {
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, Not(HasSubstr("\x07")));
  }
}

TEST(ScreenReport, JsonFitsItsSchema) {
  EXPECT_THAT(golden::refused_by_schema("screen.json", {screen_json(sample_report(), kProducer),
                                                        screen_json(with_margins(), kProducer),
                                                        screen_json({}, kProducer)}),
              IsEmpty());
}

TEST(ScreenReport, JsonHasLossesInPoints) {
  const auto json = nlohmann::json::parse(screen_json(sample_report(), kProducer));
  const auto& arm = json["cells"][0]["arms"][0];
  EXPECT_EQ(arm["risk"], "high");
  EXPECT_EQ(arm["what_if"][0]["factor"], 2.0);
  EXPECT_NEAR(arm["what_if"][0]["points"][0]["lost"].get<double>(), 12.5, 1e-9);
  EXPECT_EQ(arm["propensity"]["tool_name"]["near_zero"], false);
  const auto& unknown = json["cells"][0]["arms"][1];
  EXPECT_TRUE(unknown["runs"].is_null());
  EXPECT_EQ(unknown["reason"], "no episodes");
}

TEST(ScreenReport, EmptyHasWords) {
  EXPECT_THAT(screen_markdown({}), HasSubstr("No log to screen"));
  EXPECT_THAT(screen_text({}, {}), HasSubstr("unmask help screen"));
}

TEST(ValidationWords, SayWhatCameAndWhereItDiffers) {
  EXPECT_EQ(text::validation_words(sample::prone_validation(), {}),
            "errors ×2.4 [2.1, 2.8] in solved episodes; from this the reference's curve makes 11.1 "
            "points lost at K=2, observed 16.7 (more); 2.0 at K=10, observed 1.3");
  screen::Validation none;
  none.reason = "no tasks";
  EXPECT_EQ(text::validation_words(none, {}), "— no tasks");
}

}  // namespace
}  // namespace unmask
