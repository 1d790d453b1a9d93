#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/world/outcome.h"
#include "unmask/world/python_number.h"
#include "unmask/world/python_text.h"
#include "unmask/world/retail/retail_base.h"
#include "unmask/world/retail/retail_data.h"
#include "unmask/world/retail/retail_environment.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"

namespace unmask::world::retail {
namespace {

/// What a Python loop over a value sees: elements, characters or keys. Null: not iterable. `made`
/// keeps what is no list.
const List* elements_of(const Value& value, List& made) {
  if (const List* list = value.list()) return list;
  if (const std::string* text = value.string()) {
    std::string_view rest = *text;
    while (!rest.empty()) {
      const std::size_t bytes = decode_code_point(rest).bytes;
      made.emplace_back(rest.substr(0, bytes));
      rest.remove_prefix(bytes);
    }
    return &made;
  }
  if (const Object* object = value.object()) {
    for (const Member& member : *object) made.emplace_back(member.key);
    return &made;
  }
  return nullptr;
}

/// Python's list.count: an element counts itself even where it is NaN.
std::size_t count_of(const Value& wanted, const List& elements) {
  const auto count = std::ranges::count_if(elements, [&wanted](const Value& element) {
    return &element == &wanted || python_equal(element, wanted);
  });
  return static_cast<std::size_t>(count);
}

/// The item ids that a call names, each as often in the order as in the call. `missing` makes the
/// error's text from the id as Python's str.
template <typename Missing>
Outcome<std::vector<std::string>> checked_item_ids(const Value& item_ids, const Order& order,
                                                   Missing missing) {
  List made;
  const List* elements = elements_of(item_ids, made);
  if (elements == nullptr) {
    return raise("TypeError", "'" + std::string(type_name(item_ids)) + "' object is not iterable");
  }
  if (item_ids.object() != nullptr && !elements->empty()) {
    return raise("AttributeError", "'dict' object has no attribute 'count'");
  }
  std::vector<std::string> ids;
  ids.reserve(elements->size());
  for (const Value& element : *elements) {
    const std::string* id = element.string();
    const auto held =
        id == nullptr ? 0 : std::ranges::count_if(*order.items, [id](const OrderItem& item) {
          return item.item_id == *id;
        });
    if (count_of(element, *elements) > static_cast<std::size_t>(held)) {
      return raise("ValueError", missing(python_str(element)),
                   held == 0 ? no_such("item") : refused_by("item_count"));
    }
    ids.push_back(*id);
  }
  return ids;
}

std::vector<std::string> sorted(std::vector<std::string> texts) {
  std::ranges::sort(texts);
  return texts;
}

const OrderItem& first_item(const std::vector<OrderItem>& items, const std::string& id) {
  const auto found =
      std::ranges::find_if(items, [&id](const OrderItem& item) { return item.item_id == id; });
  UNMASK_CHECK(found != items.end());
  return *found;
}

}  // namespace

/// Old and new items of a call, checked.
struct RetailEnvironment::Swap {
  std::vector<std::string> old_ids;
  std::vector<std::string> new_ids;
  std::vector<VariantPlace> variants;  ///< of new_ids
  double difference = 0;               ///< new prices minus old ones, in dollars, not rounded
};

template <typename Missing>
Outcome<RetailEnvironment::Swap> RetailEnvironment::swap_of(const Order& order,
                                                            const Arguments& arguments,
                                                            bool must_differ,
                                                            std::string_view length_text,
                                                            Missing missing) const {
  Outcome<std::vector<std::string>> old_ids = checked_item_ids(arguments[1], order, missing);
  if (!old_ids) return raised_by(old_ids);
  List made;
  const List* news = elements_of(arguments[2], made);
  if (news == nullptr) {
    return raise("TypeError",
                 "object of type '" + std::string(type_name(arguments[2])) + "' has no len()");
  }
  if (old_ids->size() != news->size())
    return raise("ValueError", std::string(length_text), refused_by("item_pairs"));
  Swap swap;
  swap.old_ids = std::move(*old_ids);
  for (std::size_t i = 0; i < swap.old_ids.size(); ++i) {
    const Value& wanted = (*news)[i];
    const std::string* new_id = wanted.string();
    if (must_differ && new_id != nullptr && *new_id == swap.old_ids[i]) {
      return raise("ValueError", "The new item id should be different from the old item id",
                   refused_by("item_pairs"));
    }
    const OrderItem& item = first_item(*order.items, swap.old_ids[i]);
    const Outcome<VariantPlace> place = find_variant(item.product_id, wanted);
    if (!place) return raised_by(place);
    const Variant& chosen = variant(*place);
    if (!chosen.available) {
      return raise("ValueError", "New item " + *new_id + " not found or available",
                   refused_by("availability"));
    }
    swap.difference += chosen.price - item.price;
    swap.new_ids.push_back(*new_id);
    swap.variants.push_back(*place);
  }
  return swap;
}

Outcome<std::string> RetailEnvironment::exchange_delivered_order_items(const Arguments& arguments) {
  const Outcome<std::size_t> place = find_order(arguments[0]);
  if (!place) return raised_by(place);
  const Order& current = order(*place);
  if (current.status != OrderStatus::delivered) {
    return raise("ValueError", "Non-delivered order cannot be exchanged",
                 refused_by("order_status"));
  }
  Outcome<Swap> swap =
      swap_of(current, arguments, false, "The number of items to be exchanged should match.",
              [](const std::string& id) { return "Number of " + id + " not found."; });
  if (!swap) return raised_by(swap);
  const double difference = round2(swap->difference);
  const Outcome<MethodPlace> method = find_payment_method(*place, arguments[3]);
  if (!method) return raised_by(method);
  if (is_short_of(*method, difference)) {
    return raise("ValueError", "Insufficient gift card balance to pay for the price difference",
                 refused_by("gift_card_balance"));
  }
  return change_order(*place, [&](Order& changed) {
    changed.status = OrderStatus::exchange_requested;
    changed.exchange_payment_method_id = *arguments[3].string();
    changed.exchange_price_difference = difference;
    changed.has_integer_difference = swap->old_ids.empty();
    changed.exchange_items = sorted(std::move(swap->old_ids));
    changed.exchange_new_items = sorted(std::move(swap->new_ids));
  });
}

Outcome<std::string> RetailEnvironment::modify_pending_order_items(const Arguments& arguments) {
  const Outcome<std::size_t> place = find_order(arguments[0]);
  if (!place) return raised_by(place);
  const Order& current = order(*place);
  if (current.status != OrderStatus::pending) {
    return raise("ValueError", "Non-pending order cannot be modified", refused_by("order_status"));
  }
  const Outcome<Swap> swap =
      swap_of(current, arguments, true, "The number of items to be exchanged should match",
              [](const std::string& id) { return id + " not found"; });
  if (!swap) return raised_by(swap);
  const double difference = swap->difference;
  const Outcome<MethodPlace> method = find_payment_method(*place, arguments[3]);
  if (!method) return raised_by(method);
  if (is_short_of(*method, difference)) {
    return raise("ValueError", "Insufficient gift card balance to pay for the new item",
                 refused_by("gift_card_balance"));
  }
  std::vector<Payment> history = *current.payment_history;
  history.push_back({!(difference > 0), std::abs(difference), *arguments[3].string()});
  std::vector<OrderItem> items;
  if (!swap->old_ids.empty()) {
    items = *current.items;
    // As the original does: all changed items end with the last pair's price and options.
    const Variant& last = variant(swap->variants.back());
    for (std::size_t i = 0; i < swap->old_ids.size(); ++i) {
      const auto index =
          static_cast<std::size_t>(&first_item(items, swap->old_ids[i]) - items.data());
      items[index].item_id = swap->new_ids[i];
      items[index].price = last.price;
      items[index].options = last.options;
    }
  }
  add_to_gift_card(*method, -difference);
  return change_order(*place, [&](Order& changed) {
    changed.payment_history = std::move(history);
    if (!swap->old_ids.empty()) changed.items = std::move(items);
    changed.status = OrderStatus::pending_item_modified;
  });
}

Outcome<std::string> RetailEnvironment::return_delivered_order_items(const Arguments& arguments) {
  const Outcome<std::size_t> place = find_order(arguments[0]);
  if (!place) return raised_by(place);
  const Order& current = order(*place);
  if (current.status != OrderStatus::delivered) {
    return raise("ValueError", "Non-delivered order cannot be returned",
                 refused_by("order_status"));
  }
  const Outcome<MethodPlace> method = find_payment_method(*place, arguments[2]);
  if (!method) return raised_by(method);
  const std::string& method_id = *arguments[2].string();
  if (payment_method(*method).source != PaymentSource::gift_card) {
    if (current.payment_history->empty()) return raise("IndexError", "list index out of range");
    if (current.payment_history->front().payment_method_id != method_id) {
      return raise("ValueError", "Payment method should be the original payment method",
                   refused_by("payment"));
    }
  }
  Outcome<std::vector<std::string>> ids = checked_item_ids(
      arguments[1], current, [](const std::string&) { return std::string("Some item not found"); });
  if (!ids) return raised_by(ids);
  return change_order(*place, [&](Order& changed) {
    changed.status = OrderStatus::return_requested;
    changed.return_items = sorted(std::move(*ids));
    changed.return_payment_method_id = method_id;
  });
}

}  // namespace unmask::world::retail
