#include "unmask/ingest/chat_log.h"

#include <utility>

#include "unmask/ingest/piece.h"
#include "unmask/ingest/scan_file.h"

namespace unmask {

using json::Value;

ChatLog::ChatLog(ImportJob job, std::string_view format)
    : job_(job),
      transcripts_(job.sink.wants_transcripts()),
      intake_(job.sink, Remarks(job.diagnostics, job.input.name)) {
  header_.file = job.input.name;
  header_.format = format;
  header_.files = job.input.files;
}

ChatLog::ChatLog(ImportJob job, const LogHeader& known) : ChatLog(job, known.format) {
  // What episodes are compared with; tasks and tools may be large and are not copied each time.
  header_.file = known.file;
  header_.files = known.files;
  header_.arm = known.arm;
  header_.domain = known.domain;
  header_.policy = known.policy;
  header_.identity = known.identity;
  known_ = &known;
  header_sent_ = true;
}

std::optional<Value> ChatLog::parse(std::string_view text, std::uint64_t offset,
                                    const std::string& what) {
  const auto root = parse_piece(parser_, text, offset, what, remarks());
  if (!root || root->is_object() || root->is_array()) return root;
  remarks()
      .about(what, offset)
      .loss("wrong_type", what + " is " + std::string(name_of(root->kind())) +
                              " instead of an object; it is left out");
  return std::nullopt;
}

void ChatLog::read_messages(const Value& messages, const MessageFrame& frame, Episode& episode,
                            const Remarks& remarks) {
  ChatMessageReader reader(episode, {frame.dialect, transcripts_, frame.history}, message_parsers_,
                           missing(), remarks);
  const MessageNote none;
  const auto take = [&](const Value& message, const Value& following) {
    const std::size_t index = episode.messages;
    reader.message(message, following, index < frame.notes.size() ? frame.notes[index] : none);
  };
  std::optional<Value> waiting;
  for (const Value message : messages.elements()) {
    if (waiting) take(*waiting, message);
    waiting = message;
  }
  if (waiting) take(*waiting, Value());
  reader.finish();
}

void ChatLog::offer(ToolInventory tools, Episode& episode) {
  if (!header_sent_) {
    header_.tools = std::move(tools);
    return;
  }
  if (tools == this->tools()) return;
  if (last_tools_ == nullptr || *last_tools_ != tools) {
    last_tools_ = std::make_shared<const ToolInventory>(std::move(tools));
  }
  episode.tools = last_tools_;
}

bool ChatLog::take(std::optional<Episode> episode) {
  if (!episode) return true;
  if (!std::exchange(header_sent_, true)) job_.sink.header(header_);
  any_reward_ = any_reward_ || episode->reward.has_value();
  return intake_.take(*std::move(episode));
}

Result<bool> ChatLog::scan(json::PieceSink& pieces) {
  const auto file = first_file(job_);
  if (!file) return tl::unexpected(file.error());
  const auto scanned = scan_file(*file, pieces, job_.sink, Remarks(job_.diagnostics, file->name()),
                                 {0, file->bytes_on_disk()});
  if (!scanned) return tl::unexpected(scanned.error());
  if (scanned->report.end == json::ScanEnd::stopped) {
    return fail(ErrorCode::interrupted, file->name() + ": reading was interrupted");
  }
  header_.sha256 = scanned->sha256;
  header_.bytes = scanned->bytes;
  return true;
}

LogHeader ChatLog::finish() {
  if (!std::exchange(header_sent_, true)) job_.sink.header(header_);
  if (intake_.taken() == 0) {
    remarks().info("no_episodes", "the log holds no episode that can be used");
  } else if (!any_reward_) {
    header_.inspect_only =
        "no episode says whether it succeeded: failed calls can be diagnosed and counted, scores "
        "can't be had";
  }
  return std::move(header_);
}

}  // namespace unmask
