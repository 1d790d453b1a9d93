#include "unmask/world/generate/retail_database.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/base/rng.h"
#include "unmask/world/generate/amount.h"
#include "unmask/world/generate/person.h"
#include "unmask/world/generate/pick.h"
#include "unmask/world/generate/retail_catalog.h"

namespace unmask::world::generated {
namespace {

/// Draws until a text is new.
template <typename Draw>
std::string fresh(std::set<std::string>& used, const Draw& draw) {
  while (true) {
    std::string text = draw();
    if (used.insert(text).second) return text;
  }
}

std::vector<OptionValue> draw_options(Rng& rng, const ProductKind& kind) {
  std::vector<OptionValue> options;
  for (const ProductOption& option : kind.options) {
    options.push_back({option.name, pick(rng, option.values)});
  }
  return options;
}

RetailProduct make_product(Rng& rng, const ProductKind& kind, std::set<std::string>& ids) {
  const auto id = [&rng] { return draw_digits(rng, 10); };
  RetailProduct product;
  product.name = kind.name;
  product.id = fresh(ids, id);
  std::size_t combinations = 1;
  for (const ProductOption& option : kind.options) combinations *= option.values.size();
  const std::size_t count =
      std::min(combinations, static_cast<std::size_t>(draw_between(rng, 5, 18)));
  // Versions of a product cost about the same.
  const Cents base = 100 * draw_between(rng, kind.least_price_dollars, kind.most_price_dollars);
  std::set<Cents> prices;
  while (product.items.size() < count) {
    RetailItem item;
    item.options = draw_options(rng, kind);
    const bool known = std::ranges::any_of(
        product.items, [&item](const RetailItem& other) { return other.options == item.options; });
    if (known) continue;
    do {
      item.price = base * draw_between(rng, 88, 112) / 100 + draw_between(rng, 0, 99);
    } while (!prices.insert(item.price).second);
    item.id = fresh(ids, id);
    // Two of each can always be had, so that there is something to choose.
    item.available = product.items.size() < 2 || rng.bernoulli(0.72);
    product.items.push_back(std::move(item));
  }
  return product;
}

constexpr std::array<std::string_view, 3> kBrands = {"visa", "mastercard", "amex"};

RetailPayment make_payment(Rng& rng, PaymentSource source, std::set<std::string>& ids) {
  RetailPayment payment;
  payment.source = source;
  std::string_view prefix;
  switch (source) {
    case PaymentSource::credit_card:
      prefix = "credit_card_";
      payment.brand = pick(rng, kBrands);
      payment.last_four = draw_digits(rng, 4);
      break;
    case PaymentSource::gift_card:
      prefix = "gift_card_";
      // Some hold little, some enough for an order.
      payment.balance =
          rng.bernoulli(0.5) ? draw_between(rng, 0, 9000) : draw_between(rng, 9000, 120000);
      break;
    case PaymentSource::paypal:
      prefix = "paypal_";
      break;
  }
  payment.id = fresh(ids, [&] { return std::string(prefix) + draw_digits(rng, 7); });
  return payment;
}

std::vector<RetailPayment> make_payments(Rng& rng, std::set<std::string>& ids) {
  std::vector<PaymentSource> sources;
  if (rng.bernoulli(0.65)) sources.push_back(PaymentSource::credit_card);
  if (rng.bernoulli(0.45)) sources.push_back(PaymentSource::paypal);
  if (rng.bernoulli(0.45)) sources.push_back(PaymentSource::gift_card);
  if (rng.bernoulli(0.15)) sources.push_back(PaymentSource::credit_card);
  if (sources.empty()) sources.push_back(PaymentSource::paypal);
  rng.shuffle(std::span(sources));
  std::vector<RetailPayment> payments;
  std::set<std::string> last_fours;
  for (const PaymentSource source : sources) {
    RetailPayment payment = make_payment(rng, source, ids);
    // A user tells cards apart by their last digits.
    while (!payment.last_four.empty() && !last_fours.insert(payment.last_four).second) {
      payment.last_four = draw_digits(rng, 4);
    }
    payments.push_back(std::move(payment));
  }
  return payments;
}

class UserMaker {
 public:
  RetailUser make(Rng& rng) {
    RetailUser user;
    do {
      user.name = draw_name(rng);
      user.address = draw_address(rng);
    } while (!people_.insert({user.name.first, user.name.last, user.address.zip}).second);
    const std::string first = letters_of(user.name.first);
    const std::string last = letters_of(user.name.last);
    user.id = fresh(ids_, [&] { return first + "_" + last + "_" + draw_digits(rng, 4); });
    user.email =
        fresh(emails_, [&] { return first + "." + last + draw_digits(rng, 4) + "@example.com"; });
    user.payments = make_payments(rng, payments_);
    return user;
  }

