#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/decisions/context_settings.h"
#include "unmask/decisions/decision_context.h"
#include "unmask/decisions/offered_tools.h"
#include "unmask/decisions/tempting_options.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/world/value.h"

namespace unmask::decisions {

/// Notes what the agents of `episodes` have chosen that was not to be had, given a log's header.
/// The episodes have their transcripts.
[[nodiscard]] Result<void> add_tempting(const LogHeader& header, std::span<const Episode> episodes,
                                        TemptingOptions& tempting);

/// Makes the decision contexts of a log's episodes: what an agent was shown before a message, and
/// what it could have gone on with.
///
/// All contexts are in text (play/text_protocol.h), so that each arm is asked the same, whatever
/// template it has for tools: `begins` and continuations are the protocol's JSON. Of a log whose
/// model was spoken to so (is_spoken_to_in_text), messages are those that it saw.
class LogContexts {
 public:
  /// `header` is that of a log read with transcripts. Errors: those of tools_of_log and
  /// system_prompt.
  [[nodiscard]] static Result<LogContexts> open(const LogHeader& header, ContextSettings settings,
                                                TemptingOptions tempting);

  /// The decisions of an episode in their order. `episode` has its transcript.
  ///
  /// - call_or_answer: where the log's agent was free to do either (nothing forced the answer's
  ///   beginning) and did one of them alone. The continuation of `answer` is empty: all that does
  ///   not begin a call.
  /// - tool_name: all offered names, tempting ones and the recorded one.
  /// - enum_argument: a call of an offered tool, an argument of which the schema lists the values.
  /// - entity_argument: an argument that looks like an id: those of its shape in the conversation
  ///   are admissible, and beside them stand invented ones that logs have there, those that only
  ///   the instructions mention, else one with another digit.
  ///
  /// Golden options: of arguments, where one golden action alone calls the recorded tool; of names
  /// and of answers only at a state of a perfect run (Episode::golden_action), whose messages
  /// before it are the episode's history. None for the log of a first call without that history.
  [[nodiscard]] std::vector<DecisionContext> contexts_of(const Episode& episode) const;

 private:
  struct Golden {
    bool is_call = false;  ///< else the agent asks the user in words
    std::string name;
    world::Object arguments;
  };
  class Taking;

  LogContexts(ContextSettings settings, TemptingOptions tempting);
  /// Of the episode's task.
  [[nodiscard]] std::vector<Golden> golden_actions(const Episode& episode) const;

  ContextSettings settings_;
  TemptingOptions tempting_;
  std::string system_;
  OfferedTools tools_;  ///< of episodes that have none of their own
  std::vector<std::string> other_worlds_;
  std::map<std::string, std::string, std::less<>> tasks_;  ///< texts by id
  bool begins_forced_ = false;
};

}  // namespace unmask::decisions
