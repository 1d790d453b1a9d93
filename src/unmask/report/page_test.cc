#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "unmask/audit/audit.h"
#include "unmask/audit/findings.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/facts.h"
#include "unmask/margins/findings.h"
#include "unmask/report/json_report.h"
#include "unmask/report/page_blocks.h"
#include "unmask/report/page_pack.h"
#include "unmask/report/page_report.h"
#include "unmask/report/page_rows.h"
#include "unmask/report/page_selection.h"
#include "unmask/report/page_static.h"
#include "unmask/report/page_status.h"
#include "unmask/report/page_template.h"
#include "unmask/report/report_sample.h"

namespace unmask {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

constexpr std::string_view kTemplate =
    "<html><!--unmask:static--><!--unmask:findings--><!--unmask:rows--><!--unmask:blocks--></html>";

ArmInput arm(const std::string& name, std::size_t tasks, int trials) {
  ArmInput input;
  ArmFacts& facts = input.facts;
  facts.name = name;
  facts.kinds.intern("");
  for (std::uint32_t task = 0; task < tasks; ++task) {
    const std::string id = "task " + std::to_string(task);
    facts.tasks.push_back({.id = id, .key = id});
    for (int trial = 0; trial < trials; ++trial) {
      EpisodeFacts episode;
      episode.task = task;
      episode.trial = trial;
      episode.success = trial == 0;
      episode.termination = Termination::user_stop;
      episode.calls = {{.name = facts.names.intern("get_order"), .message = 1},
                       {.name = facts.names.intern("get_ordr"),
                        .kind = facts.kinds.intern("near_miss"),
                        .message = 3,
                        .party = Party::user,
                        .failed = true,
                        .channel = Channel::entity,
                        .evidence = EvidenceKind::error_text}};
      facts.episodes.push_back(episode);
    }
  }
  return input;
}

CellInput cell(std::size_t tasks, int trials) {
  CellInput input;
  input.info.cell = "shop";
  input.reference = "bf16";
  input.arms = {arm("bf16", tasks, trials), arm("int4", tasks, trials)};
  return input;
}

TEST(Base64, IsThatOfRfc4648) {
  struct Case {
    std::string_view bytes, text;
  };
  for (const Case& each :
       {Case{"", ""}, Case{"f", "Zg=="}, Case{"fo", "Zm8="}, Case{"foo", "Zm9v"},
        Case{"foob", "Zm9vYg=="}, Case{"fooba", "Zm9vYmE="}, Case{"foobar", "Zm9vYmFy"},
        Case{std::string_view("\xff\xfe\x00", 3), "//4A"}}) {
    EXPECT_EQ(base64(each.bytes), each.text);
  }
}

TEST(PageRows, HoldEveryCallOfEveryEpisode) {
  const std::vector<CellInput> cells = {cell(2, 2)};
  const Json rows = Json::parse(page_rows(cells, per_episode(cells, EpisodePlace{}), "none"));
  EXPECT_EQ(rows["version"], 1);
  const Json& int4 = rows["cells"][0]["arms"][1];
  EXPECT_EQ(int4["arm"], "int4");
  EXPECT_EQ(int4["pair"], Json({0, 1}));
  EXPECT_EQ(int4["episodes"]["task"], Json({0, 0, 1, 1}));
  EXPECT_EQ(int4["episodes"]["flags"], Json({1, 0, 1, 0}));
  EXPECT_EQ(int4["episodes"]["calls"], Json({2, 2, 2, 2}));
  EXPECT_TRUE(int4["episodes"]["seconds"][0].is_null());
  // by the user, failed, entity (3), error_text (3)
  EXPECT_EQ(int4["calls"]["flags"][1], 1 + 2 + (3 << 2) + (3 << 5));
  EXPECT_EQ(int4["kinds"], Json({"", "near_miss"}));
}

TEST(PageRows, SayWhyAnEpisodeIsNoObservation) {
  std::vector<CellInput> cells = {cell(1, 3)};
  cells[0].arms[0].facts.episodes[0].excluded = Exclusion::infrastructure;
  cells[0].arms[0].facts.episodes[1].excluded = Exclusion::no_reward;
  cells[0].arms[0].facts.budget.enforced = 10;
  cells[0].arms[0].facts.episodes[2].termination = Termination::too_many_errors;
  const Json rows = Json::parse(page_rows(cells, per_episode(cells, EpisodePlace{}), "all"));
  EXPECT_EQ(rows["cells"][0]["arms"][0]["episodes"]["flags"], Json({2, 4, 8}));
}

TEST(PageSelection, IsReadAndNamed) {
  for (const char* text : {"all", "failed", "none", "sample:1", "sample:40"}) {
    const std::optional<PageSelection> selection = page_selection(text);
    ASSERT_TRUE(selection) << text;
    EXPECT_EQ(name_of(*selection), text);
  }
  for (const char* text : {"", "ALL", "sample", "sample:", "sample:0", "sample:-1", "sample:2x"})
    EXPECT_FALSE(page_selection(text)) << text;
}

TEST(PageSelection, SamplesTheSameTrialsOfAllArms) {
  const std::vector<CellInput> cells = {cell(20, 4)};
  const PerEpisode<bool> chosen =
      selected_episodes(cells, {.kind = PageSelection::Kind::sample, .count = 7}, 1);
  EXPECT_EQ(std::ranges::count(chosen[0][0], true), 7);
  EXPECT_EQ(chosen[0][0], chosen[0][1]);
  const PerEpisode<bool> others =
      selected_episodes(cells, {.kind = PageSelection::Kind::sample, .count = 7}, 2);
  EXPECT_NE(chosen, others);
  const PerEpisode<bool> more =
      selected_episodes(cells, {.kind = PageSelection::Kind::sample, .count = 1000}, 1);
  EXPECT_EQ(std::ranges::count(more[0][0], true), 80);
}

TEST(PageSelection, TakesEpisodesWithoutSuccess) {
  const std::vector<CellInput> cells = {cell(3, 2)};
  const PerEpisode<bool> chosen =
      selected_episodes(cells, {.kind = PageSelection::Kind::failed}, 1);
  EXPECT_EQ(chosen[0][0], std::vector<bool>({false, true, false, true, false, true}));
}

TEST(PageBlocks, HoldWholeEpisodesUpToAMegabyte) {
  Episode episode;
  episode.id = "e";
  episode.transcript = {{.role = MessageRole::user, .text = std::string(600'000, 'x')}};
  PageBlocks blocks;
  EXPECT_EQ(blocks.add(episode), (EpisodePlace{0, 0}));
  EXPECT_EQ(blocks.add(episode), (EpisodePlace{1, 0}));
  episode.transcript[0].text = "short";
  EXPECT_EQ(blocks.add(episode), (EpisodePlace{1, 1}));
  episode.transcript[0].text = std::string(3'000'000, 'x');  // larger than a block: one of its own
  EXPECT_EQ(blocks.add(episode), (EpisodePlace{2, 0}));
  EXPECT_EQ(blocks.finish().size(), 3U);
  EXPECT_TRUE(PageBlocks().finish().empty());
}

TEST(PageBlocks, KeepTextsAndMendWhatIsNotUtf8) {
  Episode episode;
  episode.id = "e1";
  episode.reward = 1.0;
  episode.transcript = {
      {.role = MessageRole::agent, .text = "\"</script>\x01", .first_call = 0, .call_count = 1},
      {.role = MessageRole::tool, .text = "bad \xff byte", .answers = 0},
      {.role = MessageRole::tool, .text = "no", .answers = 0}};
  episode.calls = {
      {.name = "f", .arguments = "{}", .answered = true, .failed = true, .result = "no"}};
  const Json json = Json::parse(page_episode(episode));
  EXPECT_EQ(json["messages"][0]["text"], "\"</script>\x01");
  EXPECT_EQ(json["messages"][0]["calls"], Json({0, 1}));
  EXPECT_EQ(json["messages"][1]["text"], "bad \uFFFD byte");
  EXPECT_EQ(json["messages"][1]["answers"], 0);
  EXPECT_FALSE(json["messages"][2].contains("text"));  // the call has it
  EXPECT_EQ(json["calls"][0]["party"], "agent");
  EXPECT_FALSE(json["calls"][0].contains("history"));
}

TEST(HtmlEscaped, LeavesNoMarkupAndShowsWhatDeceives) {
  EXPECT_EQ(html_escaped("<b a=\"1\" c='2'>&</b>"),
            "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;&lt;/b&gt;");
  EXPECT_THAT(html_escaped("a\u202eb"), HasSubstr("202e"));
}

TEST(AuditPage, EmbedsWhatTheJsonReportSays) {
  AuditFindings findings = sample::study_audit();
  findings.cells[0].arms[0].hallucinated.push_back(
      {.name = "</script><script>alert(1)</script>", .count = 3, .provenance = "novel"});
  const std::string page = audit_page(findings, {}, kTemplate);
  const std::string_view open = "<script type=\"application/json\" id=\"findings\">";
  const std::size_t begin = page.find(open) + open.size();
  const std::string embedded = page.substr(begin, page.find("</script>", begin) - begin);
  EXPECT_THAT(embedded, Not(HasSubstr("<")));
  EXPECT_EQ(Json::parse(embedded), Json::parse(audit_json(findings)));
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_TRUE(page.starts_with("<html><noscript>"));
  EXPECT_TRUE(page.ends_with("</html>"));
}

TEST(AuditPage, CanHaveItsBlocksBesideIt) {
  constexpr std::string_view kStrict =
      "<html>script-src 'sha256-x'<!--unmask:static--><!--unmask:findings--><!--unmask:rows-->"
      "<!--unmask:blocks--></html>";
  PageEpisodes episodes;
  episodes.blocks = {"QUJD", "REVG"};
  const std::string alone = audit_page(sample::masked_audit(), episodes, kStrict);
  EXPECT_THAT(alone, HasSubstr("class=\"block\">REVG</script>"));
  EXPECT_THAT(alone, HasSubstr("script-src 'sha256-x'"));
  episodes.blocks_beside = true;
  const std::string beside = audit_page(sample::masked_audit(), episodes, kStrict);
  EXPECT_THAT(beside, Not(HasSubstr("REVG")));
  EXPECT_THAT(beside, HasSubstr("id=\"blocks-beside\">2</script>"));
  EXPECT_THAT(beside, HasSubstr("script-src 'self' 'sha256-x'"));
  EXPECT_EQ(block_file(1, "REVG"), "window.unmaskBlocks[1]=\"REVG\";\n");
}

TEST(AuditPage, ShowsVerdictsWithoutScript) {
  const std::string html = page_static(sample::masked_audit());
  EXPECT_THAT(html, HasSubstr("MASKED DAMAGE, score equivalent"));
  EXPECT_THAT(html, HasSubstr("<th scope=\"col\">K=10</th>"));
  EXPECT_THAT(page_static(sample::empty_audit()), HasSubstr("No arm to compare."));
}

TEST(PageStatus, IsJsonWhateverAFileIsCalled) {
  const Json json = Json::parse(page_status_json({.version = "v", .problem = "a\"\xff\n"}));
  EXPECT_EQ(json["version"], "v");
  EXPECT_EQ(json["problem"], "a\"\uFFFD\n");
}

TEST(PageTemplate, HoldsEachMarkOnceAndInOrder) {
  const std::string_view page = page_template();
  if (page.empty()) GTEST_SKIP() << "this build has no report page (UNMASK_PAGE)";
  std::size_t last = 0;
  for (const std::string_view mark :
       {kPageStaticMark, kPageFindingsMark, kPageRowsMark, kPageBlocksMark}) {
    const std::size_t place = page.find(mark);
    ASSERT_NE(place, std::string_view::npos) << mark;
    EXPECT_EQ(page.find(mark, place + 1), std::string_view::npos) << mark;
    EXPECT_GE(place, last);
    last = place;
  }
  EXPECT_THAT(std::string(page), HasSubstr("Content-Security-Policy"));
}

TEST(AuditPage, HoldsMarginsWhereThereAreAny) {
  const AuditFindings findings = sample::masked_audit();
  margins::MarginFindings margins;
  margins.reference.name = "</script><b>";
  margins.reason = "no decision";
  PageEpisodes episodes;
  EXPECT_THAT(audit_page(findings, episodes, kTemplate), Not(HasSubstr("margins-data")));
  episodes.margins = &margins;
  const std::string page = audit_page(findings, episodes, kTemplate);
  EXPECT_THAT(page, HasSubstr("<script type=\"application/json\" id=\"margins-data\">{"));
  EXPECT_THAT(page, HasSubstr("\\u003c/script>\\u003cb>"));
}

}  // namespace
}  // namespace unmask
