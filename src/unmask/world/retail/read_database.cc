#include "unmask/world/retail/read_database.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/world/fields.h"
#include "unmask/world/retail/retail_data.h"
#include "unmask/world/value.h"

namespace unmask::world::retail {
namespace {

/// Members of a map are keyed by the id that they hold themselves.
void check_key(Fields& fields, std::string_view member, const std::string& key,
               const std::string& id) {
  if (id != key) fields.fault(member, "`" + id + "` stands under the key `" + key + "`");
}

Address read_address(Fields& owner, std::string_view key) {
  Fields fields(owner.object(key), owner.place_of(key));
  Address address;
  address.address1 = fields.text("address1");
  address.address2 = fields.text("address2");
  address.city = fields.text("city");
  address.country = fields.text("country");
  address.state = fields.text("state");
  address.zip = fields.text("zip");
  owner.adopt(fields.error());
  return address;
}

std::vector<ItemOption> read_options(Fields& owner) {
  std::vector<ItemOption> options;
  for (const Member& member : owner.object("options")) {
    if (const std::string* text = member.value.string()) {
      options.push_back({member.key, *text});
    } else {
      owner.fault_at(owner.place_of("options") + "." + member.key, "a text is due here");
    }
  }
  return options;
}

Variant read_variant(const Member& member, Fields& owner) {
  Fields fields(member.value, owner.place_of("variants") + "." + member.key);
  Variant variant;
  variant.item_id = fields.text("item_id");
  check_key(fields, "item_id", member.key, variant.item_id);
  variant.options = read_options(fields);
  variant.available = fields.boolean("available");
  variant.price = fields.number("price");
  owner.adopt(fields.error());
  return variant;
}

Product read_product(const Member& member, Fields& owner) {
  Fields fields(member.value, owner.place_of("products") + "." + member.key);
  Product product;
  product.name = fields.text("name");
  product.product_id = fields.text("product_id");
  check_key(fields, "product_id", member.key, product.product_id);
  for (const Member& variant : fields.object("variants")) {
    product.variants.push_back(read_variant(variant, fields));
  }
  owner.adopt(fields.error());
  return product;
}

PaymentMethod read_payment_method(const Member& member, Fields& owner) {
  Fields fields(member.value, owner.place_of("payment_methods") + "." + member.key);
  PaymentMethod method;
  method.id = fields.text("id");
  check_key(fields, "id", member.key, method.id);
  const std::string source = fields.text("source");
  if (source == "credit_card") {
    method.source = PaymentSource::credit_card;
    method.brand = fields.text("brand");
    method.last_four = fields.text("last_four");
  } else if (source == "gift_card") {
    method.source = PaymentSource::gift_card;
    method.balance = fields.number("balance");
  } else if (source != "paypal") {
    fields.fault("source", "`credit_card`, `gift_card` or `paypal` is due here");
  }
  owner.adopt(fields.error());
  return method;
}

User read_user(const Member& member, Fields& owner) {
  Fields fields(member.value, owner.place_of("users") + "." + member.key);
  Profile profile;
  profile.user_id = fields.text("user_id");
  check_key(fields, "user_id", member.key, profile.user_id);
  Fields name(fields.object("name"), fields.place_of("name"));
  profile.first_name = name.text("first_name");
  profile.last_name = name.text("last_name");
  fields.adopt(name.error());
  profile.email = fields.text("email");
  std::vector<PaymentMethod> methods;
  for (const Member& method : fields.object("payment_methods")) {
    methods.push_back(read_payment_method(method, fields));
  }
  User user;
  user.profile = std::move(profile);
  user.address = read_address(fields, "address");
  user.payment_methods = std::move(methods);
  user.order_ids = fields.texts("orders");
  owner.adopt(fields.error());
  return user;
}

OrderItem read_item(const Value& value, std::string place, Fields& owner) {
  Fields fields(value, std::move(place));
  OrderItem item;
  item.name = fields.text("name");
  item.product_id = fields.text("product_id");
  item.item_id = fields.text("item_id");
  item.price = fields.number("price");
  item.options = read_options(fields);
  owner.adopt(fields.error());
  return item;
}

Fulfillment read_fulfillment(const Value& value, std::string place, Fields& owner) {
  Fields fields(value, std::move(place));
  Fulfillment fulfillment{fields.texts("tracking_id"), fields.texts("item_ids")};
  owner.adopt(fields.error());
  return fulfillment;
}

Payment read_payment(const Value& value, std::string place, Fields& owner) {
  Fields fields(value, std::move(place));
  Payment payment;
  const std::string type = fields.text("transaction_type");
  payment.is_refund = type == "refund";
  if (!payment.is_refund && type != "payment") {
    fields.fault("transaction_type", "`payment` or `refund` is due here");
  }
  payment.amount = fields.number("amount");
  payment.payment_method_id = fields.text("payment_method_id");
  owner.adopt(fields.error());
  return payment;
}

template <typename ReadOne>
auto read_list(Fields& owner, std::string_view key, ReadOne read_one) {
  std::vector<decltype(read_one(Value(), std::string(), owner))> read;
  const List& elements = owner.list(key);
  read.reserve(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    read.push_back(read_one(elements[i], owner.place_of(key, i), owner));
  }
  return read;
}

Order read_order(const Member& member, Fields& owner) {
  Fields fields(member.value, owner.place_of("orders") + "." + member.key);
  OrderHead head{fields.text("order_id"), fields.text("user_id")};
  check_key(fields, "order_id", member.key, head.order_id);
  Order order;
  order.head = std::move(head);
  order.address = read_address(fields, "address");
  order.items = read_list(fields, "items", read_item);
  const std::optional<OrderStatus> status = order_status_of(fields.text("status"));
  if (!status) fields.fault("status", "a status of an order is due here");
  order.status = status.value_or(OrderStatus::pending);
  order.fulfillments = read_list(fields, "fulfillments", read_fulfillment);
  order.payment_history = read_list(fields, "payment_history", read_payment);
  if (const auto text = fields.optional_text("cancel_reason")) {
    order.cancel_reason = cancel_reason_of(*text);
    if (!order.cancel_reason)
      fields.fault("cancel_reason", "a reason of a cancellation is due here");
  }
  order.exchange_items = fields.optional_texts("exchange_items");
  order.exchange_new_items = fields.optional_texts("exchange_new_items");
  order.exchange_payment_method_id = fields.optional_text("exchange_payment_method_id");
  if (fields.find("exchange_price_difference") != nullptr) {
    order.exchange_price_difference = fields.number("exchange_price_difference");
  }
  order.return_items = fields.optional_texts("return_items");
  order.return_payment_method_id = fields.optional_text("return_payment_method_id");
  owner.adopt(fields.error());
  return order;
}

}  // namespace

Result<Database> read_database(std::string_view json, std::string_view file) {
  const Result<Value> parsed = parse_json(json);
  if (!parsed) {
    return fail(parsed.error().code, std::string(file) + ": " + parsed.error().message);
  }
  Fields fields(*parsed, std::string(file));
  if (const Object* members = parsed->object()) {
    for (const Member& member : *members) {
      if (member.key != "products" && member.key != "users" && member.key != "orders") {
        fields.fault(member.key, "only products, users and orders belong here");
      }
    }
  }
  Database database;
  for (const Member& member : fields.object("products")) {
    database.products.push_back(read_product(member, fields));
  }
  for (const Member& member : fields.object("users")) {
    database.users.push_back(read_user(member, fields));
  }
  for (const Member& member : fields.object("orders")) {
    database.orders.push_back(read_order(member, fields));
  }
  if (const std::optional<Error>& error = fields.error()) return tl::unexpected<Error>(*error);
  return database;
}

}  // namespace unmask::world::retail
