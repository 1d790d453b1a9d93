// Reads real public logs of chat messages and compares with counts made independently.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "reference/reference_data.h"
#include <gtest/gtest.h>

#include "unmask/ingest/read_log.h"

namespace unmask {
namespace {

using nlohmann::json;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Every tau-bench file of the manifest, those whose calls stand in texts included: episodes, calls
/// and failed calls.
TEST(ChatReference, TauBenchFilesOfTheManifest) {
  reference::Vectors vectors("logs/MANIFEST.tsv", 11);
  if (!vectors.available()) return;
  std::istringstream manifest(reference::read_bytes(vectors.path()).value());
  std::string line;
  std::getline(manifest, line);
  while (std::getline(manifest, line)) {
    const std::vector<std::string> fields = reference::fields_of(line);
    if (fields.size() < 10 || !fields[5].starts_with("tau1 ")) continue;
    SCOPED_TRACE(fields[0]);
    Diagnostics diagnostics;
    const auto log =
        load_log((reference::shared_folder() / "logs" / fields[0]).string(), diagnostics);
    ASSERT_TRUE(log.has_value()) << log.error().message;
    EXPECT_EQ(log->header.format, "tau-bench");
    EXPECT_EQ(log->episodes.size(), std::stoul(fields[7]));
    std::size_t calls = 0;
    std::size_t failed = 0;
    for (const Episode& episode : log->episodes) {
      calls += episode.calls.size();
      failed += static_cast<std::size_t>(std::ranges::count_if(episode.calls, &ToolCall::failed));
    }
    EXPECT_EQ(calls, std::stoul(fields[8]));
    EXPECT_EQ(failed, std::stoul(fields[9]));
    EXPECT_EQ(diagnostics.count("orphan_result"), 0U);
    EXPECT_EQ(diagnostics.count("call_id_mismatch"), 0U);
    EXPECT_EQ(diagnostics.count("unreadable_json"), 0U);
    vectors.count();
  }
  vectors.finish();
}

/// What one decision's record says of the name that was chosen.
struct ChosenName {
  std::string name;
  double log_probability = 0.0;    ///< of all the tokens of its span
  double best_other = -kInfinity;  ///< of the other tokens at its first position
};

ChosenName chosen_name(const json& decision) {
  ChosenName chosen;
  bool first = true;
  for (const json& index : decision.at("name_span")) {
    const json& token = decision.at("tokens").at(index.get<std::size_t>());
    chosen.name += token.at("t").get<std::string>();
    chosen.log_probability += token.at("lp").get<double>();
    if (first) {
      for (const json& other : token.at("top")) {
        if (other[0] != token.at("t")) {
          chosen.best_other = std::max(chosen.best_other, other[2].get<double>());
        }
      }
    }
    first = false;
  }
  return chosen;
}

void check_decision(const json& decision, const DecisionPoint& point, const json& tools) {
  EXPECT_EQ(point.message, decision.at("msg_index").get<std::uint32_t>());
  ASSERT_FALSE(point.candidates.empty());
  const ChosenName chosen = chosen_name(decision);
  // A name that was cut off may be the beginning of an offered one, which then stands for it.
  const std::string name = chosen.name.substr(0, chosen.name.find('"'));
  const auto candidate = std::ranges::find_if(
      point.candidates, [&](const Candidate& other) { return other.name.starts_with(name); });
  ASSERT_NE(candidate, point.candidates.end()) << chosen.name;
  // Other tokens that spell the same name add to it.
  EXPECT_GE(candidate->log_probability, chosen.log_probability - 1e-9) << name;
  for (const Candidate& other : point.candidates) {
    const bool offered = std::any_of(tools.begin(), tools.end(), [&](const json& tool) {
      return tool.get<std::string>().starts_with(other.name);
    });
    EXPECT_TRUE(offered || !other.admissible) << other.name;
    EXPECT_LE(other.log_probability, 1e-6);
  }
  // The free runs open the name's string in a token of its own or with the name's first letters.
  if (chosen.best_other > -kInfinity) {
    double best = -kInfinity;
    for (const Candidate& other : point.candidates) {
      if (other.name != candidate->name) best = std::max(best, other.log_probability);
    }
    EXPECT_GE(best, chosen.best_other - 1e-9);
  }
}

void check_episode(const json& expected, const Episode& episode) {
  EXPECT_EQ(episode.task_id, expected.at("scenario").get<std::string>());
  EXPECT_EQ(episode.seed, expected.at("seed").get<std::int64_t>());
  EXPECT_EQ(episode.reward, expected.at("success").get<bool>() ? 1.0 : 0.0);
  EXPECT_EQ(episode.messages, expected.at("messages").size());
  std::vector<const json*> calls;
  std::vector<const json*> choices;
  for (const json& decision : expected.at("decisions")) {
    if (decision.at("kind") != "text") calls.push_back(&decision);
    if (!decision.at("name_span").empty()) choices.push_back(&decision);
  }
  ASSERT_EQ(episode.calls.size(), calls.size());
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const ToolCall& call = episode.calls[i];
    EXPECT_EQ(call.message, calls[i]->at("msg_index").get<std::uint32_t>());
    EXPECT_EQ(call.failed, !calls[i]->at("error").is_null());
    EXPECT_EQ(call.arguments_are_object,
              calls[i]->at("kind") == "call" && calls[i]->at("args").is_object());
    EXPECT_TRUE(call.answered);
    if (calls[i]->at("name").is_string()) {
      EXPECT_EQ(call.name, calls[i]->at("name").get<std::string>());
    }
  }
  ASSERT_EQ(episode.decisions.size(), choices.size());
  for (std::size_t i = 0; i < choices.size(); ++i) {
    check_decision(*choices[i], episode.decisions[i], expected.at("tools"));
  }
}

TEST(ChatReference, SmallModels) {
  reference::Vectors vectors("logs/small-models", 132);
  if (!vectors.available()) return;
  for (const char* file : {"server_free_greedy_smollm2-135m_q8_0.jsonl.gz",
                           "smollm2-135m_q4_0.jsonl.gz", "smollm2-135m_q8_0.jsonl.gz"}) {
    SCOPED_TRACE(file);
    Diagnostics diagnostics;
    const auto log = load_log((vectors.path() / file).string(), diagnostics);
    ASSERT_TRUE(log.has_value()) << log.error().message;
    EXPECT_EQ(log->header.format, "openai chat");
    EXPECT_EQ(log->header.tools.agent.size(), 10U);
    EXPECT_TRUE(log->header.tools.complete);
    EXPECT_FALSE(diagnostics.any_warning());
    std::istringstream lines(reference::read_bytes(vectors.path() / file).value());
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line); ++number) {
      SCOPED_TRACE(number);
      const json expected = json::parse(line);
      ASSERT_LT(number, log->episodes.size());
      EXPECT_EQ(log->header.arm, expected.at("arm").get<std::string>());
      check_episode(expected, log->episodes[number]);
      vectors.count();
    }
    EXPECT_EQ(number, log->episodes.size());
  }
  vectors.finish();
}

}  // namespace
}  // namespace unmask
