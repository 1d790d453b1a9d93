#include "unmask/decisions/log_contexts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/decisions/call_text.h"
#include "unmask/decisions/context_ids.h"
#include "unmask/decisions/context_settings.h"
#include "unmask/decisions/conversation.h"
#include "unmask/decisions/decision_context.h"
#include "unmask/decisions/offered_tools.h"
#include "unmask/decisions/tempting_options.h"
#include "unmask/diagnose/known_domains.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/episode/scored_decision.h"
#include "unmask/schema/tool_names.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/value.h"

namespace unmask::decisions {
namespace {

/// A longer name is a text that ran on; nothing of it is an option.
constexpr std::size_t kLongestName = 200;
constexpr std::string_view kCall = "call";
constexpr std::string_view kAnswer = "answer";

bool is_taken(const ContextSettings& settings, DecisionKind kind) {
  return settings.kinds[static_cast<std::size_t>(kind)];
}

bool is_decision(const Message& message, std::uint32_t index, const Episode& episode) {
  return message.role == MessageRole::agent && index >= episode.history_messages &&
         (message.call_count > 0 || !message.text.empty());
}

std::span<const ToolCall> calls_of(const Episode& episode, const Message& message) {
  return std::span(episode.calls).subspan(message.first_call, message.call_count);
}

void note_ids(const Message& message, const Episode& episode, ContextIds& ids) {
  const bool is_seen = (message.role == MessageRole::user && message.call_count == 0) ||
                       (message.role == MessageRole::tool &&
                        !(message.answers && episode.calls[*message.answers].party == Party::user));
  if (is_seen) ids.add(message.text);
}

/// Whether a place of a call is a decision between ids.
bool is_entity(const ArgumentPlace& place) {
  return place.value.is_string() && looks_like_id(*place.value.string());
}

bool is_listed(std::span<const world::Value> listed, const world::Value& value) {
  return std::ranges::any_of(
      listed, [&](const world::Value& each) { return world::python_equal(each, value); });
}

std::string value_text(const world::Value& value) {
  return value.is_string() ? *value.string() : world::dump_json(value);
}

}  // namespace

Result<void> add_tempting(const LogHeader& header, std::span<const Episode> episodes,
                          TemptingOptions& tempting) {
  const Result<ToolInventory> inventory = tools_of_log(header);
  if (!inventory) return tl::unexpected(inventory.error());
  const OfferedTools of_log = offered_tools(*inventory);
  for (const Episode& episode : episodes) {
    const OfferedTools own = episode.tools ? offered_tools(*episode.tools) : OfferedTools();
    const OfferedTools& tools = own.names.empty() ? of_log : own;
    ContextIds ids;
    for (std::uint32_t i = 0; i < episode.transcript.size(); ++i) {
      const Message& message = episode.transcript[i];
      note_ids(message, episode, ids);
      if (!is_decision(message, i, episode)) continue;
      for (const ToolCall& call : calls_of(episode, message)) {
        if (!tools.offers(call.name)) {
          tempting.add_name(call.name);
          continue;
        }
        for (const ArgumentPlace& place : argument_places(call)) {
          const std::string name = call.name + "." + place.argument;
          const std::vector<world::Value> listed = tools.listed_values(call.name, place.argument);
          const bool is_known = listed.empty()
                                    ? !is_entity(place) || ids.contains(*place.value.string())
                                    : is_listed(listed, place.value);
          if (!is_known && place.value.is_string()) {
            tempting.add_value(name, *place.value.string());
          }
        }
      }
    }
  }
  return {};
}

/// Takes the decisions of one episode.
class LogContexts::Taking {
 public:
  Taking(const LogContexts& log, const Episode& episode)
      : log_(log),
        episode_(episode),
        own_(episode.tools ? offered_tools(*episode.tools) : OfferedTools()),
        tools_(own_.names.empty() ? log.tools_ : own_),
        actions_(log.golden_actions(episode)),
        conversation_(log.system_, tools_.tools) {
    if (episode.golden_action && *episode.golden_action < actions_.size()) {
      due_ = &actions_[*episode.golden_action];
    }
    told_.add(log.system_);
    for (const llm::ChatTool& tool : tools_.tools) {
      told_.add(tool.description);
      told_.add(tool.parameters);
    }
  }

