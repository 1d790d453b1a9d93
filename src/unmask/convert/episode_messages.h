#pragma once

#include <string>
#include <vector>

#include "unmask/convert/log_writer.h"
#include "unmask/episode/episode.h"
#include "unmask/json/json_text.h"
#include "unmask/json/parser.h"

namespace unmask {

/// An episode's messages as a format with messages writes them.
struct EpisodeMessages {
  std::vector<Message> messages;  ///< indices are those of Episode::calls
  std::vector<std::string> ids;   ///< one a call, each once
};

/// The transcript, or where there is none messages made of the calls. A call that failed without
/// a result gets one, so that a reader sees it fail. Leading messages of the task's history are
/// included.
[[nodiscard]] EpisodeMessages messages_of(const Episode& episode);

/// Notes what formats with messages lose of `episode`.
void note_message_losses(const Episode& episode, Losses& losses);

/// Arguments as one JSON value: an object where they are one, else their text as a string.
void write_arguments(json::JsonText& json, const ToolCall& call, json::Parser& parser);

/// How the episode ended: a word that every reader knows, else the log's own.
[[nodiscard]] std::string_view termination_word(const Episode& episode);

/// `assistant` or `user`.
[[nodiscard]] std::string_view role_of(Party party);

}  // namespace unmask
