#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/play/participant.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/tool.h"

namespace unmask::play {

/// The agent's tool by which all worlds hand a customer over.
inline constexpr std::string_view kHandOver = "transfer_to_human_agents";

/// What an agent says when it thinks that all is done, and when it hands the customer over. The
/// scripted user looks for `anything else` and `human`.
inline constexpr std::string_view kClosingWords = "All is done. Is there anything else?";
inline constexpr std::string_view kHandOverWords = "You are being handed over to a human.";

/// `You are Ada; your line` as the person says it: `I am Ada; my line`.
[[nodiscard]] std::string in_first_person(std::string_view text);

/// Finds in texts the tools that they name: by the tool's name, or by its words (`reseat the SIM
/// card`). Immutable; one serves all episodes of a world. The toolkit must outlive it.
class StepFinder {
 public:
  explicit StepFinder(const world::Toolkit& tools);

  /// Calls that a text asks for, in the order in which it names them, of the user's tools. A JSON
  /// object after the name is the arguments; where there is none, arguments of the task's golden
  /// action of that name are taken if the text has their values.
  [[nodiscard]] std::vector<world::ToolCall> find(std::string_view text,
                                                  const world::Task& task) const;

 private:
  struct Name {
    std::vector<std::string> words;
    const world::Tool* tool = nullptr;
  };
  std::vector<Name> names_;  ///< the longest first
};

/// A user without a model. Opens with all that the scenario tells; takes the steps on the phone
/// that the agent names and reports what it shows; answers questions with what it knows; when the
/// agent says that all is done it looks for the sign that its task names (`facts.settled_when`) and
/// stops if it is there. Stops, too, when it is handed over or has had more than `patience` turns
/// that led nowhere. What it is given must outlive it.
class FactsUser final : public Participant {
 public:
  /// `steps` is null where users have no tools.
  FactsUser(const StepFinder* steps, const world::Task& task, std::size_t patience = 6)
      : steps_(steps), task_(task), patience_(patience), known_(known_from(task)) {}

  [[nodiscard]] world::Outcome<Turn> take_turn(const View& view) const override;

 private:
  [[nodiscard]] SentMessage hear(const View& view, const world::Message& said) const;
  [[nodiscard]] SentMessage report(const View& view) const;
  /// What a scenario tells, in the user's words.
  [[nodiscard]] static std::string known_from(const world::Task& task);

  const StepFinder* steps_;
  const world::Task& task_;
  std::size_t patience_;
  std::string known_;
};

}  // namespace unmask::play
