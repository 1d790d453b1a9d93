#include "unmask/report/producer.h"

namespace unmask {

Producer this_program() { return {UNMASK_VERSION, UNMASK_COMMIT}; }

}  // namespace unmask
