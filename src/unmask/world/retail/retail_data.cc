#include "unmask/world/retail/retail_data.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/world/json_dump.h"

namespace unmask::world::retail {
namespace {

constexpr std::array kStatuses = {
    OrderStatus::processed,        OrderStatus::pending,   OrderStatus::pending_item_modified,
    OrderStatus::delivered,        OrderStatus::cancelled, OrderStatus::exchange_requested,
    OrderStatus::return_requested,
};

/// `"key": "text"`; `key` needs no escapes.
void append_member(TextBuffer& out, std::string_view key, std::string_view text) {
  out += '"';
  out += key;
  out += "\": ";
  append_json_string(out, text);
}

void append_options(TextBuffer& out, const std::vector<ItemOption>& options) {
  out += '{';
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (i > 0) out += ", ";
    append_json_string(out, options[i].name);
    out += ": ";
    append_json_string(out, options[i].value);
  }
  out += '}';
}

void append_one(TextBuffer& out, const OrderItem& item) {
  out += '{';
  append_member(out, "name", item.name);
  out += ", ";
  append_member(out, "product_id", item.product_id);
  out += ", ";
  append_member(out, "item_id", item.item_id);
  out += ", \"price\": ";
  append_json_float(out, item.price);
  out += ", \"options\": ";
  append_options(out, item.options);
  out += '}';
}

void append_one(TextBuffer& out, const Fulfillment& fulfillment) {
  out += "{\"tracking_id\": ";
  append_json(out, fulfillment.tracking_ids);
  out += ", \"item_ids\": ";
  append_json(out, fulfillment.item_ids);
  out += '}';
}

void append_payment(TextBuffer& out, const Payment& payment, bool is_refund) {
  if (is_refund) {
    out += "{\"transaction_type\": \"refund\", \"amount\": ";
  } else {
    out += "{\"transaction_type\": \"payment\", \"amount\": ";
  }
  append_json_float(out, payment.amount);
  out += ", \"payment_method_id\": \"";
  append_json_text(out, payment.payment_method_id);
  out += "\"}";
}

void append_one(TextBuffer& out, const Payment& payment) {
  append_payment(out, payment, payment.is_refund);
}

void append_one(TextBuffer& out, const PaymentMethod& method) {
  append_json_string(out, method.id);
  switch (method.source) {
    case PaymentSource::credit_card:
      out += R"(: {"source": "credit_card", )";
      append_member(out, "id", method.id);
      out += ", ";
      append_member(out, "brand", method.brand);
      out += ", ";
      append_member(out, "last_four", method.last_four);
      break;
    case PaymentSource::gift_card:
      out += R"(: {"source": "gift_card", )";
      append_member(out, "id", method.id);
      out += ", \"balance\": ";
      append_json_float(out, method.balance);
      break;
    case PaymentSource::paypal:
      out += R"(: {"source": "paypal", )";
      append_member(out, "id", method.id);
      break;
  }
  out += '}';
}

template <typename T>
void append_list(TextBuffer& out, const std::vector<T>& elements) {
  out += '[';
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (i > 0) out += ", ";
    append_one(out, elements[i]);
  }
  out += ']';
}

void append_optional(TextBuffer& out, std::optional<CancelReason> reason) {
  if (reason) {
    out += '"';
    out += name_of(*reason);
    out += '"';
  } else {
    out += "null";
  }
}

void append_optional(TextBuffer& out, const std::optional<std::string>& text) {
  if (text) {
    append_json_string(out, *text);
  } else {
    out += "null";
  }
}

void append_optional(TextBuffer& out, const std::optional<std::vector<std::string>>& texts) {
  if (texts) {
    append_json(out, *texts);
  } else {
    out += "null";
  }
}

void append_history(TextBuffer& out, const Order& order) {
  append_json(out, order.payment_history);
  if (!order.is_refunded || order.payment_history->empty()) return;
  out.remove_last(1);  // the bracket
  for (const Payment& payment : *order.payment_history) {
    out += ", ";
    append_payment(out, payment, true);
  }
  out += ']';
}

