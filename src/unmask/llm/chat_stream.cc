#include "unmask/llm/chat_stream.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/json/parser.h"
#include "unmask/json/value.h"
#include "unmask/json/write.h"
#include "unmask/llm/chat.h"
#include "unmask/llm/response_values.h"
#include "unmask/net/sse.h"

namespace unmask::llm {
namespace {

constexpr std::string_view kDone = "[DONE]";

class Assembly {
 public:
  /// False once the stream is over or failed.
  [[nodiscard]] bool add(std::string_view data) {
    if (data == kDone) {
      done_ = true;
      return false;
    }
    const Result<json::Parsed> parsed = parser_.parse(data);
    if (!parsed) {
      error_ = undecodable("an event that is no JSON: " + parsed.error().message).value();
      return false;
    }
    const json::Value& chunk = parsed->root;
    error_ = error_in(chunk);
    if (error_) return false;
    if (const json::Value usage = chunk["usage"]; usage.is_object()) reply_.usage = usage_of(usage);
    for (const json::Value& choice : chunk["choices"].elements()) {
      if (choice["index"].integer().value_or(0) == 0) add_choice(choice);
    }
    return true;
  }

  [[nodiscard]] ChatResult result() && {
    if (error_) return tl::unexpected(std::move(*error_));
    if (!any_choice_) return undecodable("a stream without choices");
    if (!done_ && reply_.finish_reason.empty()) return undecodable("a stream that breaks off");
    if (reply_.content && reply_.content->empty() && !calls_.empty()) reply_.content.reset();
    for (Fragments& call : calls_) reply_.tool_calls.push_back(std::move(call.call));
    if (!log_probabilities_.empty()) {
      reply_.log_probabilities = R"({"content":[)" + log_probabilities_ + "]}";
    }
    return std::move(reply_);
  }

 private:
  struct Fragments {
    std::optional<std::int64_t> index;
    ChatCall call;
  };

  void add_choice(const json::Value& choice) {
    any_choice_ = true;
    const json::Value delta = choice["delta"];
    if (const auto text = content_of(delta["content"])) {
      if (!reply_.content) reply_.content.emplace();
      *reply_.content += *text;
    }
    for (const json::Value& fragment : delta["tool_calls"].elements()) add_call(fragment);
    if (const std::string_view reason = choice["finish_reason"].text(); !reason.empty()) {
      reply_.finish_reason = reason;
    }
    for (const json::Value& token : choice["logprobs"]["content"].elements()) {
      if (!log_probabilities_.empty()) log_probabilities_ += ',';
      log_probabilities_ += json::to_json(token);
    }
  }

  void add_call(const json::Value& fragment) {
    const std::optional<std::int64_t> index = fragment["index"].integer();
    const std::string_view id = fragment["id"].text();
    const json::Value function = fragment["function"];
    // The last of those with this index: an earlier one was ended by a new id.
    auto found = calls_.rbegin();
    if (index)
      found = std::find_if(found, calls_.rend(), [&](auto& c) { return c.index == index; });
    const bool begins =
        found == calls_.rend() || (!id.empty() && !found->call.id.empty() && id != found->call.id);
    Fragments& into = begins ? calls_.emplace_back(index, ChatCall{}) : *found;
    if (into.call.id.empty()) into.call.id = id;
    // Some servers repeat the whole name in each fragment.
    if (const std::string_view name = function["name"].text(); name != into.call.name) {
      into.call.name += name;
    }
    into.call.arguments += arguments_of(function);
  }

  json::Parser parser_;
  ChatReply reply_;
  std::vector<Fragments> calls_;
  std::string log_probabilities_;  ///< the tokens' objects, commas between them
  std::optional<ChatError> error_;
  bool any_choice_ = false;
  bool done_ = false;
};

}  // namespace

ChatResult decode_stream(std::string_view events) {
  Assembly assembly;
  net::SseReader reader;
  bool more = true;
  for (const std::string& data : reader.feed(events)) {
    more = more && assembly.add(data);
  }
  if (const std::string last = reader.finish(); more && !last.empty()) {
    static_cast<void>(assembly.add(last));
  }
  return std::move(assembly).result();
}

}  // namespace unmask::llm
