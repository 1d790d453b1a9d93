#include "unmask/run/run_study.h"

#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/base/error.h"
#include "unmask/budget/budget_semantics.h"
#include "unmask/local/language_model.h"
#include "unmask/play/settings.h"

namespace unmask::run {
namespace {

constexpr const char* kGood = R"([study]
name = "two precisions"
seed = 7
trials = 2
max_errors = 5
timeout = 90
ends = "exceed"
judge = "user"

[[endpoint]]
name = "user"
base_url = "http://localhost:8000/v1"
model = "big"
api_key_env = "USER_KEY"

[[endpoint]]
name = "int4"
base_url = "http://localhost:8001/v1"
max_concurrency = 64
temperature = 0
extra_body = { chat_template_kwargs = { enable_thinking = false } }
top_logprobs = 5
streaming = true

[[cell]]
id = "gemma/telecom"
family = "gemma"
domain = "telecom"
user = "user"
[cell.tasks]
number = 8
difficulty = "easy"
policy = "long"
num_tasks = 4
[[cell.arm]]
name = "bf16"
agent = "oracle"
reference = true
[[cell.arm]]
name = "int4"
precision = "int4"
agent = "llm"
endpoint = "int4"
[[cell.arm]]
name = "simulated"
agent = "simulated"
model = "gemma-dense"
margin_sd = 0.5

[[cell]]
id = "official"
domain = "retail"
user = "none"
[cell.tasks]
source = "tau2"
split = "test"
ids = ["0", "5"]
[[cell.arm]]
name = "script"
agent = "scripted"
script = "said.json"
)";

TEST(RunStudy, ReadsEverything) {
  const Result<RunStudy> study = parse_run_study(kGood, "studies/study.toml");
  ASSERT_TRUE(study.has_value()) << study.error().message;
  EXPECT_EQ(study->seed, 7U);
  EXPECT_EQ(study->trials, 2);
  EXPECT_EQ(study->episode.max_errors, 5);
  EXPECT_EQ(study->episode.max_steps, 200);
  EXPECT_EQ(study->episode.budget.ends, Ends::exceed);
  EXPECT_EQ(study->episode.timeout_seconds, 90.0);
  EXPECT_EQ(study->episode.when_empty, play::WhenEmpty::end);
  ASSERT_EQ(study->endpoints.size(), 2U);
  EXPECT_EQ(study->endpoints[0].api_key_env, "USER_KEY");
  EXPECT_EQ(study->endpoints[0].temperature, std::nullopt);
  EXPECT_EQ(study->endpoints[1].temperature, 0.0);
  EXPECT_THAT(study->endpoints[1].extra_body, testing::HasSubstr("\"enable_thinking\""));
  ASSERT_EQ(study->cells.size(), 2U);
  const CellPlan& own = study->cells[0];
  EXPECT_EQ(own.source.reference, "bf16");
  EXPECT_EQ(own.user, UserKind::llm);
  EXPECT_FALSE(own.tasks.official);
  EXPECT_EQ(own.tasks.world.tasks, 8U);
  EXPECT_EQ(own.tasks.num_tasks, 4U);
  ASSERT_EQ(own.arms.size(), 3U);
  EXPECT_EQ(own.arms[1].endpoint, "int4");
  EXPECT_EQ(own.arms[2].margin_sd, 0.5);
  const CellPlan& official = study->cells[1];
  EXPECT_TRUE(official.tasks.official);
  EXPECT_EQ(official.user, UserKind::none);
  EXPECT_THAT(official.tasks.ids, testing::ElementsAre("0", "5"));
  EXPECT_EQ(official.arms[0].script, "studies/said.json");
}

struct Broken {
  std::string text;
  std::string expected;  ///< part of the message
};

TEST(RunStudy, NamesLineAndRemedy) {
  const std::string cell = "[[cell]]\nid = \"a\"\ndomain = \"telecom\"\n";
  const std::string arm = "[[cell.arm]]\nname = \"x\"\n";
  const auto endpoint = [](const std::string& url) {
    return "[[endpoint]]\nname = \"e\"\nbase_url = \"" + url + "\"\n";
  };
  const std::vector<Broken> cases = {
      {"[study]\nname = \"a\"\n", "no [[cell]]"},
      {cell, "the cell has no arms"},
      {cell + arm, "study.toml:4: the arm has no agent"},
      {cell + arm + "agent = \"robot\"\n", "study.toml:6: agent must be one of: llm, oracle"},
      {cell + arm + "agent = \"llm\"\n", "needs endpoint"},
      {cell + arm + "agent = \"llm\"\nendpoint = \"e\"\n",
       "study.toml:7: there is no [[endpoint]]"},
      {cell + arm + "agent = \"oracle\"\nscript = \"s\"\n", "script is for agent = \"scripted\""},
      {cell + arm + "agent = \"oracle\"\nmargin_sd = 1\n", "margin_sd is for agent"},
      {cell + arm + "agent = \"oracle\"\nrepair = \"reflex\"\n",
       "repair is for agents that decide"},
      {cell + arm + "agent = \"simulated\"\nmodel = \"m\"\nrepair = \"intercept\"\n",
       "\"rule\" or \"reflex\""},
      {cell + arm + "agent = \"oracle\"\nfiles = \"a.json\"\n",
       "'files' names logs: this is a study of logs"},
      {"[study]\ntrials = 0\n" + cell + arm + "agent = \"oracle\"\n",
       "study.toml:2: trials must be a whole number from 1"},
      {"[study]\ntimeout = -1\n" + cell + arm + "agent = \"oracle\"\n", "timeout must be a number"},
      {"[study]\nhow = \"twice\"\n" + cell + arm + "agent = \"oracle\"\n",
       "how must be one of: cumulative, consecutive"},
      {"[study]\njudge = \"e\"\n" + cell + arm + "agent = \"oracle\"\n", "no [[endpoint]] 'e'"},
      {cell + "user = \"e\"\n" + arm + "agent = \"oracle\"\n", "user must be \"scripted\""},
      {"[[cell]]\nid = \"a\"\ndomain = \"shop\"\n" + arm + "agent = \"oracle\"\n",
       "needs a domain; there are: "},
      {cell + arm + "agent = \"oracle\"\n[cell.tasks]\nnumber = 0\n", "number must be a whole"},
      {cell + arm + "agent = \"oracle\"\n[cell.tasks]\nsplit = \"base\"\nnumber = 3\n",
       "number is for this project's own tasks"},
      {"[[endpoint]]\nname = \"e\"\nbase_url = \"http://h/v1\"\napi_key = \"sk-1\"\n" + cell + arm +
           "agent = \"oracle\"\n",
       "study.toml:4: a key must not stand in a study"},
      {endpoint("http://h/v1?api_key=abcd") + cell + arm + "agent = \"oracle\"\n",
       "study.toml:3: a key must not stand in a study, as 'api_key'"},
      {endpoint("http://h/v1?v=1&sig=abcd") + cell + arm + "agent = \"oracle\"\n", "as 'sig'"},
      {endpoint("h/v1") + cell + arm + "agent = \"oracle\"\n", "study.toml:3: base_url: "},
      {endpoint("ftp://h/v1") + cell + arm + "agent = \"oracle\"\n", "study.toml:3: base_url: "},
      {endpoint("http://h:99999/v1") + cell + arm + "agent = \"oracle\"\n",
       "study.toml:3: base_url: "},
      {endpoint("http://me:word@h/v1") + cell + arm + "agent = \"oracle\"\n",
       "study.toml:3: base_url: "},
      {endpoint("http://h/v1") + "extra_body = { a = [nan] }\n" + cell + arm +
           "agent = \"oracle\"\n",
       "study.toml:4: extra_body can't hold nan"},
      {endpoint("http://h/v1") + "extra_body = '{\"stream\": true}'\n" + cell + arm +
           "agent = \"oracle\"\n",
       "study.toml:4: extra_body can't hold 'stream'"},
      {cell + "[[cell.arm]]\nname = \"a\\u0000b\"\nagent = \"oracle\"\n", "control characters"},
      {cell + "[[cell.arm]]\nname = \"" + std::string(201, 'a') + "\"\nagent = \"oracle\"\n",
       "study.toml:5: name must be at most 200 bytes"},
      {cell + arm + "agent = \"oracle\"\nrepairs = \"x\"\n", "itself"},
      {"[[endpoint]]\nname = \"e\"\n" + cell + arm + "agent = \"oracle\"\n", "has no base_url"},
      {"[[endpoint]]\nname = \"e\"\nbase_url = \"http://h/v1\"\ncontext = 512\n" + cell + arm +
           "agent = \"oracle\"\n",
       "study.toml:4: context is for a gguf"},
      {"[[endpoint]]\nname = \"e\"\ngguf = \"m.gguf\"\nstreaming = true\n" + cell + arm +
           "agent = \"oracle\"\n",
       local::has_llama() ? "study.toml:4: streaming is for a server"
                          : "study.toml:3: this unmask was built without llama.cpp"},
      {"[[endpoint]]\nname = \"e\"\nbase_url = \"http://h/v1\"\napi_key_env = \"sk-12-34\"\n" +
           cell + arm + "agent = \"oracle\"\n",
       "must be the name of a variable"},
  };
  for (const Broken& each : cases) {
    const Result<RunStudy> study = parse_run_study(each.text, "study.toml");
    ASSERT_FALSE(study.has_value()) << each.text;
    EXPECT_THAT(study.error().message, testing::HasSubstr(each.expected)) << each.text;
    EXPECT_EQ(study.error().code, ErrorCode::bad_input);
  }
}

TEST(RunStudy, KeysNeverStandInMessages) {
  const Result<RunStudy> study = parse_run_study(
      "[[endpoint]]\nname = \"e\"\nbase_url = \"http://h/v1\"\n"
      "extra_body = { api_key = \"sk-abcdefghijklmnop0123\" }\n"
      "[[cell]]\nid = \"a\"\ndomain = \"telecom\"\n[[cell.arm]]\nname = \"x\"\nagent = "
      "\"oracle\"\n",
      "study.toml");
  ASSERT_FALSE(study.has_value());
  EXPECT_THAT(study.error().message, testing::Not(testing::HasSubstr("abcdefghij")));
}

}  // namespace
}  // namespace unmask::run
