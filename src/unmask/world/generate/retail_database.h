#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/world/generate/amount.h"
#include "unmask/world/generate/person.h"

namespace unmask::world::generated {

struct OptionValue {
  std::string_view name;
  std::string_view value;

  bool operator==(const OptionValue&) const = default;
};

/// A version of a product that can be bought.
struct RetailItem {
  std::string id;
  std::vector<OptionValue> options;  ///< no two of a product have the same
  bool available = true;
  Cents price = 0;  ///< no two of a product cost the same
};

struct RetailProduct {
  std::string id;
  std::string_view name;
  std::vector<RetailItem> items;
};

enum class PaymentSource : std::uint8_t { credit_card, gift_card, paypal };

struct RetailPayment {
  PaymentSource source = PaymentSource::paypal;
  std::string id;
  std::string_view brand;  ///< of a credit card
  std::string last_four;   ///< of a credit card
  Cents balance = 0;       ///< of a gift card
};

struct RetailUser {
  std::string id;
  Name name;
  PostalAddress address;
  std::string email;
  std::vector<RetailPayment> payments;  ///< at least one, at most one gift card
  std::vector<std::size_t> orders;      ///< by number
};

/// An item in an order, by its numbers.
struct OrderedItem {
  std::size_t product = 0;
  std::size_t item = 0;

  bool operator==(const OrderedItem&) const = default;
};

enum class OrderStatus : std::uint8_t {
  pending,
  pending_item_modified,
  processed,
  delivered,
  cancelled,
  return_requested,
  exchange_requested,
};

struct RetailOrder {
  std::string id;
  std::size_t user = 0;
  PostalAddress address;
  std::vector<OrderedItem> items;
  OrderStatus status = OrderStatus::pending;
  std::string tracking_id;            ///< empty: nothing was sent
  std::size_t payment = 0;            ///< of the user's methods, the one that paid
  Cents paid = 0;                     ///< by the first payment
  std::size_t changed_place = 0;      ///< of the item that was modified, returned or exchanged
  std::optional<std::size_t> wanted;  ///< item number that it is exchanged for
};

struct RetailSizes {
  std::uint32_t products = 50;
  std::uint32_t users = 500;
  std::uint32_t orders = 1000;

  bool operator==(const RetailSizes&) const = default;
};

/// A shop. Names, ids and addresses that must be unique are.
struct RetailDatabase {
  std::vector<RetailProduct> products;
  std::vector<RetailUser> users;
  std::vector<RetailOrder> orders;

  [[nodiscard]] const RetailItem& item(const OrderedItem& ordered) const {
    return products[ordered.product].items[ordered.item];
  }
};

/// `sizes`: at least 4 products and not more than product_kinds() has, at least 1 user and order.
[[nodiscard]] RetailDatabase make_retail_database(const RetailSizes& sizes, std::uint64_t seed);

/// tau2-bench's `db.json`.
[[nodiscard]] std::string retail_database_json(const RetailDatabase& database);

}  // namespace unmask::world::generated
