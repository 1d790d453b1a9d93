#include <cstddef>
#include <string>
#include <string_view>

#include "unmask/json/json_text.h"
#include "unmask/world/generate/amount.h"
#include "unmask/world/generate/retail_database.h"

namespace unmask::world::generated {
namespace {

using json::JsonText;

std::string_view status_text(OrderStatus status) {
  switch (status) {
    case OrderStatus::pending:
      return "pending";
    case OrderStatus::pending_item_modified:
      return "pending (item modified)";
    case OrderStatus::processed:
      return "processed";
    case OrderStatus::delivered:
      return "delivered";
    case OrderStatus::cancelled:
      return "cancelled";
    case OrderStatus::return_requested:
      return "return requested";
    case OrderStatus::exchange_requested:
      return "exchange requested";
  }
  return {};
}

void write_options(JsonText& out, const RetailItem& item) {
  out.key("options").begin_object();
  for (const OptionValue& option : item.options) out.key(option.name).string(option.value);
  out.end_object();
}

void write_product(JsonText& out, const RetailProduct& product) {
  out.key(product.id).begin_object();
  out.key("name").string(product.name);
  out.key("product_id").string(product.id);
  out.key("variants").begin_object();
  for (const RetailItem& item : product.items) {
    out.key(item.id).begin_object();
    out.key("item_id").string(item.id);
    write_options(out, item);
    out.key("available").boolean(item.available);
    out.key("price").real(dollars(item.price));
    out.end_object();
  }
  out.end_object().end_object();
}

void write_address(JsonText& out, const PostalAddress& address) {
  out.key("address").begin_object();
  out.key("address1").string(address.street);
  out.key("address2").string(address.unit);
  out.key("city").string(address.city);
  out.key("country").string("USA");
  out.key("state").string(address.state);
  out.key("zip").string(address.zip);
  out.end_object();
}

void write_payment_method(JsonText& out, const RetailPayment& payment) {
  out.key(payment.id).begin_object();
  switch (payment.source) {
    case PaymentSource::credit_card:
      out.key("source").string("credit_card").key("id").string(payment.id);
      out.key("brand").string(payment.brand).key("last_four").string(payment.last_four);
      break;
    case PaymentSource::gift_card:
      out.key("source").string("gift_card").key("id").string(payment.id);
      out.key("balance").real(dollars(payment.balance));
      break;
    case PaymentSource::paypal:
      out.key("source").string("paypal").key("id").string(payment.id);
      break;
  }
  out.end_object();
}

void write_user(JsonText& out, const RetailDatabase& database, const RetailUser& user) {
  out.key(user.id).begin_object();
  out.key("user_id").string(user.id);
  out.key("name").begin_object();
  out.key("first_name").string(user.name.first).key("last_name").string(user.name.last);
  out.end_object();
  write_address(out, user.address);
  out.key("email").string(user.email);
  out.key("payment_methods").begin_object();
  for (const RetailPayment& payment : user.payments) write_payment_method(out, payment);
  out.end_object();
  out.key("orders").begin_array();
  for (const std::size_t order : user.orders) out.string(database.orders[order].id);
  out.end_array().end_object();
}

void write_payment(JsonText& out, std::string_view type, Cents amount, const std::string& method) {
  out.begin_object();
  out.key("transaction_type").string(type);
  out.key("amount").real(dollars(amount));
  out.key("payment_method_id").string(method);
  out.end_object();
}

void write_history(JsonText& out, const RetailDatabase& database, const RetailOrder& order) {
  const std::string& method = database.users[order.user].payments[order.payment].id;
  out.key("payment_history").begin_array();
  write_payment(out, "payment", order.paid, method);
  if (order.status == OrderStatus::cancelled) write_payment(out, "refund", order.paid, method);
  if (order.status == OrderStatus::pending_item_modified) {
    Cents now = 0;
    for (const OrderedItem& item : order.items) now += database.item(item).price;
    const bool dearer = now > order.paid;
    write_payment(out, dearer ? "payment" : "refund", dearer ? now - order.paid : order.paid - now,
                  method);
  }
  out.end_array();
}

void write_requests(JsonText& out, const RetailDatabase& database, const RetailOrder& order) {
  const OrderedItem& changed = order.items[order.changed_place];
  const std::string& method = database.users[order.user].payments[order.payment].id;
  if (order.status == OrderStatus::return_requested) {
    out.key("return_items").begin_array().string(database.item(changed).id).end_array();
    out.key("return_payment_method_id").string(method);
  }
  if (order.status == OrderStatus::exchange_requested && order.wanted) {
    const RetailItem& wanted = database.products[changed.product].items[*order.wanted];
    out.key("exchange_items").begin_array().string(database.item(changed).id).end_array();
    out.key("exchange_new_items").begin_array().string(wanted.id).end_array();
    out.key("exchange_payment_method_id").string(method);
    out.key("exchange_price_difference").real(dollars(wanted.price - database.item(changed).price));
  }
}

void write_order(JsonText& out, const RetailDatabase& database, const RetailOrder& order) {
  out.key(order.id).begin_object();
  out.key("order_id").string(order.id);
  out.key("user_id").string(database.users[order.user].id);
  write_address(out, order.address);
  out.key("items").begin_array();
  for (const OrderedItem& ordered : order.items) {
    const RetailItem& item = database.item(ordered);
    out.begin_object();
    out.key("name").string(database.products[ordered.product].name);
    out.key("product_id").string(database.products[ordered.product].id);
    out.key("item_id").string(item.id);
    out.key("price").real(dollars(item.price));
    write_options(out, item);
    out.end_object();
  }
  out.end_array();
  out.key("status").string(status_text(order.status));
  out.key("fulfillments").begin_array();
  if (!order.tracking_id.empty()) {
    out.begin_object();
    out.key("tracking_id").begin_array().string(order.tracking_id).end_array();
    out.key("item_ids").begin_array();
    for (const OrderedItem& item : order.items) out.string(database.item(item).id);
    out.end_array().end_object();
  }
  out.end_array();
  write_history(out, database, order);
  write_requests(out, database, order);
  out.end_object();
}

}  // namespace

std::string retail_database_json(const RetailDatabase& database) {
  std::string text;
  JsonText out(text);
  out.begin_object();
  out.key("products").begin_object();
  for (const RetailProduct& product : database.products) write_product(out, product);
  out.end_object();
  out.key("users").begin_object();
  for (const RetailUser& user : database.users) write_user(out, database, user);
  out.end_object();
  out.key("orders").begin_object();
  for (const RetailOrder& order : database.orders) write_order(out, database, order);
  out.end_object().end_object();
  return text;
}

}  // namespace unmask::world::generated
