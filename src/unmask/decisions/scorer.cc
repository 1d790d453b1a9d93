#include "unmask/decisions/scorer.h"

namespace unmask::decisions {

Scorer::~Scorer() = default;

}  // namespace unmask::decisions
