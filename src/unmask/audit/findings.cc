#include "unmask/audit/findings.h"

#include <algorithm>

namespace unmask {
namespace {

template <typename Items, typename Key, typename Value>
auto find_by(const Items& items, Key key, const Value& value) {
  const auto found = std::find_if(items.begin(), items.end(),
                                  [&](const auto& item) { return item.*key == value; });
  return found == items.end() ? nullptr : &*found;
}

}  // namespace

const ChannelFindings* ArmFindings::channel(std::string_view name) const {
  return find_by(channels, &ChannelFindings::name, name);
}
const AmplificationFindings* ComparisonFindings::channel(std::string_view name) const {
  return find_by(amplification, &AmplificationFindings::channel, name);
}
const GapPoint* ComparisonFindings::gap_at(int k) const { return find_by(gap, &GapPoint::k, k); }
const WideningPoint* ComparisonFindings::widening_at(int k) const {
  return find_by(widening, &WideningPoint::k, k);
}
const EquivalencePoint* ComparisonFindings::equivalence_at(int k) const {
  return find_by(equivalence, &EquivalencePoint::k, k);
}

}  // namespace unmask
