#include "unmask/report/json_report.h"

#include <cstddef>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "unmask/audit/findings.h"
#include "unmask/report/csv_report.h"
#include "unmask/report/json_values.h"
#include "unmask/report/producer.h"
#include "unmask/report/report_sample.h"
#include "unmask/report/schema_fixtures.h"

namespace unmask {
namespace {

using Json = nlohmann::json;
using testing::ElementsAre;
using testing::IsEmpty;

const Producer kProducer{"1.2.3", ""};

Json json_of(const AuditFindings& findings) { return Json::parse(audit_json(findings, kProducer)); }

TEST(JsonReport, FitsItsSchema) {
  EXPECT_THAT(
      golden::refused_by_schema("audit.json", {audit_json(sample::masked_audit(), kProducer),
                                               audit_json(sample::study_audit(), kProducer),
                                               audit_json(sample::replayed_audit(), kProducer),
                                               audit_json(sample::empty_audit(), kProducer),
                                               audit_json(AuditFindings{}, kProducer)}),
      IsEmpty());
}

TEST(JsonReport, SchemaRefusesWhatIsMissingOrWrong) {
  const Json good = json_of(sample::masked_audit());
  std::vector<std::string> bad;
  const auto with = [&](const char* pointer, const Json& value) {
    Json copy = good;
    copy[Json::json_pointer(pointer)] = value;
    bad.push_back(copy.dump());
  };
  const auto without = [&](const char* parent, const char* key) {
    Json copy = good;
    copy[Json::json_pointer(parent)].erase(key);
    bad.push_back(copy.dump());
  };
  without("", "seed");
  without("/cells/0/arms/0/consequence", "score_consequence");
  with("/cells/0/comparisons/0/consequence/gap/reason", "");
  without("/cells/0", "comparisons");
  without("/cells/0/comparisons/0", "sensitivity");
  without("/cells/0/arms/0/channels/tool_name", "per_episode");
  without("/cells/0/comparisons/1/failure_set/tool_name", "novel_share");
  with("/schema", "unmask.audit/2");
  with("/cells/0/comparisons/0/verdict", "fine");
  with("/cells/0/arms/0/score/0/value", 1.5);
  with("/cells/0/arms/0/score/0/value", nullptr);  // without a reason
  with("/cells/0/comparisons/0/gap/0/k", 0);
  std::vector<std::size_t> all(bad.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  EXPECT_EQ(golden::refused_by_schema("audit.json", bad), all);
}

TEST(JsonReport, HoldsTheStableKeys) {
  const Json json = json_of(sample::study_audit());
  EXPECT_EQ(json["schema"], "unmask.audit/1");
  EXPECT_EQ(json["unmask"]["version"], "1.2.3");
  EXPECT_TRUE(json["unmask"]["commit"].is_null());
  EXPECT_EQ(json["inputs"][0]["sha256"].get<std::string>().size(), 64U);
  EXPECT_EQ(json["inputs"][0]["warnings"].size(), 1U);
  const Json& arm = json["cells"][0]["arms"][2];
  EXPECT_EQ(arm["channels"]["tool_name"]["errors"], 1646);
  EXPECT_EQ(arm["channels"]["tool_name"]["kinds"]["wrong_owner"]["errors"], 1607);
  EXPECT_EQ(arm["vanished"], 3);
  EXPECT_TRUE(arm["tokens"].contains("tokens"));
  EXPECT_FALSE(arm["lengths"].contains("tokens"));
  const Json& comparison = json["cells"][0]["comparisons"][1];
  EXPECT_EQ(comparison["verdict"], "masked_damage");
  EXPECT_EQ(comparison["suffix"], "score equivalent");
  EXPECT_EQ(comparison["gap"][1]["points"], 16.7);
  EXPECT_EQ(comparison["widening"][0]["points"], 15.4);
  EXPECT_EQ(comparison["equivalence"][0]["margin"], 7.5);
  EXPECT_EQ(comparison["attribution"]["tool_name"][0]["difference"], 15.9);
  EXPECT_EQ(comparison["failure_set"]["tool_name"]["outcome"], "invariant_failure_set");
  EXPECT_EQ(comparison["sensitivity"].size(), 16U);
  EXPECT_EQ(json["cells"][2]["comparisons"][0]["sensitivity"][2]["verdict"], "undecided");
  EXPECT_EQ(json["study"]["channel_by_domain"]["telecom"]["tool_name"], 1);
  EXPECT_EQ(json["warning_counts"]["duplicate_trial"], 2);
}

// Every null that is a number's place has a reason beside it or above it.
TEST(JsonReport, NullsHaveReasons) {
  const Json json = json_of(sample::study_audit());
  const Json& zero = json["cells"][2]["comparisons"][0]["amplification"]["tool_name"];
  EXPECT_TRUE(zero["ratio"].is_null());
  EXPECT_FALSE(zero["reason"].get<std::string>().empty());
  const Json& set = json["cells"][2]["comparisons"][0]["failure_set"]["tool_name"];
  EXPECT_TRUE(set["spearman"].is_null());
  EXPECT_EQ(set["reason"], "too few errors: 2 and 0");
}

TEST(JsonReport, NeverWritesNaNNorInvalidText) {
  AuditFindings findings = sample::masked_audit();
  ArmFindings& arm = findings.cells[0].arms[0];
  arm.score[0].score.value = std::numeric_limits<double>::quiet_NaN();
  arm.score[1].score.high = std::numeric_limits<double>::infinity();
  arm.identity.model = "bad \xFF bytes";
  const std::string text = audit_json(findings, kProducer);
  const Json json = Json::parse(text);
  EXPECT_TRUE(json["cells"][0]["arms"][0]["score"][0]["value"].is_null());
  EXPECT_TRUE(json["cells"][0]["arms"][0]["score"][1]["high"].is_null());
  EXPECT_EQ(json["cells"][0]["arms"][0]["identity"]["model"], "bad \uFFFD bytes");
  EXPECT_THAT(golden::refused_by_schema("audit.json", {text}), IsEmpty());
}

TEST(JsonReport, WritesDeceptiveCharactersAsEscapes) {
  using json_report::with_escapes;
  EXPECT_EQ(with_escapes("{\"a\": \"x\u202Ey\"}\n"), "{\"a\": \"x\\u202ey\"}\n");
  EXPECT_EQ(with_escapes("\"é千\""), "\"é千\"");
  EXPECT_EQ(with_escapes("\"\xC2\x9B\x7F\""), "\"\\u009b\\u007f\"");
  EXPECT_EQ(with_escapes("\"\U000E0041\""), "\"\\udb40\\udc41\"");
  AuditFindings findings = sample::masked_audit();
  findings.cells[0].info.family = "a\u202Eb";
  const std::string text = audit_json(findings, kProducer);
  EXPECT_EQ(text.find("\u202E"), std::string::npos);
  EXPECT_EQ(Json::parse(text)["cells"][0]["family"], "a\u202Eb");
}

TEST(JsonReport, SplitHalvesHaveRatiosOnly) {
  AuditFindings findings = sample::masked_audit();
  NullFindings& null = findings.cells[0].null;
  null = {};
  null.amplification.push_back({.channel = "tool_name", .ratio = {1.0, 0.8, 1.2, {}}});
  const Json json = json_of(findings)["cells"][0]["noise_floor"]["amplification"]["tool_name"];
  EXPECT_EQ(json["ratio"], 1.0);
  EXPECT_TRUE(json["errors_ref"].is_null());
  EXPECT_TRUE(json["tested"].is_null());
  EXPECT_FALSE(json["reason"].get<std::string>().empty());
  EXPECT_EQ(json_of(findings)["settings"]["comparisons_elsewhere"], 0);
  EXPECT_THAT(golden::refused_by_schema("audit.json", {audit_json(findings, kProducer)}),
              IsEmpty());
}

TEST(JsonReport, SameFindingsSameBytes) {
  EXPECT_EQ(audit_json(sample::study_audit(), kProducer),
            audit_json(sample::study_audit(), kProducer));
}

// Fields of a line of CSV without line breaks.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back().push_back(c);
    }
  }
  return fields;
}

