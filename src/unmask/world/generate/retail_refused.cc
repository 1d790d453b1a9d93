#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/rng.h"
#include "unmask/world/generate/amount.h"
#include "unmask/world/generate/errand.h"
#include "unmask/world/generate/person.h"
#include "unmask/world/generate/pick.h"
#include "unmask/world/generate/retail_database.h"
#include "unmask/world/generate/retail_request.h"
#include "unmask/world/generate/retail_request_makers.h"
#include "unmask/world/generate/task_draft.h"

namespace unmask::world::generated {
namespace {

constexpr std::string_view kLeaveIt =
    "If that is not possible, you accept it, leave this order as it is and want no replacement for "
    "the request. ";

void refuse(RetailRequest& request, const RetailOrder& order) {
  Errand::read_order(request, order);
  request.condition += kLeaveIt;
  request.facts.push_back({"order_id", order.id});
}

/// An order in one of the states, and a place in it whose product it holds once.
struct Found {
  std::size_t order = 0;
  std::size_t place = 0;
};

std::optional<Found> find_item(Errand& errand, Rng& rng, OrderStatus status) {
  const std::optional<std::size_t> order = errand.take_order(rng, status);
  if (!order) return std::nullopt;
  const std::vector<std::size_t> places = Errand::single_places(errand.order(*order));
  if (places.empty()) return std::nullopt;
  return Found{*order, pick(rng, places)};
}

}  // namespace

bool cancel_sent_order(Errand& errand, Rng& rng, RetailRequest& request) {
  const OrderStatus status = rng.bernoulli(0.5) ? OrderStatus::processed : OrderStatus::delivered;
  const std::optional<std::size_t> number = errand.take_order(rng, status);
  if (!number) return false;
  request.wish = "You want to cancel " + errand.order_words(rng, *number, 0) +
                 ", because you no longer need it. You do not want to return anything. ";
  refuse(request, errand.order(*number));
  return true;
}

bool cancel_for_other_reason(Errand& errand, Rng& rng, RetailRequest& request) {
  constexpr std::array<std::string_view, 4> kReasons = {
      "you found it cheaper in another shop", "it takes too long to arrive",
      "a friend told you that the brand is bad", "you want to see whether the price falls"};
  const std::optional<std::size_t> number = errand.take_order(rng, OrderStatus::pending);
  if (!number) return false;
  request.wish = "You want to cancel " + errand.order_words(rng, *number, 0) + ", because " +
                 std::string(pick(rng, kReasons)) + ". ";
  request.condition =
      "This is your only reason. You still need the goods and did not order them by mistake, and "
      "you say so if asked. ";
  refuse(request, errand.order(*number));
  return true;
}

bool exchange_for_other_product(Errand& errand, Rng& rng, RetailRequest& request) {
  const OrderStatus status = rng.bernoulli(0.5) ? OrderStatus::pending : OrderStatus::delivered;
  const std::optional<Found> found = find_item(errand, rng, status);
  if (!found) return false;
  const RetailOrder& order = errand.order(found->order);
  const std::size_t own = order.items[found->place].product;
  std::size_t other = own;
  while (other == own) other = draw_index(rng, errand.database().products.size());
  request.wish = "You want to exchange the " + errand.item_words(order, found->place) + " in " +
                 errand.order_words(rng, found->order, found->place) + " for a " +
                 std::string(errand.database().products[other].name) + ". ";
  refuse(request, order);
  return true;
}

bool exchange_for_sold_out(Errand& errand, Rng& rng, RetailRequest& request) {
  const std::optional<Found> found = find_item(errand, rng, OrderStatus::delivered);
  if (!found) return false;
  const RetailOrder& order = errand.order(found->order);
  const OrderedItem own = order.items[found->place];
  const std::vector<RetailItem>& items = errand.database().products[own.product].items;
  std::vector<std::size_t> sold_out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i != own.item && !items[i].available) sold_out.push_back(i);
  }
  if (sold_out.empty()) return false;
  std::vector<std::string> options;
  for (const OptionValue& option : items[pick(rng, sold_out)].options) {
    options.push_back(std::string(option.name) + " " + std::string(option.value));
  }
  request.wish = "You want to exchange the " + errand.item_words(order, found->place) + " from " +
                 errand.order_words(rng, found->order, found->place) +
                 " for exactly this version: " + listed(options) + ". No other version will do. ";
  refuse(request, order);
  errand.read_product(request, order, found->place);
  return true;
}

