#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "unmask/world/outcome.h"
#include "unmask/world/retail/hash_key.h"
#include "unmask/world/retail/retail_data.h"
#include "unmask/world/retail/retail_environment.h"
#include "unmask/world/tool.h"
#include "unmask/world/validation.h"
#include "unmask/world/value.h"

namespace unmask::world::retail {
namespace {

bool is_pending(OrderStatus status) {
  return status == OrderStatus::pending || status == OrderStatus::pending_item_modified;
}

/// The address in arguments 1 to 6 (address1, address2, city, state, country, zip).
Outcome<Shared<Address>> address_of(const Arguments& arguments) {
  auto address = std::make_shared<Address>();
  struct Field {
    std::string_view name;
    std::size_t argument;
    std::string Address::* member;
  };
  // In the model's order, in which faults are listed.
  constexpr std::array<Field, 6> kFields = {{{"address1", 1, &Address::address1},
                                             {"address2", 2, &Address::address2},
                                             {"city", 3, &Address::city},
                                             {"country", 5, &Address::country},
                                             {"state", 4, &Address::state},
                                             {"zip", 6, &Address::zip}}};
  Validation validation("UserAddress");
  const Place root;
  for (const Field& field : kFields) {
    const Value& value = arguments[field.argument];
    if (const std::string* text = value.string()) {
      (*address).*field.member = *text;
    } else {
      std::ignore = text_from(value, Place{&root, field.name, 0}, validation);
    }
  }
  if (validation.passed()) return Shared<Address>(std::move(address));
  return raise("ValidationError", validation.text());
}

}  // namespace

Outcome<std::string> RetailEnvironment::cancel_pending_order(const Arguments& arguments) {
  const Outcome<std::size_t> place = find_order(arguments[0]);
  if (!place) return raised_by(place);
  const Order& current = order(*place);
  if (current.status != OrderStatus::pending) {
    return raise("ValueError", "Non-pending order cannot be cancelled", refused_by("order_status"));
  }
  const Outcome<const std::string*> text = hash_key(arguments[1]);
  if (!text) return raised_by(text);
  const std::optional<CancelReason> reason =
      *text == nullptr ? std::nullopt : cancel_reason_of(**text);
  if (!reason) return raise("ValueError", "Invalid reason", bad_argument("bad_enum"));
  // Every entry is refunded, refunds too, as the original does.
  for (const Payment& payment : *current.payment_history) {
    const Outcome<MethodPlace> method = find_payment_method(*place, payment.payment_method_id);
    if (!method) return raised_by(method);
    add_to_gift_card(*method, payment.amount);
  }
  return change_order(*place, [&](Order& changed) {
    changed.status = OrderStatus::cancelled;
    changed.cancel_reason = reason;
    changed.is_refunded = true;
  });
}

Outcome<std::string> RetailEnvironment::modify_pending_order_payment(const Arguments& arguments) {
  const Outcome<std::size_t> place = find_order(arguments[0]);
  if (!place) return raised_by(place);
  const Order& current = order(*place);
  if (!is_pending(current.status)) {
    return raise("ValueError", "Non-pending order cannot be modified", refused_by("order_status"));
  }
  const Outcome<MethodPlace> method = find_payment_method(*place, arguments[1]);
  if (!method) return raised_by(method);
  std::vector<Payment> history = *current.payment_history;
  if (history.size() != 1 || history.front().is_refund) {
    return raise("ValueError", "There should be exactly one payment for a pending order",
                 refused_by("payment"));
  }
  const Payment paid = history.front();
  const std::string& new_id = *arguments[1].string();
  if (paid.payment_method_id == new_id) {
    return raise("ValueError", "The new payment method should be different from the current one",
                 refused_by("payment"));
  }
  if (is_short_of(*method, paid.amount)) {
    return raise("ValueError", "Insufficient gift card balance to pay for the order",
                 refused_by("gift_card_balance"));
  }
  history.push_back({false, paid.amount, new_id});
  history.push_back({true, paid.amount, paid.payment_method_id});
  std::string json =
      change_order(*place, [&](Order& changed) { changed.payment_history = std::move(history); });
  add_to_gift_card(*method, -paid.amount);
  const Outcome<MethodPlace> old_method = find_payment_method(*place, paid.payment_method_id);
  if (!old_method) return raised_by(old_method);
  add_to_gift_card(*old_method, paid.amount);
  return json;
}

Outcome<std::string> RetailEnvironment::modify_pending_order_address(const Arguments& arguments) {
  const Outcome<std::size_t> place = find_order(arguments[0]);
  if (!place) return raised_by(place);
  if (!is_pending(order(*place).status)) {
    return raise("ValueError", "Non-pending order cannot be modified", refused_by("order_status"));
  }
  Outcome<Shared<Address>> address = address_of(arguments);
  if (!address) return raised_by(address);
  return change_order(*place, [&](Order& changed) { changed.address = std::move(*address); });
}

Outcome<std::string> RetailEnvironment::modify_user_address(const Arguments& arguments) {
  const Outcome<std::size_t> place = find_user(arguments[0]);
  if (!place) return raised_by(place);
  Outcome<Shared<Address>> address = address_of(arguments);
  if (!address) return raised_by(address);
  return change_user(*place, [&](User& changed) { changed.address = std::move(*address); });
}

}  // namespace unmask::world::retail
