#include "unmask/play/facts_user.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/episode/channel.h"
#include "unmask/play/json_in_text.h"
#include "unmask/play/message_rules.h"
#include "unmask/play/participant.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"

namespace unmask::play {
namespace {

using world::Value;

bool is_word_byte(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9') || byte == '_' || byte == '\'';
}

char lower(char byte) {
  return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
}

/// A word of a text and where it ends.
struct Word {
  std::string text;  ///< lower case
  std::size_t end = 0;
};

/// Words between anything else; underscores and hyphens part them, articles are left out.
std::vector<Word> words_of(std::string_view text) {
  constexpr std::array<std::string_view, 4> kArticles = {"the", "your", "a", "my"};
  std::vector<Word> words;
  std::string word;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && is_word_byte(text[i]) && text[i] != '_') {
      word += lower(text[i]);
      continue;
    }
    if (!word.empty() && std::ranges::find(kArticles, word) == kArticles.end()) {
      words.push_back({word, i});
    }
    word.clear();
  }
  return words;
}

bool contains(std::string_view text, std::string_view part) {
  return std::ranges::search(text, part, {}, lower, lower).begin() != text.end();
}

/// The arguments of a golden action whose values stand in the text.
std::optional<world::Object> golden_arguments(std::string_view text, std::string_view tool,
                                              const world::Task& task) {
  for (const world::GoldenAction& action : golden_actions(task)) {
    const bool stated = action.name == tool &&
                        std::ranges::all_of(action.arguments, [&](const world::Member& argument) {
                          return contains(text, python_str(argument.value));
                        });
    if (stated) return action.arguments;
  }
  return std::nullopt;
}

SentMessage message_of(std::string text) {
  SentMessage sent;
  sent.message.role = world::Role::user;
  sent.message.content = std::move(text);
  return sent;
}

SentMessage message_of(std::vector<world::ToolCall> calls, std::size_t turn) {
  SentMessage sent;
  sent.message.role = world::Role::user;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    calls[i].id = "step_" + std::to_string(turn) + "_" + std::to_string(i);
  }
  sent.message.tool_calls = std::move(calls);
  return sent;
}

std::string text_of(const Value* object, std::string_view key) {
  const Value* value = object == nullptr ? nullptr : object->find(key);
  return value == nullptr || !value->is_string() ? std::string{} : *value->string();
}

/// `facts.settled_when` of an own task; null elsewhere.
const Value* sign_of(const world::Task& task) {
  const Value* facts = task.own.find("facts");
  return facts == nullptr ? nullptr : facts->find("settled_when");
}

bool shows_sign(const world::Message& result, const Value& sign) {
  const std::string wanted = text_of(&sign, "contains");
  const std::string unwanted = text_of(&sign, "lacks");
  const std::string content = result.content.value_or("");
  return !result.error && content.find(wanted) != std::string::npos &&
         (unwanted.empty() || content.find(unwanted) == std::string::npos);
}

bool hands_over(std::string_view text) {
  constexpr std::array<std::string_view, 5> kWords = {"human", "transferred", "transferring you",
                                                      "passed on", "passing you on"};
  return std::ranges::any_of(kWords, [&](auto words) { return contains(text, words); });
}

/// Own turns after the opening that were neither a step that the agent named nor its report.
std::size_t fruitless_turns(const View& view, const Value* sign) {
  const std::string sign_tool = text_of(sign, "tool");
  std::size_t turns = 0;
  for (std::size_t i = 1; i < view.size(); ++i) {
    const world::Message& message = view[i];
    if (message.role != world::Role::user) continue;
    const bool looks = message.tool_calls && !message.tool_calls->empty() &&
                       message.tool_calls->front().name == sign_tool;
    const bool talks = !has_calls(message) && view[i - 1].role != world::Role::tool;
    if (looks || talks) ++turns;
  }
  return turns == 0 ? 0 : turns - 1;  // the opening
}

void add(std::string& text, std::string_view sentence) {
  if (sentence.empty()) return;
  if (!text.empty()) text += ' ';
  text += sentence;
}

}  // namespace

std::string in_first_person(std::string_view text) {
  struct Change {
    std::string_view from;
    std::string_view to;
  };
  // Longest first: of those that fit at a place the first is taken.
  constexpr std::array<Change, 17> kChanges = {{{"You don't", "I don't"},
                                                {"tell you", "tell me"},
                                                {"You are", "I am"},
                                                {"you are", "I am"},
                                                {"You were", "I was"},
                                                {"you were", "I was"},
                                                {"the agent", "you"},
                                                {"to you", "to me"},
                                                {"for you", "for me"},
                                                {"yourself", "myself"},
                                                {"yours", "mine"},
                                                {"Your", "My"},
                                                {"your", "my"},
                                                {"You", "I"},
                                                {"you", "I"},
                                                {"The agent", "You"},
                                                {"agent's", "your"}}};
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const bool begins = at == 0 || !is_word_byte(text[at - 1]);
    const auto change = std::ranges::find_if(kChanges, [&](const Change& candidate) {
      const std::size_t end = at + candidate.from.size();
      return text.substr(at).starts_with(candidate.from) &&
             (end == text.size() || !is_word_byte(text[end]));
    });
    if (begins && change != kChanges.end()) {
      out += change->to;
      at += change->from.size();
    } else {
      out += text[at++];
    }
  }
  return out;
}