bool return_to_other_method(Errand& errand, Rng& rng, RetailRequest& request) {
  const std::optional<Found> found = find_item(errand, rng, OrderStatus::delivered);
  if (!found) return false;
  const RetailOrder& order = errand.order(found->order);
  const std::vector<RetailPayment>& payments = errand.user().payments;
  std::optional<std::size_t> method;
  for (std::size_t i = 0; i < payments.size(); ++i) {
    if (i != order.payment && payments[i].source != PaymentSource::gift_card) method = i;
  }
  if (!method) return false;
  request.wish = "You want to return the " + errand.item_words(order, found->place) + " from " +
                 errand.order_words(rng, found->order, found->place) + " and get the money on " +
                 errand.method_words(*method) + ". ";
  request.condition = "You want the money nowhere else; otherwise you keep the item. ";
  refuse(request, order);
  return true;
}

bool return_undelivered(Errand& errand, Rng& rng, RetailRequest& request) {
  const std::optional<Found> found = find_item(errand, rng, OrderStatus::processed);
  if (!found) return false;
  const RetailOrder& order = errand.order(found->order);
  request.wish = "You want to return the " + errand.item_words(order, found->place) + " from " +
                 errand.order_words(rng, found->order, found->place) +
                 ", which has not arrived yet. ";
  refuse(request, order);
  return true;
}

bool pay_with_short_gift_card(Errand& errand, Rng& rng, RetailRequest& request) {
  const std::optional<std::size_t> number = errand.take_order(rng, OrderStatus::pending);
  if (!number) return false;
  const RetailOrder& order = errand.order(*number);
  const std::vector<RetailPayment>& payments = errand.user().payments;
  for (std::size_t i = 0; i < payments.size(); ++i) {
    if (payments[i].source != PaymentSource::gift_card || i == order.payment) continue;
    // Other requests may pay something back to it first; that must not make it enough.
    Cents most = payments[i].balance;
    for (const std::size_t other : errand.user().orders) {
      if (other != *number && errand.order(other).status == OrderStatus::pending) {
        most += errand.order(other).paid;
      }
    }
    if (most >= order.paid) return false;
    request.wish = "You want to pay for " + errand.order_words(rng, *number, 0) + " with " +
                   errand.method_words(i) + " instead. ";
    request.condition = "No other way of paying will do, and you don't want to split it. ";
    refuse(request, order);
    return true;
  }
  return false;
}

bool cancel_for_stranger(Errand& errand, Rng& rng, RetailRequest& request) {
  const RetailDatabase& database = errand.database();
  const RetailOrder& order = pick(rng, database.orders);
  if (order.status != OrderStatus::pending || &database.users[order.user] == &errand.user()) {
    return false;
  }
  const Name& friend_name = database.users[order.user].name;
  request.wish = "You want to cancel order " + order.id + ", which your friend " +
                 friend_name.first + " " + friend_name.last +
                 " placed and no longer needs; your friend asked you to. ";
  request.condition += kLeaveIt;
  request.facts.push_back({"order_id", order.id});
  return true;
}

bool hand_over(Errand& errand, Rng& rng, RetailRequest& request) {
  constexpr std::array<std::string_view, 5> kWishes = {
      "You want a new credit card to be added to your profile. ",
      "You want the e-mail address in your profile changed to a new one. ",
      "You want your account to be deleted with all data in it. ",
      "You want an offer for forty pieces of one product, with a discount for resellers. ",
      "You want to complain about a courier who was rude to you, and speak to whoever is in "
      "charge. "};
  constexpr std::array<std::string_view, 5> kMatters = {"new payment method", "change of e-mail",
                                                        "deletion of account", "wholesale offer",
                                                        "complaint about a courier"};
  std::string matter;
  const std::optional<std::size_t> number =
      rng.bernoulli(0.5) ? errand.take_order(rng, OrderStatus::delivered) : std::nullopt;
  if (number) {
    const RetailOrder& order = errand.order(*number);
    const bool damaged = rng.bernoulli(0.5);
    request.wish = "Something is wrong with " + errand.order_words(rng, *number, 0) +
                   (damaged ? ": it arrived broken. You want the shop to pay for the damage. "
                            : ": it is said to be delivered, but you never got it. ");
    request.condition = "You want neither to return nor to exchange anything. ";
    request.facts.push_back({"order_id", order.id});
    matter = damaged ? "damaged parcel" : "lost parcel";
  } else {
    const std::size_t wish = draw_index(rng, kWishes.size());
    request.wish = kWishes[wish];
    matter = kMatters[wish];
  }
  request.writes.push_back(
      {Party::agent, "transfer_to_human_agents", {DraftArgument{"summary", matter}}});
  return true;
}

}  // namespace unmask::world::generated
