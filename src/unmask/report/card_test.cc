#include "unmask/report/card.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "unmask/audit/findings.h"
#include "unmask/base/error.h"
#include "unmask/report/golden_fixtures.h"
#include "unmask/report/producer.h"
#include "unmask/report/report_sample.h"
#include "unmask/report/schema_fixtures.h"

namespace unmask {
namespace {

using Json = nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Producer kProducer{"1.2.3", "abc"};

Card card_of(const char* cell, const char* arm) {
  const Result<Card> card = card_from(sample::study_audit(), cell, arm);
  EXPECT_TRUE(card.has_value());
  return card.value_or(Card{});
}

std::string good_card() { return card_json(card_of("gemma-4-dense", "int4"), kProducer); }

TEST(Card, HoldsWhatTheStandardAsks) {
  const Json card = Json::parse(good_card());
  EXPECT_EQ(card["schema"], "unmask.card/1");
  EXPECT_EQ(card["score"]["k"], 10);
  EXPECT_EQ(card["score"]["value"], 0.654);
  for (const char* k : {"1", "2", "5", "10"})
    EXPECT_TRUE(card["score_by_budget"][k]["value"].is_number()) << k;
  EXPECT_EQ(card["score_by_budget"].size(), 4U);
  EXPECT_EQ(card["channels"]["tool_name"]["errors"], 1646);
  EXPECT_EQ(card["coverage"]["vanished"], 3);
  EXPECT_EQ(card["budget"]["ends"], "reach");
  EXPECT_EQ(card["identity"]["precision"], "int4");
  EXPECT_EQ(card["comparison"]["verdict"], "masked_damage");
  EXPECT_EQ(card["comparison"]["gap_points"]["2"]["value"], 16.7);
}

TEST(Card, EveryArmHasAGoodOne) {
  const AuditFindings findings = sample::study_audit();
  std::vector<std::string> cards;
  for (const CellFindings& cell : findings.cells) {
    for (const ArmFindings& arm : cell.arms) {
      const Result<Card> card = card_from(findings, cell.info.cell, arm.arm);
      ASSERT_TRUE(card.has_value());
      cards.push_back(card_json(*card, kProducer));
      const std::vector<CardViolation> violations = check_card(cards.back());
      EXPECT_THAT(violations, IsEmpty())
          << arm.arm << " "
          << (violations.empty() ? "" : violations[0].path + violations[0].sentence);
    }
  }
  EXPECT_THAT(golden::refused_by_schema("card.json", cards), IsEmpty());
}

TEST(Card, SmallBudgetLeavesLargerOnesNull) {
  AuditFindings findings = sample::masked_audit();
  ArmFindings& arm = findings.cells[0].arms[0];
  arm.score.resize(3);
  arm.budget.enforced = 3;
  const Result<Card> card = card_from(findings, "gemma-4-dense", "bf16");
  ASSERT_TRUE(card.has_value());
  const std::string text = card_json(*card, kProducer);
  const Json json = Json::parse(text);
  EXPECT_TRUE(json["score_by_budget"]["5"]["value"].is_null());
  EXPECT_THAT(json["score_by_budget"]["5"]["reason"].get<std::string>(), HasSubstr("of 3"));
  EXPECT_EQ(json["score"]["k"], 3);
  EXPECT_TRUE(json["comparison"].is_null());
  EXPECT_THAT(check_card(text), IsEmpty());
  EXPECT_THAT(golden::refused_by_schema("card.json", {text}), IsEmpty());
}

TEST(Card, UnknownNamesListTheKnownOnes) {
  const AuditFindings findings = sample::masked_audit();
  const Result<Card> cell = card_from(findings, "gemma", "int4");
  ASSERT_FALSE(cell.has_value());
  EXPECT_EQ(cell.error().code, ErrorCode::invalid_argument);
  EXPECT_THAT(cell.error().message, HasSubstr("gemma-4-dense"));
  const Result<Card> arm = card_from(findings, "gemma-4-dense", "int8");
  ASSERT_FALSE(arm.has_value());
  EXPECT_THAT(arm.error().message, HasSubstr("bf16, fp8 and int4"));
  const Result<Card> empty = card_from(sample::empty_audit(), "", "bf16");
  ASSERT_FALSE(empty.has_value());
  EXPECT_EQ(empty.error().code, ErrorCode::bad_input);
}

TEST(Card, ReadsBackWhatItWrote) {
  const std::string text = good_card();
  const Result<Card> card = parse_card(text, "card.json");
  ASSERT_TRUE(card.has_value()) << card.error().message;
  EXPECT_EQ(card_json(*card, kProducer), text);
}

TEST(Card, AReferencesCardHasItsRisk) {
  const std::string text = card_json(card_of("gemma-4-dense", "bf16"), kProducer);
  const Result<Card> card = parse_card(text, "card.json");
  ASSERT_TRUE(card.has_value()) << card.error().message;
  EXPECT_EQ(card->risk, screen::RiskClass::high);
  EXPECT_EQ(card_json(*card, kProducer), text);
  EXPECT_FALSE(card_of("gemma-4-dense", "int4").risk.has_value());
}

TEST(Card, Markdown) {
  golden::expect_golden("card.md", card_markdown(card_of("gemma-4-dense", "int4")));
  Card card = card_of("gemma-4-dense", "int4");
  card.cell = card.domain;  // a cell that was named after its domain
  EXPECT_EQ(card_markdown(card).rfind("### Tool-call failures: telecom\n", 0), 0U);
  golden::expect_golden("card_reference.md", card_markdown(card_of("gemma-4-dense", "bf16")));
}

struct Mutation {
  const char* what;
  const char* pointer;  // of the changed or erased member
  Json value;           // discarded = erase
  const char* path;     // of the violation
  bool schema_sees;     // relations between numbers are beyond a schema
};

TEST(CardCheck, NamesPathAndRemedy) {
  const Json erase(Json::value_t::discarded);
  const Json null;
  const std::vector<Mutation> mutations = {
      {"no schema", "/schema", erase, "/schema", true},
      {"a risk of no class", "/risk", "dire", "/risk", true},
      {"no score", "/score", erase, "/score", true},
      {"score null", "/score/value", null, "/score/value", true},
      {"no S(1)", "/score_by_budget/1", erase, "/score_by_budget/1", true},
      {"no S(2)", "/score_by_budget/2", erase, "/score_by_budget/2", true},
      {"no S(5)", "/score_by_budget/5", erase, "/score_by_budget/5", true},
      {"no S(K_obs)", "/score_by_budget/10", erase, "/score_by_budget/10", false},
      {"a budget of 0", "/score_by_budget/0", Json{{"value", 0}, {"low", 0}, {"high", 0}},
       "/score_by_budget/0", true},
      {"no rate an episode", "/channels/tool_name/per_episode", erase,
       "/channels/tool_name/per_episode", true},
      {"no rate a call", "/channels/entity/per_call", erase, "/channels/entity/per_call", true},
      {"no channel", "/channels/malformed", erase, "/channels/malformed", true},
      {"per cent", "/channels/tool_name/per_call/value", 38.3, "/channels/tool_name/per_call/value",
       true},
      {"negative rate", "/channels/tool_name/per_episode/low", -0.1,
       "/channels/tool_name/per_episode/low", true},
      {"null without reason", "/channels/entity/per_call/low", null,
       "/channels/entity/per_call/reason", true},
      {"no coverage", "/coverage", erase, "/coverage", true},
      {"no vanished", "/coverage/vanished", erase, "/coverage/vanished", true},
      {"vanished is no sum", "/coverage/vanished", 7, "/coverage/vanished", false},
      {"no episode", "/coverage/episodes", 0, "/coverage/episodes", true},
      {"no exclusions", "/coverage/excluded", erase, "/coverage/excluded", true},
      {"no budget", "/budget", erase, "/budget", true},
      {"unknown semantics", "/budget/how", "sometimes", "/budget/how", true},
      {"no switch", "/budget/ends", erase, "/budget/ends", true},
      {"enforced without k", "/budget/k_obs", null, "/budget/k_obs", true},
      {"no identity", "/identity", erase, "/identity", true},
      {"no precision", "/identity/precision", null, "/identity/precision", true},
      {"no model", "/identity/model", "", "/identity/model", true},
      {"sampling is no text", "/identity/sampling/top~1p", 1, "/identity/sampling/top~1p", true},
      {"no harness", "/harness", erase, "/harness", true},
      {"S falls", "/score_by_budget/5/value", 0.2, "/score_by_budget/5/value", false},
      {"score at another budget", "/score/k", 5, "/score/k", false},
      {"a count beyond all sense", "/coverage/tasks", 5e18, "/coverage/tasks", false},
      {"score is not S", "/score/value", 0.62, "/score/value", false},
      {"text for a number", "/score/value", "high", "/score/value", true},
      {"errors that are not the rate's", "/channels/tool_name/errors", 1600,
       "/channels/tool_name/per_episode/value", false},
      {"calls that are not the rate's", "/coverage/agent_calls", 1000,
       "/channels/tool_name/per_call/value", false},
      {"more tasks than episodes", "/coverage/tasks", 100000, "/coverage/tasks", false},
      {"a fraction of an error", "/channels/other/errors", 1.5, "/channels/other/errors", true},
  };
  const Json good = Json::parse(good_card());
  std::vector<std::string> documents;
  std::vector<std::size_t> expected;
  for (const Mutation& mutation : mutations) {
    Json card = good;
    const Json::json_pointer pointer(mutation.pointer);
    if (mutation.value.is_discarded()) {
      card[pointer.parent_pointer()].erase(pointer.back());
    } else {
      card[pointer] = mutation.value;
    }
    const std::string text = card.dump();
    const std::vector<CardViolation> violations = check_card(text);
    const bool named = std::ranges::any_of(violations, [&](const CardViolation& violation) {
      return violation.path == mutation.path && !violation.sentence.empty();
    });
    EXPECT_TRUE(named) << mutation.what << ": "
                       << (violations.empty() ? "no violation" : violations.front().path);
    EXPECT_FALSE(parse_card(text, "x").has_value()) << mutation.what;
    if (mutation.schema_sees) expected.push_back(documents.size());
    documents.push_back(text);
  }
  EXPECT_EQ(golden::refused_by_schema("card.json", documents), expected);
}

TEST(CardCheck, TakesAnyBytes) {
  for (const char* text : {"", "{", "[]", "null", "NaN", "<html>", "\xFF", "{\"a\":1e999}"})
    EXPECT_THAT(check_card(text), testing::Not(IsEmpty())) << text;
  EXPECT_EQ(check_card("[]").front().path, "");
  EXPECT_THAT(check_card(std::string(100'000, '[')), testing::Not(IsEmpty()));
}

TEST(CardCheck, ALogIsTold) {
  const std::vector<CardViolation> violations = check_card(R"({"info": {}, "simulations": []})");
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_THAT(violations.front().sentence, HasSubstr("card write"));
}

TEST(CardCheck, RoundedCardsAreGood) {
  Json card = Json::parse(good_card());
  card["score"]["value"] = 0.65;
  card["score_by_budget"]["10"]["value"] = 0.651;
  EXPECT_THAT(check_card(card.dump()), IsEmpty());
}

TEST(Card, ParseErrorNamesTheFile) {
  const Result<Card> card = parse_card("{}", "cards/a.json");
  ASSERT_FALSE(card.has_value());
  EXPECT_EQ(card.error().code, ErrorCode::bad_input);
  EXPECT_THAT(card.error().message, HasSubstr("cards/a.json: not a valid card: /schema"));
}

}  // namespace
}  // namespace unmask
