#include "unmask/world/generate/errand.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/rng.h"
#include "unmask/world/generate/amount.h"
#include "unmask/world/generate/pick.h"

namespace unmask::world::generated {
namespace {

bool holds(const RetailOrder& order, std::size_t product) {
  return std::ranges::any_of(
      order.items, [product](const OrderedItem& item) { return item.product == product; });
}

}  // namespace

Errand::Errand(const RetailDatabase& database, std::size_t user, Difficulty difficulty)
    : database_(&database), user_(user), difficulty_(difficulty) {
  for (const RetailPayment& payment : database.users[user].payments) {
    if (payment.source == PaymentSource::gift_card) gift_card_left_ = payment.balance;
  }
}

std::optional<std::size_t> Errand::take_order(Rng& rng, OrderStatus status) {
  std::vector<std::size_t> fitting;
  for (const std::size_t number : user().orders) {
    if (order(number).status == status && std::ranges::find(taken_, number) == taken_.end()) {
      fitting.push_back(number);
    }
  }
  if (fitting.empty()) return std::nullopt;
  taken_.push_back(pick(rng, fitting));
  return taken_.back();
}

std::vector<std::size_t> Errand::single_places(const RetailOrder& order) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < order.items.size(); ++i) {
    const auto same = std::ranges::count_if(order.items, [&](const OrderedItem& other) {
      return other.product == order.items[i].product;
    });
    if (same == 1) places.push_back(i);
  }
  return places;
}

std::optional<std::size_t> Errand::draw_method(Rng& rng, Cents charge,
                                               std::optional<std::size_t> other_than) const {
  std::vector<std::size_t> fitting;
  for (std::size_t i = 0; i < user().payments.size(); ++i) {
    const bool is_gift_card = user().payments[i].source == PaymentSource::gift_card;
    if (i != other_than && (!is_gift_card || charge <= gift_card_left_)) fitting.push_back(i);
  }
  if (fitting.empty()) return std::nullopt;
  return pick(rng, fitting);
}

void Errand::spend(std::size_t method, Cents charge) {
  if (user().payments[method].source == PaymentSource::gift_card && charge > 0) {
    gift_card_left_ -= charge;
  }
}

bool Errand::take_move() {
  if (moved_) return false;
  moved_ = true;
  return true;
}

std::string Errand::differing_options(const RetailItem& from, const RetailItem& to) const {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < to.options.size(); ++i) {
    if (to.options[i] != from.options[i]) {
      parts.push_back(std::string(to.options[i].name) + " " + std::string(to.options[i].value));
    }
  }
  return listed(parts);
}

std::optional<ItemSwap> Errand::draw_swap(Rng& rng, const RetailOrder& order,
                                          std::size_t place) const {
  const std::size_t own = order.items[place].item;
  const std::vector<RetailItem>& items = database_->products[order.items[place].product].items;
  std::vector<std::size_t> available, sold_out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i != own) (items[i].available ? available : sold_out).push_back(i);
  }
  if (available.empty()) return std::nullopt;
  ItemSwap swap;
  swap.place = place;
  swap.wanted = pick(rng, available);
  swap.words = "the " + item_words(order, place) + " for ";
  const RetailItem& current = items[own];
  if (names_everything()) {
    swap.words += "item " + items[swap.wanted].id;
    return swap;
  }
  const bool is_conditional = difficulty_ == Difficulty::hard
                                  ? rng.bernoulli(0.6)
                                  : difficulty_ == Difficulty::medium && rng.bernoulli(0.25);
  const auto same_but = [&](std::size_t item) {
    return "the same with " + differing_options(current, items[item]);
  };
  if (is_conditional && available.size() > 1 && rng.bernoulli(0.5)) {
    const bool cheapest = rng.bernoulli(0.5);
    const auto by_price = [&items](std::size_t a, std::size_t b) {
      return items[a].price < items[b].price;
    };
    swap.wanted = cheapest ? *std::ranges::min_element(available, by_price)
                           : *std::ranges::max_element(available, by_price);
    swap.words += cheapest ? "the cheapest other version of it that is available"
                           : "the most expensive other version of it that is available";
  } else if (is_conditional && !sold_out.empty()) {
    swap.words += same_but(pick(rng, sold_out)) + ", or, if that one is not available, " +
                  same_but(swap.wanted);
  } else {
    swap.words += same_but(swap.wanted);
  }
  return swap;
}

std::string Errand::order_words(Rng& rng, std::size_t number, std::size_t place) const {
  const RetailOrder& wanted = order(number);
  const double by_content = difficulty_ == Difficulty::hard     ? 0.75
                            : difficulty_ == Difficulty::medium ? 0.4
                                                                : 0.0;
  const std::size_t product = wanted.items[place].product;
  const auto with_product = std::ranges::count_if(
      user().orders, [this, product](std::size_t other) { return holds(order(other), product); });
  if (with_product == 1 && rng.bernoulli(by_content)) {
    return "the order with the " + std::string(database_->products[product].name);
  }
  return "order " + wanted.id;
}

std::string Errand::item_words(const RetailOrder& order, std::size_t place) const {
  std::string words(database_->products[order.items[place].product].name);
  if (names_everything()) words += " (item " + item(order, place).id + ")";
  return words;
}

std::string Errand::method_words(std::size_t method) const {
  const RetailPayment& payment = user().payments[method];
  if (names_everything()) return "payment method " + payment.id;
  switch (payment.source) {
    case PaymentSource::credit_card:
      return "your " + std::string(payment.brand) + " card ending in " + payment.last_four;
    case PaymentSource::gift_card:
      return "your gift card";
    case PaymentSource::paypal:
      return "your PayPal account";
  }
  return {};
}

void Errand::read_order(RetailRequest& request, const RetailOrder& order) {
  request.reads.push_back(
      {Party::agent, "get_order_details", {DraftArgument{"order_id", order.id}}});
}

void Errand::read_product(RetailRequest& request, const RetailOrder& order,
                          std::size_t place) const {
  const RetailProduct& product = database_->products[order.items[place].product];
  request.reads.push_back(
      {Party::agent, "get_product_details", {DraftArgument{"product_id", product.id}}});
}

void Errand::ask_for_amount(Rng& rng, RetailRequest& request, Cents amount,
                            std::string_view what) const {
  // Whole dollars are left out: `12` would be found in many a text.
  if (difficulty_ < Difficulty::medium || amount % 100 == 0 || !rng.bernoulli(0.35)) return;
  request.condition +=
      "Before it is over, you want the agent to tell you " + std::string(what) + ". ";
  request.communicate.push_back(amount_digits(amount));
}

}  // namespace unmask::world::generated
