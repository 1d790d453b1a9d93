#include "unmask/report/page_blocks.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/report/json_values.h"
#include "unmask/report/page_pack.h"
#include "unmask/report/page_rows.h"

namespace unmask {
namespace {

using json_report::Json;

constexpr std::size_t kBlockBytes = std::size_t{1} << 20U;  // unpacked and searched in milliseconds

const char* word_of(MessageRole role) {
  switch (role) {
    case MessageRole::system:
      return "system";
    case MessageRole::agent:
      return "agent";
    case MessageRole::user:
      return "user";
    case MessageRole::tool:
      return "tool";
  }
  return "";
}

// The answer to a call stands in the call; a message that says the same is not written twice.
Json message_json(const Message& message, const Episode& episode) {
  const bool told = message.answers && *message.answers < episode.calls.size() &&
                    episode.calls[*message.answers].result == message.text;
  Json json{{"role", word_of(message.role)}};
  if (!told) json["text"] = message.text;
  if (message.call_count > 0) json["calls"] = {message.first_call, message.call_count};
  if (message.answers) json["answers"] = *message.answers;
  return json;
}

Json call_json(const ToolCall& call) {
  Json json{{"name", call.name},       {"party", name_of(call.party)},
            {"message", call.message}, {"arguments", call.arguments},
            {"result", call.result},   {"answered", call.answered},
            {"failed", call.failed}};
  if (call.in_history) json["history"] = true;
  return json;
}

}  // namespace

std::string page_episode(const Episode& episode) {
  Json json{{"id", episode.id},
            {"reward", json_report::number(episode.reward)},
            {"record", episode.reward_record},
            {"termination", episode.termination_text},
            {"note", episode.infrastructure_note}};
  Json& messages = json["messages"] = Json::array();
  for (const Message& message : episode.transcript)
    messages.push_back(message_json(message, episode));
  Json& calls = json["calls"] = Json::array();
  for (const ToolCall& call : episode.calls) calls.push_back(call_json(call));
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

EpisodePlace PageBlocks::add(const Episode& episode) {
  const std::string text = page_episode(episode);
  if (place_ > 0 && open_.size() + text.size() > kBlockBytes) close();
  open_ += place_ == 0 ? "[" : ",";
  open_ += text;
  return {.block = static_cast<int>(blocks_.size()), .place = place_++};
}

void PageBlocks::close() {
  if (place_ == 0) return;
  open_ += "]";
  blocks_.push_back(packed_for_page(open_));
  open_.clear();
  place_ = 0;
}

std::vector<std::string> PageBlocks::finish() {
  close();
  return std::move(blocks_);
}

}  // namespace unmask
