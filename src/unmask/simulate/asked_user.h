#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "unmask/play/participant.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"

namespace unmask::simulate {

/// A step on the phone that an agent asks for.
struct Request {
  std::string tool;
  world::Object arguments;
};

/// The words by which a simulated agent asks for a step: ``Please use `toggle_data`.``, with
/// arguments as JSON: ``Please use `check_app_permissions` with {"app_name": "messaging"}.``
[[nodiscard]] std::string words_of(const Request& request);

/// The step that a text asks for: a tool of `toolkit` between backquotes; nullopt if there is none.
[[nodiscard]] std::optional<Request> request_in(std::string_view text,
                                                const world::Toolkit& toolkit);

/// Whether a look on the phone shows that the trouble is over; nullopt if the tool tells nothing
/// about it.
[[nodiscard]] std::optional<bool> is_settled(std::string_view tool, std::string_view content);

/// A user that says why they call, does what they are asked for on their phone, tells what it
/// shows, and is content when the task's last look is; other words of the agent's end the talk.
/// Stateless; `task` and `toolkit`, which may be null, must outlive it.
class AskedUser final : public play::Participant {
 public:
  AskedUser(const world::Task& task, const world::Toolkit* toolkit)
      : task_(task), toolkit_(toolkit) {}

  [[nodiscard]] world::Outcome<play::Turn> take_turn(const play::View& view) const override;

 private:
  const world::Task& task_;
  const world::Toolkit* toolkit_;
};

}  // namespace unmask::simulate
