#include "unmask/ingest/token_choices.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/json/parser.h"

namespace unmask {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<TokenPosition> positions(std::string_view json) {
  json::Parser parser;
  const auto parsed = parser.parse(json);
  EXPECT_TRUE(parsed.has_value()) << json;
  return parsed ? read_token_positions(parsed->root) : std::vector<TokenPosition>{};
}

const std::vector<std::string> kOffered = {"open_lid", "open_door", "turn_wheel"};

TEST(TokenChoices, ReadsBothForms) {
  const std::vector<TokenPosition> expected = {{{"open", -0.5}, {{"turn", -1.5}}},
                                               {{"_lid", -0.25}, {}}};
  EXPECT_EQ(positions(R"([
    {"token": "open", "logprob": -0.5, "top_logprobs": [{"token": "open", "logprob": -0.5},
                                                        {"token": "turn", "logprob": -1.5}]},
    {"token": "_lid", "logprob": -0.25, "top_logprobs": []}])"),
            expected);
  EXPECT_EQ(positions(R"([
    {"t": "open", "id": 4, "lp": -0.5, "top": [["open", 4, -0.5], ["turn", 9, -1.5]]},
    {"t": "_lid", "id": 5, "lp": -0.25, "top": []}])"),
            expected);
}

TEST(TokenChoices, NumbersThatAreNoneAreLeftOut) {
  EXPECT_THAT(positions("[]"), IsEmpty());
  EXPECT_THAT(positions("{}"), IsEmpty());
  EXPECT_THAT(positions(R"([{"t": "a", "lp": NaN}])"), IsEmpty());
  EXPECT_EQ(
      positions(R"([{"t": "a", "lp": -1, "top": [["b", 1, -Infinity], ["c"], 7, ["d", 2, -3]]},
                         {"t": "b"}, {"t": "c", "lp": -1}])"),
      (std::vector<TokenPosition>{{{"a", -1.0}, {{"d", -3.0}}}}));
}

TEST(TokenChoices, FindsTheName) {
  const auto tokens = positions(R"([
    {"t": "<tool_call>{\"", "lp": 0}, {"t": "name", "lp": 0}, {"t": "\": \"op", "lp": 0},
    {"t": "en_lid", "lp": 0}, {"t": "\",", "lp": 0}, {"t": "}", "lp": 0}])");
  EXPECT_EQ(find_name(tokens, "open_lid", 0), (NameSpan{2, 4, 5}));
  EXPECT_EQ(find_name(tokens, "close_lid", 0), std::nullopt);
  EXPECT_EQ(find_name(tokens, "open_lid", 3), std::nullopt);
  const auto forced = positions(R"([{"t": "open", "lp": 0}, {"t": "_lid", "lp": 0}])");
  EXPECT_EQ(find_name(forced, "open_lid", 0), (NameSpan{0, 0, 2}));
  EXPECT_EQ(find_name(forced, "", 0), std::nullopt);
  EXPECT_EQ(find_name({}, "open_lid", 0), std::nullopt);
  const auto text = positions(R"([
    {"t": "{\"tool\": \"", "lp": 0}, {"t": "open", "lp": 0}, {"t": "_lid\"", "lp": 0}])");
  EXPECT_EQ(find_name(text, "open_lid", 0), (NameSpan{1, 0, 3}));
}

TEST(TokenChoices, CandidatesAreSumsFromTheFirstTokenOfTheName) {
  const auto tokens = positions(R"([
    {"t": " \"open", "lp": -0.1, "top": [[" \"open", 1, -0.1], [" \"turn", 2, -3], [" {", 3, -5],
                                         [" \"fly", 4, -6]]},
    {"t": "_lid", "lp": -0.2, "top": [["_lid", 1, -0.2], ["_door", 2, -2], ["_box", 3, -4]]},
    {"t": "\"", "lp": -0.3, "top": [["\"", 1, -0.3], ["s", 2, -1.5]]}])");
  const auto candidates = name_candidates(tokens, {0, 2, 3}, kOffered);
  ASSERT_EQ(candidates.size(), 6U);
  const auto expect = [&](std::size_t at, std::string_view name, double log_probability,
                          bool admissible) {
    EXPECT_EQ(candidates[at].name, name);
    EXPECT_NEAR(candidates[at].log_probability, log_probability, 1e-12) << name;
    EXPECT_EQ(candidates[at].admissible, admissible) << name;
  };
  expect(0, "open_lid", -0.6, true);  // all three tokens
  expect(1, "open_lids", -1.8, false);
  expect(2, "open_door", -2.1, true);   // its second token settles it
  expect(3, "turn_wheel", -3.0, true);  // its first one does
  expect(4, "open_box", -4.1, false);
  expect(5, "fly", -6.0, false);  // `{` opens no name: no candidate
}

TEST(TokenChoices, ABeginningThatSeveralOfferedNamesHaveStaysItself) {
  const auto tokens = positions(R"([
    {"t": "turn_wheel", "lp": -1, "top": [["open", 1, -2], ["open_", 2, -2], ["\"", 3, -9]]},
    {"t": "\"", "lp": 0, "top": []}])");
  EXPECT_THAT(name_candidates(tokens, {0, 0, 2}, kOffered),
              ElementsAre(Candidate{"turn_wheel", -1.0, true}, Candidate{"open", -2.0, true},
                          Candidate{"open_", -2.0, true}));
}

TEST(TokenChoices, TwoWaysToOneNameAddUp) {
  const auto tokens = positions(R"([
    {"t": "turn", "lp": -1, "top": [["op", 1, -9], ["open_l", 2, -2], ["open_li", 3, -2]]},
    {"t": "_wheel\"", "lp": 0, "top": []}])");
  const auto candidates = name_candidates(tokens, {0, 0, 2}, kOffered);
  ASSERT_EQ(candidates.size(), 3U);
  EXPECT_EQ(candidates[1].name, "open_lid");
  EXPECT_NEAR(candidates[1].log_probability, -2.0 + std::log(2.0), 1e-12);
}

TEST(TokenChoices, ANameThatWasCutOff) {
  const auto tokens = positions(R"([{"t": "open", "lp": -1, "top": [["fly\"", 1, -2]]}])");
  EXPECT_THAT(name_candidates(tokens, {0, 0, 5}, kOffered),
              ElementsAre(Candidate{"open", -1.0, true}, Candidate{"fly", -2.0, false}));
  EXPECT_THAT(name_candidates(tokens, {3, 0, 5}, kOffered), IsEmpty());
  EXPECT_THAT(name_candidates({}, {0, 0, 0}, kOffered), IsEmpty());
}

}  // namespace
}  // namespace unmask
