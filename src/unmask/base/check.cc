#include "unmask/base/check.h"

namespace unmask::internal {

void check_failed(const char* condition, const char* file, int line) {
  throw BugError(std::string("bug in unmask: ") + condition + " is false at " + file + ":" +
                 std::to_string(line) + "; please report it");
}

}  // namespace unmask::internal