TEST(CsvReport, IsTidy) {
  const std::string csv = audit_csv(sample::study_audit());
  std::istringstream stream(csv);
  std::string line;
  ASSERT_TRUE(std::getline(stream, line));
  EXPECT_EQ(line, "cell,arm,measure,channel,k,value,low,high,p,p_adjusted,reason");
  std::size_t rows = 0;
  bool verdict = false, gap = false, missing = false;
  while (std::getline(stream, line)) {
    ++rows;
    const std::vector<std::string> fields = fields_of(line);
    ASSERT_EQ(fields.size(), 11U) << line;
    EXPECT_FALSE(fields[5].empty() && fields[10].empty()) << "neither value nor reason: " << line;
    if (fields[1] == "int4" && fields[2] == "verdict_masked_damage") verdict = fields[5] == "1";
    if (fields[1] == "int4" && fields[2] == "gap_points" && fields[4] == "2")
      gap = fields[5] == "16.7";
    if (fields[2] == "amplification" && fields[5].empty()) missing = true;
  }
  EXPECT_GT(rows, 300U);
  EXPECT_TRUE(verdict);
  EXPECT_TRUE(gap);
  EXPECT_TRUE(missing);
  EXPECT_EQ(audit_csv(AuditFindings{}),
            "cell,arm,measure,channel,k,value,low,high,p,p_adjusted,reason\n");
}

TEST(CsvReport, HasWhatExecutingCallsAgainShows) {
  const std::string csv = audit_csv(sample::replayed_audit());
  for (const char* row :
       {"int4,stray_write_episodes,,,30,,,,,", "int4,score_consequence,,10,0.61,0.56,0.66,,,",
        "int4,stray_write_first_call,,,9.25,7.75,10.75,,,", "int4,answered_otherwise,,,1,,,,,",
        "int4,gap_consequence_points,,10,3,-1,7,0.14,,", "int4,decided_error_text,,,2,,,,,",
        "fp8,score_consequence,,10,,,,,,the tasks name no golden actions"}) {
    EXPECT_NE(csv.find(row), std::string::npos) << row;
  }
  EXPECT_EQ(audit_csv(sample::masked_audit()).find("stray_write"), std::string::npos);
}

TEST(CsvReport, NamesCannotBecomeFormulas) {
  AuditFindings findings = sample::empty_audit();
  findings.cells[0].info.cell = "=HYPERLINK(\"x\")";
  findings.cells[0].arms[0].arm = "-1,2";
  const std::string csv = audit_csv(findings);
  EXPECT_NE(csv.find("\"'=HYPERLINK(\"\"x\"\")\",\"'-1,2\",tasks"), std::string::npos) << csv;
}

}  // namespace
}  // namespace unmask