 private:
  std::set<std::tuple<std::string, std::string, std::string>> people_;
  std::set<std::string> ids_, emails_, payments_;
};

OrderStatus draw_status(Rng& rng) {
  constexpr std::array<std::pair<OrderStatus, double>, 7> kShares = {{
      {OrderStatus::pending, 0.40},
      {OrderStatus::delivered, 0.36},
      {OrderStatus::processed, 0.10},
      {OrderStatus::cancelled, 0.08},
      {OrderStatus::pending_item_modified, 0.02},
      {OrderStatus::return_requested, 0.02},
      {OrderStatus::exchange_requested, 0.02},
  }};
  std::array<double, kShares.size()> weights{};
  for (std::size_t i = 0; i < kShares.size(); ++i) weights[i] = kShares[i].second;
  return kShares[rng.weighted(weights)].first;
}

OrderedItem draw_item(Rng& rng, const RetailDatabase& database) {
  const std::size_t product = draw_index(rng, database.products.size());
  return {product, draw_index(rng, database.products[product].items.size())};
}

std::vector<OrderedItem> draw_items(Rng& rng, const RetailDatabase& database) {
  const std::size_t count = static_cast<std::size_t>(draw_between(rng, 1, 5));
  std::vector<OrderedItem> items;
  while (items.size() < count) {
    OrderedItem item = draw_item(rng, database);
    const bool has_product = std::ranges::any_of(
        items, [&item](const OrderedItem& other) { return other.product == item.product; });
    // Few orders hold two items of one product, fewer still the same one twice.
    if (has_product && !rng.bernoulli(0.5)) continue;
    items.push_back(item);
    if (items.size() < count && rng.bernoulli(0.01)) items.push_back(item);
  }
  return items;
}

/// An available item of the same product, another one than `item`.
std::size_t other_item(Rng& rng, const RetailProduct& product, std::size_t item) {
  while (true) {
    const std::size_t other = draw_index(rng, product.items.size());
    if (other != item && product.items[other].available) return other;
  }
}

void settle(Rng& rng, const RetailDatabase& database, RetailOrder& order) {
  order.changed_place = draw_index(rng, order.items.size());
  OrderedItem& changed = order.items[order.changed_place];
  switch (order.status) {
    case OrderStatus::pending:
      break;
    case OrderStatus::pending_item_modified:
      changed.item = other_item(rng, database.products[changed.product], changed.item);
      break;
    case OrderStatus::exchange_requested:
      order.wanted = other_item(rng, database.products[changed.product], changed.item);
      order.tracking_id = draw_digits(rng, 12);
      break;
    case OrderStatus::cancelled:
      if (rng.bernoulli(0.4)) order.tracking_id = draw_digits(rng, 12);
      break;
    case OrderStatus::processed:
    case OrderStatus::delivered:
    case OrderStatus::return_requested:
      order.tracking_id = draw_digits(rng, 12);
      break;
  }
}

RetailOrder make_order(Rng& rng, const RetailDatabase& database, std::size_t user,
                       std::set<std::string>& ids) {
  RetailOrder order;
  order.id = fresh(ids, [&rng] { return "#W" + draw_digits(rng, 7); });
  order.user = user;
  const RetailUser& buyer = database.users[user];
  order.address = rng.bernoulli(0.85) ? buyer.address : draw_address(rng);
  order.items = draw_items(rng, database);
  for (const OrderedItem& item : order.items) order.paid += database.item(item).price;
  order.payment = draw_index(rng, buyer.payments.size());
  order.status = draw_status(rng);
  settle(rng, database, order);
  return order;
}

}  // namespace

RetailDatabase make_retail_database(const RetailSizes& sizes, std::uint64_t seed) {
  UNMASK_CHECK(sizes.products >= 4 && sizes.products <= product_kinds().size());
  UNMASK_CHECK(sizes.users >= 1 && sizes.orders >= 1);
  RetailDatabase database;
  std::set<std::string> catalog_ids;
  for (std::uint32_t i = 0; i < sizes.products; ++i) {
    Rng rng(seed, "retail product", i);
    database.products.push_back(make_product(rng, product_kinds()[i], catalog_ids));
  }
  UserMaker users;
  for (std::uint32_t i = 0; i < sizes.users; ++i) {
    Rng rng(seed, "retail user", i);
    database.users.push_back(users.make(rng));
  }
  // One user in eight has not ordered yet.
  std::vector<std::size_t> buyers;
  for (std::size_t i = 0; i < database.users.size(); ++i) {
    if (i % 8 != 7) buyers.push_back(i);
  }
  std::set<std::string> order_ids;
  for (std::uint32_t i = 0; i < sizes.orders; ++i) {
    Rng rng(seed, "retail order", i);
    const std::size_t user = pick(rng, buyers);
    database.orders.push_back(make_order(rng, database, user, order_ids));
    database.users[user].orders.push_back(i);
  }
  return database;
}

}  // namespace unmask::world::generated
