#include "unmask/world/generate/retail_request.h"

#include <optional>
#include <string_view>

#include "unmask/base/rng.h"
#include "unmask/world/generate/errand.h"
#include "unmask/world/generate/retail_request_makers.h"

namespace unmask::world::generated {
namespace {

bool make(RequestKind kind, Errand& errand, Rng& rng, RetailRequest& request) {
  switch (kind) {
    case RequestKind::cancel_order:
      return cancel_order(errand, rng, request);
    case RequestKind::return_items:
      return return_items(errand, rng, request);
    case RequestKind::exchange_items:
      return exchange_items(errand, rng, request);
    case RequestKind::modify_items:
      return modify_items(errand, rng, request);
    case RequestKind::modify_payment:
      return modify_payment(errand, rng, request);
    case RequestKind::modify_order_address:
      return modify_order_address(errand, rng, request);
    case RequestKind::modify_user_address:
      return modify_user_address(errand, rng, request);
    case RequestKind::several_changes:
      return several_changes(errand, rng, request);
    case RequestKind::return_or_exchange:
      return return_or_exchange(errand, rng, request);
    case RequestKind::cancel_sent_order:
      return cancel_sent_order(errand, rng, request);
    case RequestKind::cancel_for_other_reason:
      return cancel_for_other_reason(errand, rng, request);
    case RequestKind::exchange_for_other_product:
      return exchange_for_other_product(errand, rng, request);
    case RequestKind::exchange_for_sold_out:
      return exchange_for_sold_out(errand, rng, request);
    case RequestKind::return_to_other_method:
      return return_to_other_method(errand, rng, request);
    case RequestKind::return_undelivered:
      return return_undelivered(errand, rng, request);
    case RequestKind::pay_with_short_gift_card:
      return pay_with_short_gift_card(errand, rng, request);
    case RequestKind::cancel_for_stranger:
      return cancel_for_stranger(errand, rng, request);
    case RequestKind::hand_over:
      return hand_over(errand, rng, request);
  }
  return false;
}

}  // namespace

std::string_view name_of(RequestKind kind) {
  switch (kind) {
    case RequestKind::cancel_order:
      return "cancel_order";
    case RequestKind::return_items:
      return "return_items";
    case RequestKind::exchange_items:
      return "exchange_items";
    case RequestKind::modify_items:
      return "modify_items";
    case RequestKind::modify_payment:
      return "modify_payment";
    case RequestKind::modify_order_address:
      return "modify_order_address";
    case RequestKind::modify_user_address:
      return "modify_user_address";
    case RequestKind::several_changes:
      return "several_changes";
    case RequestKind::return_or_exchange:
      return "return_or_exchange";
    case RequestKind::cancel_sent_order:
      return "cancel_sent_order";
    case RequestKind::cancel_for_other_reason:
      return "cancel_for_other_reason";
    case RequestKind::exchange_for_other_product:
      return "exchange_for_other_product";
    case RequestKind::exchange_for_sold_out:
      return "exchange_for_sold_out";
    case RequestKind::return_to_other_method:
      return "return_to_other_method";
    case RequestKind::return_undelivered:
      return "return_undelivered";
    case RequestKind::pay_with_short_gift_card:
      return "pay_with_short_gift_card";
    case RequestKind::cancel_for_stranger:
      return "cancel_for_stranger";
    case RequestKind::hand_over:
      return "hand_over";
  }
  return {};
}

std::optional<RetailRequest> make_request(RequestKind kind, Errand& errand, Rng& rng) {
  RetailRequest request;
  request.kind = kind;
  if (!make(kind, errand, rng, request)) return std::nullopt;
  return request;
}

}  // namespace unmask::world::generated
