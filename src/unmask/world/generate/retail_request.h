#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/rng.h"
#include "unmask/world/generate/task_draft.h"

namespace unmask::world::generated {

class Errand;

/// What a customer of the shop may want.
enum class RequestKind : std::uint8_t {
  cancel_order,
  return_items,
  exchange_items,
  modify_items,
  modify_payment,
  modify_order_address,
  modify_user_address,
  several_changes,     ///< of one pending order: address, payment, an item, of which the item last
  return_or_exchange,  ///< both of one order, of which only one can be had
  // The policy says no:
  cancel_sent_order,
  cancel_for_other_reason,
  exchange_for_other_product,
  exchange_for_sold_out,
  return_to_other_method,
  return_undelivered,
  pay_with_short_gift_card,
  cancel_for_stranger,
  // Only a human can do it:
  hand_over,
};

/// Those that one call settles.
inline constexpr std::array<RequestKind, 7> kPlainRequests = {
    RequestKind::cancel_order,        RequestKind::return_items,
    RequestKind::exchange_items,      RequestKind::modify_items,
    RequestKind::modify_payment,      RequestKind::modify_order_address,
    RequestKind::modify_user_address,
};
inline constexpr std::array<RequestKind, 8> kRefusedRequests = {
    RequestKind::cancel_sent_order,          RequestKind::cancel_for_other_reason,
    RequestKind::exchange_for_other_product, RequestKind::exchange_for_sold_out,
    RequestKind::return_to_other_method,     RequestKind::return_undelivered,
    RequestKind::pay_with_short_gift_card,   RequestKind::cancel_for_stranger,
};

[[nodiscard]] std::string_view name_of(RequestKind kind);

/// A wish with what settles it.
struct RetailRequest {
  RequestKind kind = RequestKind::cancel_order;
  std::string wish;       ///< to the customer: `You want to cancel order #W1.`
  std::string condition;  ///< how to answer the agent's questions; may be empty
  std::vector<DraftCall> reads;
  std::vector<DraftCall> writes;  ///< none if the wish is to be refused
  std::vector<std::string> communicate;
  std::vector<DraftArgument> facts;
};

/// A request of the errand's customer; nullopt if they have no order, method or item that would do.
[[nodiscard]] std::optional<RetailRequest> make_request(RequestKind kind, Errand& errand, Rng& rng);

}  // namespace unmask::world::generated
