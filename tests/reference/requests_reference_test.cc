#include <cstddef>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "reference/reference_data.h"
#include "reference/world_vectors.h"
#include <gtest/gtest.h>

#include "unmask/base/clock.h"
#include "unmask/base/error.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/llm/chat.h"
#include "unmask/play/model_participant.h"
#include "unmask/play/model_prompt.h"
#include "unmask/play/orchestrator.h"
#include "unmask/play/prompt_texts.h"
#include "unmask/play/scripted.h"
#include "unmask/world/data_files.h"
#include "unmask/world/environment.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::play {
namespace {

using world::List;
using world::Object;
using world::Value;

std::string text(const Value& object, std::string_view key) {
  const Value* value = object.find(key);
  return value == nullptr || !value->is_string() ? std::string{} : *value->string();
}

Value or_null(const std::optional<std::string>& content) {
  return content ? Value(*content) : Value();
}

/// A message as the original hands it to its client.
Value to_value(const llm::ChatMessage& message) {
  Object members{{"role", name_of(message.role)}, {"content", or_null(message.content)}};
  if (message.role == llm::ChatRole::tool) members.set("tool_call_id", message.tool_call_id);
  if (message.role != llm::ChatRole::assistant) return members;
  Value calls;
  if (message.tool_calls) {
    List list;
    for (const llm::ChatCall& call : *message.tool_calls) {
      list.push_back(
          Object{{"id", call.id},
                 {"name", call.name},
                 {"function", Object{{"name", call.name}, {"arguments", call.arguments}}},
                 {"type", "function"}});
    }
    calls = std::move(list);
  }
  members.set("tool_calls", std::move(calls));
  return members;
}

Value to_value(const std::vector<llm::ChatTool>& tools) {
  List list;
  for (const llm::ChatTool& tool : tools) {
    list.push_back(
        Object{{"type", "function"},
               {"function", Object{{"name", tool.name},
                                   {"description", tool.description},
                                   {"parameters", *world::parse_json(tool.parameters)}}}});
  }
  return reference::without_descriptions(list);
}

std::string between(std::string_view whole, std::string_view begin, std::string_view end) {
  const std::size_t from = whole.find(begin);
  if (from == std::string_view::npos) return {};
  const std::string_view rest = whole.substr(from + begin.size());
  return std::string(rest.substr(0, rest.find(end)));
}

/// The original's own instructions, which are not ours to keep: taken from what its agent was told.
PromptTexts texts_of(const Value& run, PromptTexts texts) {
  for (const Value& request : *run.find("requests")->list()) {
    if (text(request, "side") != "agent") continue;
    const std::string system = text(request.find("messages")->list()->front(), "content");
    const std::string instructions = between(system, "<instructions>\n", "\n</instructions>");
    texts.agent = texts.agent_ground_truth = texts.agent_solo = instructions;
    std::string step = between(system, "[Step 1] ", "\n");
    if (!step.empty()) {
      const std::size_t call = step.find(": ") + 2;
      texts.agent_step = step.replace(call, step.rfind(')') + 1 - call, "{}");
    }
    break;
  }
  return texts;
}

llm::ChatReply reply_of(const Value& output) {
  llm::ChatReply reply;
  if (const Value* content = output.find("content"); content != nullptr && content->is_string()) {
    reply.content = *content->string();
  }
  const Value* calls = output.find("tool_calls");
  if (calls == nullptr || calls->list() == nullptr) return reply;
  for (const Value& call : *calls->list()) {
    reply.tool_calls.push_back(
        {text(call, "id"), text(call, "name"), dump_json(*call.find("arguments"))});
  }
  return reply;
}

std::string choice_of(llm::ToolChoice choice) {
  switch (choice) {
    case llm::ToolChoice::unset:
      return "null";
    case llm::ToolChoice::automatic:
      return "\"auto\"";
    case llm::ToolChoice::required:
      return "\"required\"";
    case llm::ToolChoice::none:
      return "\"none\"";
  }
  return {};
}

/// Asks a run's questions, answers as its models did.
class RunOfRequests {
 public:
  explicit RunOfRequests(const Value& run) : run_(run), requests_(*run.find("requests")->list()) {}