  std::vector<DecisionContext> take() && {
    for (std::uint32_t i = 0; i < episode_.transcript.size(); ++i) {
      const Message& message = episode_.transcript[i];
      // What an agent says before anybody has spoken to it is the harness's greeting.
      const bool greets = !conversation_.begun() && message.call_count == 0;
      if (is_decision(message, i, episode_) && !greets) decide(message, i);
      conversation_.add(episode_, message);
      note_ids(message, episode_, ids_);
    }
    return std::move(contexts_);
  }

 private:
  void decide(const Message& message, std::uint32_t index) {
    const std::vector<llm::ChatMessage> shown = conversation_.shown();
    const std::span<const ToolCall> calls = calls_of(episode_, message);
    // A golden action is due for the first message behind a perfect run, and its first call.
    const Golden* golden = std::exchange(due_, nullptr);
    base_ = DecisionContext();
    base_.messages = shown;
    base_.decision.task_id = episode_.task_id;
    base_.decision.trial = episode_.trial.value_or(0);
    base_.decision.message = index;
    if (calls.empty() != message.text.empty()) call_or_answer(!calls.empty(), golden);
    std::string said = message.text;
    for (std::uint32_t i = 0; i < calls.size(); ++i) {
      if (!said.empty()) said += '\n';
      const Golden* due = i == 0 && golden != nullptr && golden->is_call ? golden : nullptr;
      base_.decision.call = i;
      tool_name(calls[i], said, due);
      arguments(calls[i], said, due);
      said += call_text(calls[i]);
    }
  }

  void call_or_answer(bool called, const Golden* golden) {
    if (!is_taken(log_.settings_, DecisionKind::call_or_answer) || log_.begins_forced_) return;
    DecisionContext context = base_;
    context.decision.kind = DecisionKind::call_or_answer;
    for (const std::string_view what : {kCall, kAnswer}) {
      DecisionOption option{
          .text = std::string(what), .admissible = true, .golden = false, .provenance = {}};
      option.golden = golden != nullptr && golden->is_call == (what == kCall);
      context.decision.options.push_back(std::move(option));
      context.continuations.emplace_back(what == kCall ? kCallBegins : std::string_view());
    }
    context.decision.recorded = called ? 0 : 1;
    contexts_.push_back(std::move(context));
  }

  [[nodiscard]] std::string provenance(std::string_view name) const {
    const std::string_view bare = bare_tool_name(name);
    const bool named = conversation_.mentions(bare.empty() ? name : bare);
    return std::string(
        name_of(provenance_of(name, {tools_.names, tools_.of_user, log_.other_worlds_, named})));
  }

  /// Adds an option, once; its index.
  static std::uint32_t add(DecisionContext& context, DecisionOption option,
                           std::string continuation) {
    const auto known = std::ranges::find(context.continuations, continuation);
    const auto at = static_cast<std::uint32_t>(known - context.continuations.begin());
    if (known == context.continuations.end()) {
      context.decision.options.push_back(std::move(option));
      context.continuations.push_back(std::move(continuation));
    }
    return at;
  }

  void tool_name(const ToolCall& call, const std::string& said, const Golden* due) {
    if (!is_taken(log_.settings_, DecisionKind::tool_name)) return;
    DecisionContext context = base_;
    context.decision.kind = DecisionKind::tool_name;
    context.begins = said;
    context.begins += kCallBegins;
    const auto add_name = [&](const std::string& name) {
      DecisionOption option{
          .text = name, .admissible = tools_.offers(name), .golden = false, .provenance = {}};
      option.golden = due != nullptr && due->name == name;
      if (!option.admissible) option.provenance = provenance(name);
      return add(context, std::move(option), escaped(name) + '"');
    };
    for (const std::string& name : tools_.names) add_name(name);
    std::size_t left = log_.settings_.tempting;
    for (const std::string& name : tempting_names()) {
      if (left == 0) break;
      if (tools_.offers(name)) continue;
      add_name(name);
      --left;
    }
    if (!call.name.empty() && call.name.size() <= kLongestName) {
      context.decision.recorded = add_name(call.name);
    }
    keep(std::move(context));
  }

