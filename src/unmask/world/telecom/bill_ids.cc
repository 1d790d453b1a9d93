#include "unmask/world/telecom/bill_ids.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "unmask/base/rng.h"

namespace unmask::world::telecom {

std::string BillIds::next() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  ++made_;
  std::uint32_t number = made_ + (static_cast<std::uint32_t>(stream_) << 24U);
  if (style_ == BillIdStyle::drawn) {
    number = Rng(seed_, "telecom_bill_id", (stream_ << 32U) + made_).next_u32();
  }
  std::string id = "B";
  for (int shift = 28; shift >= 0; shift -= 4) {
    id += kDigits[(number >> static_cast<unsigned>(shift)) & 0xFU];
  }
  return id;
}

}  // namespace unmask::world::telecom