  void play() {
    const std::string domain = text(run_, "domain");
    const auto files = world::DataFiles::of_domain(reference::shared_folder() / "tau2", domain);
    ASSERT_TRUE(files.has_value()) << files.error().message;
    const auto world = world::find_known_world(domain)->load(*files, {});
    ASSERT_TRUE(world.has_value()) << world.error().message;
    const auto shared_texts = read_prompt_texts(*files);
    ASSERT_TRUE(shared_texts.has_value()) << shared_texts.error().message;
    const PromptTexts texts = texts_of(run_, *shared_texts);
    const auto task = world::read_task(*run_.find("task"), "task");
    ASSERT_TRUE(task.has_value()) << task.error().message;

    const std::string agent_name = text(run_, "agent");
    const AgentKind kind = agent_name == name_of(AgentKind::solo) ? AgentKind::solo
                           : agent_name == name_of(AgentKind::ground_truth)
                               ? AgentKind::ground_truth
                               : AgentKind::plain;
    const bool solo = kind == AgentKind::solo;
    auto prompt = agent_prompt(kind, (*world)->setup(), *task, texts);
    ASSERT_TRUE(prompt.has_value()) << prompt.error().text;
    expect_tools("agent", prompt->tools);
    const ModelParticipant agent(Party::agent, *prompt, solo);
    const ModelParticipant user(Party::user, user_prompt((*world)->setup(), *task, texts));
    if (!solo) expect_tools("user", user.prompt().tools);
    auto environment = (*world)->make_environment(solo);
    const ManualClock clock;
    const NoUser nobody;
    const Participant& other = solo ? static_cast<const Participant&>(nobody) : user;
    Orchestrator orchestrator(**environment, *task, {.solo = solo, .seed = 12345}, agent, other,
                              clock);
    orchestrator.start();
    while (const auto question = orchestrator.advance()) {
      ASSERT_LT(asked_, requests_.size());
      expect_request(*question);
      orchestrator.answer(next_reply(question->party));
    }
    EXPECT_EQ(asked_, requests_.size());
    ASSERT_TRUE(orchestrator.termination().has_value());
    EXPECT_EQ(name_of(*orchestrator.termination()), text(run_, "termination"));
  }

 private:
  void expect_tools(std::string_view side, const std::vector<llm::ChatTool>& tools) {
    const Value* offered = run_.find("tools")->find(side);
    EXPECT_EQ(dump_json(to_value(tools)),
              offered == nullptr || offered->is_null()
                  ? "[]"
                  : dump_json(reference::without_descriptions(*offered)));
  }

  void expect_request(const Question& question) {
    const Value& request = requests_[asked_++];
    EXPECT_EQ(question.party == Party::agent ? "agent" : "user", text(request, "side"));
    const List& expected = *request.find("messages")->list();
    ASSERT_EQ(question.request.messages.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(dump_sorted_json(to_value(question.request.messages[i])),
                dump_sorted_json(expected[i]))
          << text(run_, "name") << " request " << asked_ << " message " << i;
    }
    EXPECT_EQ(choice_of(question.request.tool_choice), dump_json(*request.find("tool_choice")));
    EXPECT_EQ(question.request.seed, 12345U);
  }

  llm::ChatReply next_reply(Party party) {
    std::size_t& taken = party == Party::agent ? agent_taken_ : user_taken_;
    const List& outputs =
        *run_.find(party == Party::agent ? "agent_outputs" : "user_outputs")->list();
    return taken < outputs.size() ? reply_of(outputs[taken++]) : llm::ChatReply{};
  }

  const Value& run_;
  const List& requests_;
  std::size_t asked_ = 0;
  std::size_t agent_taken_ = 0;
  std::size_t user_taken_ = 0;
};

TEST(RequestsReference, RequestsToModels) {
  reference::Vectors vectors("tau2/orchestrator/llm_requests.jsonl.gz", 7);
  if (!vectors.available()) return;
  std::istringstream lines(reference::read_bytes(vectors.path()).value());
  for (std::string line; std::getline(lines, line);) {
    const auto run = world::parse_json(line);
    ASSERT_TRUE(run.has_value()) << run.error().message;
    RunOfRequests(*run).play();
    if (HasFailure()) return;
    vectors.count();
  }
  vectors.finish();
}

}  // namespace
}  // namespace unmask::play