  const std::vector<std::string>& tempting_names() {
    if (!names_) names_ = log_.tempting_.names();
    return *names_;
  }

  void arguments(const ToolCall& call, const std::string& said, const Golden* due) {
    if (!tools_.offers(call.name)) return;
    for (const ArgumentPlace& place : argument_places(call)) {
      const std::vector<world::Value> listed = tools_.listed_values(call.name, place.argument);
      DecisionContext context = base_;
      context.decision.argument = call.name + "." + place.argument;
      context.begins = said + place.before;
      const world::Value* golden = golden_value(call, place, due);
      if (!listed.empty()) {
        enum_argument(std::move(context), place, listed, golden);
      } else if (is_entity(place)) {
        entity_argument(std::move(context), place, golden);
      }
    }
  }

  /// Of the one golden action that calls this tool: the due one, or the task's only one.
  [[nodiscard]] const world::Value* golden_value(const ToolCall& call, const ArgumentPlace& place,
                                                 const Golden* due) const {
    if (due == nullptr) due = only_golden(call.name);
    if (due == nullptr || due->name != call.name) return nullptr;
    const world::Value* value = due->arguments.find(place.argument);
    if (value == nullptr || value->list() == nullptr) return value;
    const world::List& list = *value->list();
    return place.element < list.size() ? &list[place.element] : nullptr;
  }

  [[nodiscard]] const Golden* only_golden(std::string_view name) const {
    const Golden* only = nullptr;
    for (const Golden& golden : actions_) {
      if (!golden.is_call || golden.name != name) continue;
      if (only != nullptr) return nullptr;
      only = &golden;
    }
    return only;
  }

  void enum_argument(DecisionContext context, const ArgumentPlace& place,
                     std::span<const world::Value> listed, const world::Value* golden) {
    if (!is_taken(log_.settings_, DecisionKind::enum_argument)) return;
    context.decision.kind = DecisionKind::enum_argument;
    std::vector<world::Value> tempting;
    for (std::string& value : log_.tempting_.values(context.decision.argument)) {
      if (tempting.size() < log_.settings_.tempting) tempting.emplace_back(std::move(value));
    }
    const auto is_string = [](const world::Value& value) { return value.is_string(); };
    const bool quoted = place.value.is_string() && std::ranges::all_of(listed, is_string);
    if (quoted) context.begins += '"';
    const auto add_value = [&](const world::Value& value) {
      DecisionOption option{.text = value_text(value),
                            .admissible = is_listed(listed, value),
                            .golden = false,
                            .provenance = {}};
      option.golden = golden != nullptr && world::python_equal(*golden, value);
      return add(context, std::move(option),
                 quoted ? escaped(*value.string()) + '"'
                        : world::dump_json(value) + std::string(place.behind));
    };
    for (const world::Value& value : listed) add_value(value);
    for (const world::Value& value : tempting) add_value(value);
    context.decision.recorded = add_value(place.value);
    keep(std::move(context));
  }

