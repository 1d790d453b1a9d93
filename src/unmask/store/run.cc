#include "unmask/store/run.h"

#include <string_view>

#include "unmask/base/check.h"

namespace unmask::store {

std::string_view name_of(UnitState state) {
  switch (state) {
    case UnitState::open:
      return "open";
    case UnitState::done:
      return "done";
    case UnitState::infrastructure:
      return "infrastructure";
  }
  UNMASK_CHECK(false);
  return {};
}

std::string_view name_of(TurnKind kind) {
  switch (kind) {
    case TurnKind::system:
      return "system";
    case TurnKind::user:
      return "user";
    case TurnKind::assistant:
      return "assistant";
    case TurnKind::tool:
      return "tool";
    case TurnKind::aside:
      return "aside";
  }
  UNMASK_CHECK(false);
  return {};
}

}  // namespace unmask::store
