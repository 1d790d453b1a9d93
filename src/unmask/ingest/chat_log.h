#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/ingest/chat_messages.h"
#include "unmask/ingest/episode_intake.h"
#include "unmask/ingest/importer.h"
#include "unmask/ingest/piece.h"
#include "unmask/ingest/remarks.h"
#include "unmask/json/parser.h"
#include "unmask/json/scanner.h"

namespace unmask {

/// What importers of chat messages share while they read one log.
class ChatLog {
 public:
  ChatLog(ImportJob job, std::string_view format);
  /// Reads episodes of a log again whose header `read` returned and which outlives this; nothing is
  /// handed on.
  ChatLog(ImportJob job, const LogHeader& known);

  /// What is known before the first episode is handed on; later changes reach only the header that
  /// `finish` returns.
  [[nodiscard]] LogHeader& header() { return header_; }
  /// Tools of the header: the known one's where episodes are read again.
  [[nodiscard]] const ToolInventory& tools() const {
    return known_ == nullptr ? header_.tools : known_->tools;
  }
  [[nodiscard]] bool header_sent() const { return header_sent_; }
  [[nodiscard]] bool transcripts() const { return transcripts_; }
  [[nodiscard]] MissingFields& missing() { return header_.missing_fields; }
  [[nodiscard]] Remarks remarks() const { return {job_.diagnostics, header_.file}; }

  /// Parses a piece; reports repairs and, if it is unreadable or no object or list, that `what` is
  /// left out. Empty then.
  std::optional<json::Value> parse(std::string_view text, std::uint64_t offset,
                                   const std::string& what);
  void report_duplicate_keys(const Remarks& remarks) const {
    unmask::report_duplicate_keys(parser_, remarks);
  }

  /// What `read_messages` goes by besides the messages.
  struct MessageFrame {
    ChatDialect dialect = ChatDialect::openai;
    std::uint32_t history = 0;         ///< leading messages that came with the task
    std::vector<MessageNote> notes{};  ///< by message; shorter than the messages if need be
  };
  void read_messages(const json::Value& messages, const MessageFrame& frame, Episode& episode,
                     const Remarks& remarks);

  /// The tools offered in an episode. Those of the first become the header's, others stay with
  /// their episode.
  void offer(ToolInventory tools, Episode& episode);

  /// Hands an episode on, the header first; nothing where nothing could be read. False: the sink
  /// stopped.
  bool take(std::optional<Episode> episode);

  /// Scans the log's file into `pieces` and notes digest and size. Errors: as scan_file, and
  /// interrupted if the sink stopped.
  Result<bool> scan(json::PieceSink& pieces);
  [[nodiscard]] LogHeader finish();

 private:
  ImportJob job_;
  bool transcripts_;
  LogHeader header_;
  const LogHeader* known_ = nullptr;  ///< where episodes are read again
  EpisodeIntake intake_;
  json::Parser parser_;
  ChatMessageReader::Parsers message_parsers_;
  bool header_sent_ = false;
  bool any_reward_ = false;
  std::shared_ptr<const ToolInventory> last_tools_;
};

/// Asks for transcripts and takes nothing.
class RereadSink final : public EpisodeSink {
 public:
  [[nodiscard]] bool wants_transcripts() const override { return true; }
  void header(const LogHeader& /*header*/) override {}
  bool episode(Episode /*episode*/) override { return true; }
  void superseded(std::size_t /*number*/) override {}
};

/// Reads an episode of the log `known` again, see Importer::episode. `Log` has a constructor from a
/// job and a known header, and `read`.
template <typename Log>
Result<Episode> reread_chat_episode(std::string_view text, const LogHeader& known) {
  const LogInput input{known.file, known.files, false, false};
  RereadSink sink;
  Diagnostics said_before;
  Log log({input, sink, said_before}, known);
  auto episode = log.read(text, "the episode", 0);
  if (!episode) return fail(ErrorCode::bad_input, "the text holds no episode");
  return *std::move(episode);
}

}  // namespace unmask