  void entity_argument(DecisionContext context, const ArgumentPlace& place,
                       const world::Value* golden) {
    if (!is_taken(log_.settings_, DecisionKind::entity_argument)) return;
    context.decision.kind = DecisionKind::entity_argument;
    context.begins += '"';
    const std::string& recorded = *place.value.string();
    const std::string shape = shape_of(recorded);
    bool is_invented = false;
    const auto add_id = [&](const std::string& id) {
      DecisionOption option{
          .text = id, .admissible = ids_.contains(id), .golden = false, .provenance = {}};
      option.golden = golden != nullptr && golden->is_string() && *golden->string() == id;
      is_invented |= !option.admissible;
      return add(context, std::move(option), escaped(id) + '"');
    };
    context.decision.recorded = add_id(recorded);
    for (const std::string& id : ids_.of_shape(shape)) {
      if (context.decision.options.size() >= log_.settings_.entities) break;
      add_id(id);
    }
    if (golden != nullptr && golden->is_string()) add_id(*golden->string());
    std::size_t left = log_.settings_.tempting;
    std::vector<std::string> invented = log_.tempting_.values(context.decision.argument);
    std::ranges::move(told_.of_shape(shape), std::back_inserter(invented));
    for (const std::string& id : invented) {
      if (left == 0) break;
      if (ids_.contains(id) || id == recorded) continue;
      add_id(id);
      --left;
    }
    if (!is_invented) {
      std::string other = altered(recorded);
      while (ids_.contains(other) && other != recorded) other = altered(std::move(other));
      add_id(other);
    }
    keep(std::move(context));
  }

  void keep(DecisionContext context) {
    if (context.decision.options.size() > 1) contexts_.push_back(std::move(context));
  }

  const LogContexts& log_;
  const Episode& episode_;
  OfferedTools own_;
  const OfferedTools& tools_;
  std::vector<Golden> actions_;
  const Golden* due_ = nullptr;
  Conversation conversation_;
  ContextIds ids_;   ///< of the conversation
  ContextIds told_;  ///< of the instructions
  DecisionContext base_;
  std::optional<std::vector<std::string>> names_;
  std::vector<DecisionContext> contexts_;
};

LogContexts::LogContexts(ContextSettings settings, TemptingOptions tempting)
    : settings_(std::move(settings)), tempting_(std::move(tempting)) {}

Result<LogContexts> LogContexts::open(const LogHeader& header, ContextSettings settings,
                                      TemptingOptions tempting) {
  Result<ToolInventory> inventory = tools_of_log(header);
  if (!inventory) return tl::unexpected(inventory.error());
  LogContexts log(std::move(settings), std::move(tempting));
  Result<std::string> system = system_prompt(header, log.settings_.texts);
  if (!system) return tl::unexpected(system.error());
  log.system_ = std::move(*system);
  log.tools_ = offered_tools(*inventory);
  log.other_worlds_ = tools_of_other_domains(header.domain);
  for (const TaskDefinition& task : header.tasks) log.tasks_.insert_or_assign(task.id, task.text);
  const auto begins = header.identity.sampling.find("begins");
  log.begins_forced_ = begins != header.identity.sampling.end() && !begins->second.empty();
  return log;
}

std::vector<LogContexts::Golden> LogContexts::golden_actions(const Episode& episode) const {
  const auto task = tasks_.find(episode.task_id);
  if (task == tasks_.end()) return {};
  const Result<world::Value> parsed = world::parse_json(task->second);
  const world::Value* criteria = parsed ? parsed->find("evaluation_criteria") : nullptr;
  const world::Value* actions = criteria == nullptr ? nullptr : criteria->find("actions");
  if (actions == nullptr || actions->list() == nullptr) return {};
  std::vector<Golden> golden;
  for (const world::Value& action : *actions->list()) {
    const world::Value* by = action.find("requestor");
    const world::Value* name = action.find("name");
    const world::Value* arguments = action.find("arguments");
    Golden& one = golden.emplace_back();
    one.is_call = by == nullptr || !by->is_string() || *by->string() != "user";
    if (name != nullptr && name->is_string()) one.name = *name->string();
    if (arguments != nullptr && arguments->object() != nullptr) {
      one.arguments = *arguments->object();
    }
  }
  return golden;
}

std::vector<DecisionContext> LogContexts::contexts_of(const Episode& episode) const {
  // The log of a first call holds the answer alone, not what it was an answer to.
  if (episode.first_call && episode.history_messages == 0) return {};
  return Taking(*this, episode).take();
}

}  // namespace unmask::decisions
