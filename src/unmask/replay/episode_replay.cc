#include "unmask/replay/episode_replay.h"

#include <string_view>

namespace unmask::replay {

std::string_view name_of(Cause cause) {
  switch (cause) {
    case Cause::foreign_tool:
      return "foreign_tool";
    case Cause::known_version:
      return "known_version";
    case Cause::drawn_id:
      return "drawn_id";
    case Cause::other_data:
      return "other_data";
    case Cause::follows:
      return "follows";
    case Cause::unexplained:
      return "unexplained";
  }
  return "unexplained";
}

std::string_view name_of(Part part) {
  switch (part) {
    case Part::db:
      return "db";
    case Part::env_assertions:
      return "env_assertions";
    case Part::actions:
      return "actions";
    case Part::communicate:
      return "communicate";
  }
  return "db";
}

}  // namespace unmask::replay