/// `"id": {...}, ...`, each entity by itself.
template <typename T, typename IdOf>
void append_entities(std::string& out, const std::vector<T>& entities, IdOf id_of) {
  for (const T& entity : entities) {
    if (&entity != entities.data()) out += ", ";
    append_json_string(out, id_of(entity));
    out += ": ";
    out += json_of(entity);
  }
}

/// The parts of an entity in the order in which its text has them.
class Places {
 public:
  explicit Places(std::string_view json) : rest_(json) {}

  template <typename T>
  Shared<T> next(const Shared<T>& part) {
    const std::string own = built_text([&part](TextBuffer& out) { append_json(out, *part); });
    const std::size_t at = rest_.find(own);
    UNMASK_CHECK(at != std::string_view::npos);
    const std::string_view json = rest_.substr(at, own.size());
    rest_.remove_prefix(at + own.size());
    return part.borrowed(json);
  }

 private:
  std::string_view rest_;
};

}  // namespace

std::string_view name_of(OrderStatus status) {
  switch (status) {
    case OrderStatus::processed:
      return "processed";
    case OrderStatus::pending:
      return "pending";
    case OrderStatus::pending_item_modified:
      return "pending (item modified)";
    case OrderStatus::delivered:
      return "delivered";
    case OrderStatus::cancelled:
      return "cancelled";
    case OrderStatus::exchange_requested:
      return "exchange requested";
    case OrderStatus::return_requested:
      return "return requested";
  }
  UNMASK_CHECK(false);
}

std::optional<OrderStatus> order_status_of(std::string_view name) {
  for (const OrderStatus status : kStatuses) {
    if (name_of(status) == name) return status;
  }
  return std::nullopt;
}

std::string_view name_of(CancelReason reason) {
  return reason == CancelReason::no_longer_needed ? "no longer needed" : "ordered by mistake";
}

std::optional<CancelReason> cancel_reason_of(std::string_view name) {
  for (const CancelReason reason :
       {CancelReason::no_longer_needed, CancelReason::ordered_by_mistake}) {
    if (name_of(reason) == name) return reason;
  }
  return std::nullopt;
}

void append_json(TextBuffer& out, const Address& address) {
  out += "{\"address1\": \"";
  append_json_text(out, address.address1);
  out += "\", \"address2\": \"";
  append_json_text(out, address.address2);
  out += "\", \"city\": \"";
  append_json_text(out, address.city);
  out += "\", \"country\": \"";
  append_json_text(out, address.country);
  out += "\", \"state\": \"";
  append_json_text(out, address.state);
  out += "\", \"zip\": \"";
  append_json_text(out, address.zip);
  out += "\"}";
}

void append_json(TextBuffer& out, const Variant& variant) {
  out += '{';
  append_member(out, "item_id", variant.item_id);
  out += ", \"options\": ";
  append_options(out, variant.options);
  out += variant.available ? ", \"available\": true" : ", \"available\": false";
  out += ", \"price\": ";
  append_json_float(out, variant.price);
  out += '}';
}

void append_json(TextBuffer& out, const Product& product) {
  out += '{';
  append_member(out, "name", product.name);
  out += ", ";
  append_member(out, "product_id", product.product_id);
  out += ", ";
  out += "\"variants\": {";
  for (const Variant& variant : product.variants) {
    if (&variant != product.variants.data()) out += ", ";
    append_json_string(out, variant.item_id);
    out += ": ";
    append_json(out, variant);
  }
  out += "}}";
}

void append_json(TextBuffer& out, const Profile& profile) {
  append_member(out, "user_id", profile.user_id);
  out += ", \"name\": {";
  append_member(out, "first_name", profile.first_name);
  out += ", ";
  append_member(out, "last_name", profile.last_name);
  out += '}';
}