StepFinder::StepFinder(const world::Toolkit& tools) {
  for (const world::Tool& tool : tools.tools) {
    Name name{.words = {}, .tool = &tool};
    for (Word& word : words_of(tool.name)) name.words.push_back(std::move(word.text));
    names_.push_back(std::move(name));
  }
  std::ranges::stable_sort(names_, std::ranges::greater{},
                           [](const Name& name) { return name.words.size(); });
}

std::vector<world::ToolCall> StepFinder::find(std::string_view text,
                                              const world::Task& task) const {
  const std::vector<Word> words = words_of(text);
  const std::span<const Word> all = words;
  std::vector<world::ToolCall> calls;
  std::size_t at = 0;
  while (at < words.size()) {
    const auto name = std::ranges::find_if(names_, [&](const Name& candidate) {
      const std::size_t count = candidate.words.size();
      return at + count <= all.size() &&
             std::ranges::equal(candidate.words, all.subspan(at, count), {}, {}, &Word::text);
    });
    if (name == names_.end()) {
      ++at;
      continue;
    }
    at += name->words.size();
    world::ToolCall call;
    call.name = name->tool->name;
    call.requestor = Party::user;
    const std::size_t next = text.find_first_not_of(" (`:", words[at - 1].end);
    const std::optional<std::string_view> given =
        next == std::string_view::npos ? std::nullopt : object_at(text, next);
    Result<Value> arguments = world::parse_json(given.value_or("null"));
    if (arguments && arguments->object() != nullptr) {
      call.arguments = std::move(*arguments->object());
    } else if (std::optional<world::Object> golden = golden_arguments(text, call.name, task)) {
      call.arguments = std::move(*golden);
    }
    calls.push_back(std::move(call));
  }
  return calls;
}

std::string FactsUser::known_from(const world::Task& task) {
  const Value& instructions = task.user_scenario.instructions;
  if (instructions.is_string()) return in_first_person(*instructions.string());
  std::string text;
  for (const std::string_view key : {"known_info", "reason_for_call", "unknown_info"}) {
    add(text, in_first_person(text_of(&instructions, key)));
  }
  return text.empty() ? "I need help." : text;
}

world::Outcome<Turn> FactsUser::take_turn(const View& view) const {
  if (view.size() > 0) {
    const world::Message& last = view[view.size() - 1];
    if (last.role == world::Role::tool) return report(view);
    if (view.own_turns() > 0) return hear(view, last);
  }
  return message_of("Hello. " + known_);
}

SentMessage FactsUser::hear(const View& view, const world::Message& said) const {
  const std::string text = said.content.value_or("");
  if (hands_over(text)) return message_of("###TRANSFER###");
  if (steps_ != nullptr) {
    std::vector<world::ToolCall> calls = steps_->find(text, task_);
    if (!calls.empty()) return message_of(std::move(calls), view.own_turns());
  }
  if (fruitless_turns(view, sign_of(task_)) > patience_) return message_of(std::string(kStopWord));
  const bool closes = contains(text, "anything else");
  if (const Value* sign = sign_of(task_); sign != nullptr && steps_ != nullptr) {
    if (closes || text.find('?') == std::string::npos) {
      world::ToolCall look;
      look.name = text_of(sign, "tool");
      look.requestor = Party::user;
      return message_of({std::move(look)}, view.own_turns());
    }
  } else if (closes) {
    return message_of(std::string(kStopWord));
  }
  return message_of("Yes, please. " + known_);
}

SentMessage FactsUser::report(const View& view) const {
  // The results of the last calls, which end the view.
  std::size_t first = view.size();
  while (first > 0 && view[first - 1].role == world::Role::tool) --first;
  const Value* sign = sign_of(task_);
  const std::string sign_tool = text_of(sign, "tool");
  const std::vector<world::ToolCall> none;
  const std::vector<world::ToolCall>& calls =
      first == 0 ? none : view[first - 1].tool_calls.value_or(none);
  std::string text = "I did that.";
  for (std::size_t i = first; i < view.size(); ++i) {
    const std::size_t number = i - first;
    const bool is_sign = number < calls.size() && calls[number].name == sign_tool;
    if (is_sign && shows_sign(view[i], *sign)) return message_of(std::string(kStopWord));
    add(text, "It says: " + view[i].content.value_or(""));
  }
  return message_of(std::move(text));
}

}  // namespace unmask::play
