#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/world/text_buffer.h"

namespace unmask::world::retail {

struct Address {
  std::string address1;
  std::string address2;
  std::string city;
  std::string country;
  std::string state;
  std::string zip;

  bool operator==(const Address&) const = default;
};

/// A property of a variant, such as `color`: `red`.
struct ItemOption {
  std::string name;
  std::string value;

  bool operator==(const ItemOption&) const = default;
};

/// What a customer can buy of a product.
struct Variant {
  std::string item_id;
  std::vector<ItemOption> options;
  bool available = true;
  double price = 0;  ///< in dollars

  bool operator==(const Variant&) const = default;
};

struct Product {
  std::string name;
  std::string product_id;
  std::vector<Variant> variants;

  bool operator==(const Product&) const = default;
};

enum class PaymentSource : std::uint8_t { credit_card, gift_card, paypal };

struct PaymentMethod {
  PaymentSource source = PaymentSource::paypal;
  std::string id;
  std::string brand;      ///< of a credit card
  std::string last_four;  ///< of a credit card
  double balance = 0;     ///< of a gift card, in dollars

  bool operator==(const PaymentMethod&) const = default;
};

/// What no tool changes of a user.
struct Profile {
  std::string user_id;
  std::string first_name;
  std::string last_name;
  std::string email;

  bool operator==(const Profile&) const = default;
};

/// What no tool changes of an order.
struct OrderHead {
  std::string order_id;
  std::string user_id;

  bool operator==(const OrderHead&) const = default;
};

struct OrderItem {
  std::string name;
  std::string product_id;
  std::string item_id;
  double price = 0;  ///< in dollars
  std::vector<ItemOption> options;

  bool operator==(const OrderItem&) const = default;
};

struct Fulfillment {
  std::vector<std::string> tracking_ids;
  std::vector<std::string> item_ids;

  bool operator==(const Fulfillment&) const = default;
};

struct Payment {
  bool is_refund = false;
  double amount = 0;  ///< in dollars
  std::string payment_method_id;

  bool operator==(const Payment&) const = default;
};

enum class OrderStatus : std::uint8_t {
  processed,
  pending,
  pending_item_modified,
  delivered,
  cancelled,
  exchange_requested,
  return_requested,
};

/// `pending (item modified)` and so on, as the database writes it.
[[nodiscard]] std::string_view name_of(OrderStatus status);
[[nodiscard]] std::optional<OrderStatus> order_status_of(std::string_view name);

enum class CancelReason : std::uint8_t { no_longer_needed, ordered_by_mistake };

/// `no longer needed`, `ordered by mistake`.
[[nodiscard]] std::string_view name_of(CancelReason reason);
[[nodiscard]] std::optional<CancelReason> cancel_reason_of(std::string_view name);

// The JSON texts of the parts, fields in the model's order. Of Profile and OrderHead only the
// leading members without braces, for they are not objects of their own.
void append_json(TextBuffer& out, const Address& address);
void append_json(TextBuffer& out, const Variant& variant);
void append_json(TextBuffer& out, const Product& product);
void append_json(TextBuffer& out, const Profile& profile);
void append_json(TextBuffer& out, const std::vector<PaymentMethod>& methods);
void append_json(TextBuffer& out, const OrderHead& head);
void append_json(TextBuffer& out, const std::vector<OrderItem>& items);
void append_json(TextBuffer& out, const std::vector<Fulfillment>& fulfillments);
void append_json(TextBuffer& out, const std::vector<Payment>& payments);
void append_json(TextBuffer& out, const std::vector<std::string>& texts);

/// An immutable part, which copies share: copying an order to change a part of it costs next to
/// nothing.
template <typename T>
class Shared {
 public:
  Shared() : Shared(T{}) {}
  Shared(T value)  // NOLINT(google-explicit-constructor): a part is written as its value
      : owner_(std::make_shared<const T>(std::move(value))), value_(owner_.get()) {}
  explicit Shared(std::shared_ptr<const T> value)
      : owner_(std::move(value)), value_(owner_.get()) {}

  /// The same part, kept alive by somebody else, and its text where it stands already. Copies of it
  /// cost less, and texts that lie side by side are read faster.
  [[nodiscard]] Shared borrowed(std::string_view json) const { return {*value_, json}; }

  [[nodiscard]] const T& operator*() const { return *value_; }
  [[nodiscard]] const T* operator->() const { return value_; }
  /// The JSON text, if it stands somewhere; empty otherwise.
  [[nodiscard]] std::string_view known_json() const { return json_; }

  bool operator==(const Shared& other) const {
    return value_ == other.value_ || *value_ == *other.value_;
  }

 private:
  Shared(const T& value, std::string_view json) : value_(&value), json_(json) {}

  std::shared_ptr<const T> owner_;  // null: borrowed
  const T* value_;
  std::string_view json_;
};

template <typename T>
void append_json(TextBuffer& out, const Shared<T>& part) {
  if (part.known_json().empty()) {
    append_json(out, *part);
  } else {
    out += part.known_json();
  }
}

struct User {
  Shared<Profile> profile;
  Shared<Address> address;
  Shared<std::vector<PaymentMethod>> payment_methods;
  Shared<std::vector<std::string>> order_ids;

  bool operator==(const User&) const = default;
};

struct Order {
  Shared<OrderHead> head;
  Shared<Address> address;
  Shared<std::vector<OrderItem>> items;
  OrderStatus status = OrderStatus::pending;
  Shared<std::vector<Fulfillment>> fulfillments;
  Shared<std::vector<Payment>> payment_history;
  /// A refund of each entry follows them in the history: the order was cancelled here.
  bool is_refunded = false;
  std::optional<CancelReason> cancel_reason;
  std::optional<std::vector<std::string>> exchange_items;
  std::optional<std::vector<std::string>> exchange_new_items;
  std::optional<std::string> exchange_payment_method_id;
  std::optional<double> exchange_price_difference;  ///< in dollars
  /// The original keeps the integer zero where nothing was exchanged; it prints as `0`.
  bool has_integer_difference = false;
  std::optional<std::vector<std::string>> return_items;
  std::optional<std::string> return_payment_method_id;

  bool operator==(const Order&) const = default;
};

/// `{"order_id": ..., ...}` as the original's get_order_details.
void append_json(TextBuffer& out, const Order& order);
void append_json(TextBuffer& out, const User& user);

/// The JSON text of an entity.
template <typename T>
[[nodiscard]] std::string json_of(const T& entity) {
  return built_text([&entity](TextBuffer& out) { append_json(out, entity); });
}

/// The same entity with parts that are borrowed from `entity`, their texts from `json`, its own.
/// Both must outlive the result and its copies.
[[nodiscard]] Order borrowed(const Order& entity, std::string_view json);
[[nodiscard]] User borrowed(const User& entity, std::string_view json);

/// All that a retail world starts from, in the file's order.
struct Database {
  std::vector<Product> products;
  std::vector<User> users;
  std::vector<Order> orders;

  bool operator==(const Database&) const = default;
};

/// The database as tau2-bench's db.json has it, on one line.
[[nodiscard]] std::string to_json(const Database& database);

}  // namespace unmask::world::retail