void append_json(TextBuffer& out, const std::vector<PaymentMethod>& methods) {
  out += '{';
  for (std::size_t i = 0; i < methods.size(); ++i) {
    if (i > 0) out += ", ";
    append_one(out, methods[i]);
  }
  out += '}';
}

void append_json(TextBuffer& out, const OrderHead& head) {
  append_member(out, "order_id", head.order_id);
  out += ", ";
  append_member(out, "user_id", head.user_id);
}

void append_json(TextBuffer& out, const std::vector<OrderItem>& items) { append_list(out, items); }

void append_json(TextBuffer& out, const std::vector<Fulfillment>& fulfillments) {
  append_list(out, fulfillments);
}

void append_json(TextBuffer& out, const std::vector<Payment>& payments) {
  append_list(out, payments);
}

void append_json(TextBuffer& out, const std::vector<std::string>& texts) {
  out += '[';
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) out += ", ";
    append_json_string(out, texts[i]);
  }
  out += ']';
}

void append_json(TextBuffer& out, const Order& order) {
  out += '{';
  append_json(out, order.head);
  out += ", \"address\": ";
  append_json(out, order.address);
  out += ", \"items\": ";
  append_json(out, order.items);
  out += ", \"status\": \"";
  out += name_of(order.status);
  out += "\", \"fulfillments\": ";
  append_json(out, order.fulfillments);
  out += ", \"payment_history\": ";
  append_history(out, order);
  out += ", \"cancel_reason\": ";
  append_optional(out, order.cancel_reason);
  out += ", \"exchange_items\": ";
  append_optional(out, order.exchange_items);
  out += ", \"exchange_new_items\": ";
  append_optional(out, order.exchange_new_items);
  out += ", \"exchange_payment_method_id\": ";
  append_optional(out, order.exchange_payment_method_id);
  out += ", \"exchange_price_difference\": ";
  if (!order.exchange_price_difference) {
    out += "null";
  } else if (order.has_integer_difference) {
    out += '0';
  } else {
    append_json_float(out, *order.exchange_price_difference);
  }
  out += ", \"return_items\": ";
  append_optional(out, order.return_items);
  out += ", \"return_payment_method_id\": ";
  append_optional(out, order.return_payment_method_id);
  out += '}';
}

void append_json(TextBuffer& out, const User& user) {
  out += '{';
  append_json(out, user.profile);
  out += ", \"address\": ";
  append_json(out, user.address);
  out += ", ";
  append_member(out, "email", user.profile->email);
  out += ", \"payment_methods\": ";
  append_json(out, user.payment_methods);
  out += ", \"orders\": ";
  append_json(out, user.order_ids);
  out += '}';
}

Order borrowed(const Order& entity, std::string_view json) {
  Places places(json);
  Order result = entity;
  result.head = places.next(entity.head);
  result.address = places.next(entity.address);
  result.items = places.next(entity.items);
  result.fulfillments = places.next(entity.fulfillments);
  result.payment_history = places.next(entity.payment_history);
  return result;
}

User borrowed(const User& entity, std::string_view json) {
  Places places(json);
  User result = entity;
  result.profile = places.next(entity.profile);
  result.address = places.next(entity.address);
  result.payment_methods = places.next(entity.payment_methods);
  result.order_ids = places.next(entity.order_ids);
  return result;
}

std::string to_json(const Database& database) {
  std::string out = "{\"products\": {";
  append_entities(out, database.products,
                  [](const Product& product) -> const std::string& { return product.product_id; });
  out += "}, \"users\": {";
  append_entities(out, database.users,
                  [](const User& user) -> const std::string& { return user.profile->user_id; });
  out += "}, \"orders\": {";
  append_entities(out, database.orders,
                  [](const Order& order) -> const std::string& { return order.head->order_id; });
  out += "}}";
  return out;
}

}  // namespace unmask::world::retail
