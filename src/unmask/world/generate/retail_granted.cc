#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/rng.h"
#include "unmask/world/generate/amount.h"
#include "unmask/world/generate/difficulty.h"
#include "unmask/world/generate/errand.h"
#include "unmask/world/generate/person.h"
#include "unmask/world/generate/pick.h"
#include "unmask/world/generate/retail_database.h"
#include "unmask/world/generate/retail_request.h"
#include "unmask/world/generate/retail_request_makers.h"
#include "unmask/world/generate/task_draft.h"

namespace unmask::world::generated {
namespace {

void add_write(RetailRequest& request, std::string name, std::vector<DraftArgument> arguments) {
  request.writes.push_back({Party::agent, std::move(name), std::move(arguments)});
}

std::vector<DraftArgument> address_arguments(std::string owner, const std::string& id,
                                             const PostalAddress& address) {
  return {{std::move(owner), id}, {"address1", address.street}, {"address2", address.unit},
          {"city", address.city}, {"state", address.state},     {"country", std::string("USA")},
          {"zip", address.zip}};
}

/// `least` to `most` of the places, in their order; all if there are no more.
std::vector<std::size_t> some_of(Rng& rng, std::vector<std::size_t> places, std::int64_t most) {
  const std::int64_t limit = std::min(most, static_cast<std::int64_t>(places.size()));
  const auto count = static_cast<std::size_t>(draw_between(rng, 1, limit));
  rng.shuffle(std::span(places));
  places.resize(count);
  std::ranges::sort(places);
  return places;
}

std::int64_t most_items(const Errand& errand) {
  return errand.difficulty() <= Difficulty::easy ? 1 : 3;
}

std::vector<std::string> ids_at(const Errand& errand, const RetailOrder& order,
                                const std::vector<std::size_t>& places) {
  std::vector<std::string> ids;
  for (const std::size_t place : places) ids.push_back(errand.item(order, place).id);
  return ids;
}

std::string items_text(const Errand& errand, const RetailOrder& order,
                       const std::vector<std::size_t>& places) {
  std::vector<std::string> words;
  for (const std::size_t place : places) words.push_back("the " + errand.item_words(order, place));
  return listed(words);
}

/// The method that paid, or the customer's gift card.
std::size_t refund_method(const Errand& errand, Rng& rng, const RetailOrder& order) {
  const std::vector<RetailPayment>& payments = errand.user().payments;
  for (std::size_t i = 0; i < payments.size(); ++i) {
    if (payments[i].source == PaymentSource::gift_card && rng.bernoulli(0.5)) return i;
  }
  return order.payment;
}

void add_return(const Errand& errand, Rng& rng, RetailRequest& request, const RetailOrder& order,
                const std::vector<std::size_t>& places, std::size_t method) {
  Cents refund = 0;
  for (const std::size_t place : places) refund += errand.item(order, place).price;
  add_write(request, "return_delivered_order_items",
            {{"order_id", order.id},
             {"item_ids", ids_at(errand, order, places)},
             {"payment_method_id", errand.user().payments[method].id}});
  errand.ask_for_amount(rng, request, refund, "how much you will get back for it");
}

/// Swaps with a total difference in price that is not zero, so that its sign is beyond doubt.
struct Swaps {
  std::vector<ItemSwap> swaps;
  Cents difference = 0;
};

std::optional<Swaps> draw_swaps(const Errand& errand, Rng& rng, const RetailOrder& order,
                                const std::vector<std::size_t>& places) {
  Swaps drawn;
  for (const std::size_t place : places) {
    std::optional<ItemSwap> swap = errand.draw_swap(rng, order, place);
    if (!swap) return std::nullopt;
    const RetailProduct& product = errand.database().products[order.items[place].product];
    drawn.difference += product.items[swap->wanted].price - errand.item(order, place).price;
    drawn.swaps.push_back(std::move(*swap));
  }
  if (drawn.difference == 0) return std::nullopt;
  return drawn;
}

std::string swap_words(const Swaps& drawn) {
  std::vector<std::string> words;
  for (const ItemSwap& swap : drawn.swaps) words.push_back(swap.words);
  return listed(words);
}

void add_swap_write(const Errand& errand, RetailRequest& request, std::string tool,
                    const RetailOrder& order, const Swaps& drawn, std::size_t method) {
  std::vector<std::string> old_ids, new_ids;
  for (const ItemSwap& swap : drawn.swaps) {
    const RetailProduct& product = errand.database().products[order.items[swap.place].product];
    errand.read_product(request, order, swap.place);
    old_ids.push_back(errand.item(order, swap.place).id);
    new_ids.push_back(product.items[swap.wanted].id);
  }
  add_write(request, std::move(tool),
            {{"order_id", order.id},
             {"item_ids", std::move(old_ids)},
             {"new_item_ids", std::move(new_ids)},
             {"payment_method_id", errand.user().payments[method].id}});
}

void ask_for_difference(const Errand& errand, Rng& rng, RetailRequest& request, Cents difference) {
  errand.ask_for_amount(rng, request, difference < 0 ? -difference : difference,
                        "the exact difference in price");
}

std::string difference_words(const Errand& errand, std::size_t method) {
  return "The difference in price goes to " + errand.method_words(method) + ". ";
}

bool change_payment(Errand& errand, Rng& rng, RetailRequest& request, const RetailOrder& order,
                    std::string_view whose) {
  const std::optional<std::size_t> method = errand.draw_method(rng, order.paid, order.payment);
  if (!method) return false;
  errand.spend(*method, order.paid);
  request.wish += "You want to pay for " + std::string(whose) + " with " +
                  errand.method_words(*method) + " instead. ";
  add_write(request, "modify_pending_order_payment",
            {{"order_id", order.id}, {"payment_method_id", errand.user().payments[*method].id}});
  return true;
}

void change_address(Errand& errand, Rng& rng, RetailRequest& request, const RetailOrder& order,
                    std::string_view whose) {
  PostalAddress address = draw_address(rng);
  // Whoever must look things up gets the address from the profile, if it is another one and stays.
  const bool from_profile = errand.difficulty() >= Difficulty::medium &&
                            order.address != errand.user().address && errand.take_move();
  if (from_profile) address = errand.user().address;
  request.wish +=
      "You want " + std::string(whose) + " to be sent to " +
      (from_profile ? std::string("the address in your profile") : address_text(address)) + ". ";
  add_write(request, "modify_pending_order_address",
            address_arguments("order_id", order.id, address));
}

}  // namespace

bool cancel_order(Errand& errand, Rng& rng, RetailRequest& request) {
  const std::optional<std::size_t> number = errand.take_order(rng, OrderStatus::pending);
  if (!number) return false;
  const RetailOrder& order = errand.order(*number);
  const bool needless = rng.bernoulli(0.5);
  request.wish =
      "You want to cancel " + errand.order_words(rng, *number, 0) +
      (needless ? ", because you no longer need it. " : ", because you ordered it by mistake. ");
  Errand::read_order(request, order);
  add_write(request, "cancel_pending_order",
            {{"order_id", order.id},
             {"reason", std::string(needless ? "no longer needed" : "ordered by mistake")}});
  errand.ask_for_amount(rng, request, order.paid, "how much you get back for the cancelled order");
  return true;
}

bool return_items(Errand& errand, Rng& rng, RetailRequest& request) {
  const std::optional<std::size_t> number = errand.take_order(rng, OrderStatus::delivered);
  if (!number) return false;
  const RetailOrder& order = errand.order(*number);
  std::vector<std::size_t> places = Errand::single_places(order);
  if (places.empty()) return false;
  places = some_of(rng, std::move(places), most_items(errand));
  const std::size_t method = refund_method(errand, rng, order);
  request.wish = "You want to return " + items_text(errand, order, places) + " from " +
                 errand.order_words(rng, *number, places.front()) + ". The money goes back to " +
                 errand.method_words(method) + ". ";
  Errand::read_order(request, order);
  add_return(errand, rng, request, order, places, method);
  return true;
}

bool exchange_items(Errand& errand, Rng& rng, RetailRequest& request) {
  const std::optional<std::size_t> number = errand.take_order(rng, OrderStatus::delivered);
  if (!number) return false;
  const RetailOrder& order = errand.order(*number);
  std::vector<std::size_t> places = Errand::single_places(order);
  if (places.empty()) return false;
  places = some_of(rng, std::move(places), most_items(errand));
  const std::optional<Swaps> drawn = draw_swaps(errand, rng, order, places);
  if (!drawn) return false;
  const std::optional<std::size_t> method = errand.draw_method(rng, drawn->difference);
  if (!method) return false;
  errand.spend(*method, drawn->difference);
  request.wish = "You want to exchange " + swap_words(*drawn) + ". This is about " +
                 errand.order_words(rng, *number, places.front()) + ". " +
                 difference_words(errand, *method);
  Errand::read_order(request, order);
  add_swap_write(errand, request, "exchange_delivered_order_items", order, *drawn, *method);
  ask_for_difference(errand, rng, request, drawn->difference);
  return true;
}

bool modify_items(Errand& errand, Rng& rng, RetailRequest& request) {
  const std::optional<std::size_t> number = errand.take_order(rng, OrderStatus::pending);
  if (!number) return false;
  const RetailOrder& order = errand.order(*number);
  const std::vector<std::size_t> places = Errand::single_places(order);
  if (places.empty()) return false;
  // One item only: with several the world gives all of them the last one's price, so that the
  // sequence of a list would decide about success.
  const std::size_t place = pick(rng, places);
  const std::optional<Swaps> drawn = draw_swaps(errand, rng, order, {place});
  if (!drawn) return false;
  const std::optional<std::size_t> method = errand.draw_method(rng, drawn->difference);
  if (!method) return false;
  errand.spend(*method, drawn->difference);
  request.wish = "In " + errand.order_words(rng, *number, place) +
                 ", which has not been sent yet, you want to exchange " + swap_words(*drawn) +
                 ". " + difference_words(errand, *method);
  Errand::read_order(request, order);
  add_swap_write(errand, request, "modify_pending_order_items", order, *drawn, *method);
  ask_for_difference(errand, rng, request, drawn->difference);
  return true;
}

bool modify_payment(Errand& errand, Rng& rng, RetailRequest& request) {
  const std::optional<std::size_t> number = errand.take_order(rng, OrderStatus::pending);
  if (!number) return false;
  const RetailOrder& order = errand.order(*number);
  Errand::read_order(request, order);
  return change_payment(errand, rng, request, order, errand.order_words(rng, *number, 0));
}

bool modify_order_address(Errand& errand, Rng& rng, RetailRequest& request) {
  const std::optional<std::size_t> number = errand.take_order(rng, OrderStatus::pending);
  if (!number) return false;
  const RetailOrder& order = errand.order(*number);
  Errand::read_order(request, order);
  change_address(errand, rng, request, order, errand.order_words(rng, *number, 0));
  return true;
}

bool modify_user_address(Errand& errand, Rng& rng, RetailRequest& request) {
  if (!errand.take_move()) return false;
  const PostalAddress address = draw_address(rng);
  request.wish = "You have moved and want the address in your profile changed to " +
                 address_text(address) + ". Your orders stay as they are. ";
  add_write(request, "modify_user_address",
            address_arguments("user_id", errand.user().id, address));
  return true;
}

bool several_changes(Errand& errand, Rng& rng, RetailRequest& request) {
  const std::optional<std::size_t> number = errand.take_order(rng, OrderStatus::pending);
  if (!number) return false;
  const RetailOrder& order = errand.order(*number);
  const std::vector<std::size_t> places = Errand::single_places(order);
  if (places.empty()) return false;
  const std::size_t place = pick(rng, places);
  const std::optional<Swaps> drawn = draw_swaps(errand, rng, order, {place});
  if (!drawn) return false;
  Errand::read_order(request, order);
  const std::string whose = errand.order_words(rng, *number, place);
  // Address and payment can be changed only as long as no item has been; the customer names the
  // item first.
  const std::optional<std::size_t> method = errand.draw_method(rng, drawn->difference);
  if (!method) return false;
  errand.spend(*method, drawn->difference);
  request.wish = "In " + whose + ", which has not been sent yet, you want to exchange " +
                 swap_words(*drawn) + ". " + difference_words(errand, *method);
  const bool has_payment =
      rng.bernoulli(0.6) && change_payment(errand, rng, request, order, "the same order");
  if (!has_payment || rng.bernoulli(0.5)) {
    change_address(errand, rng, request, order, "the same order");
  }
  add_swap_write(errand, request, "modify_pending_order_items", order, *drawn, *method);
  return true;
}

bool return_or_exchange(Errand& errand, Rng& rng, RetailRequest& request) {
  const std::optional<std::size_t> number = errand.take_order(rng, OrderStatus::delivered);
  if (!number) return false;
  const RetailOrder& order = errand.order(*number);
  std::vector<std::size_t> places = Errand::single_places(order);
  if (places.size() < 2) return false;
  rng.shuffle(std::span(places));
  const std::optional<Swaps> drawn = draw_swaps(errand, rng, order, {places[0]});
  if (!drawn) return false;
  const std::optional<std::size_t> method = errand.draw_method(rng, drawn->difference);
  if (!method) return false;
  const bool returns = rng.bernoulli(0.5);
  Errand::read_order(request, order);
  request.wish = "From " + errand.order_words(rng, *number, places[0]) +
                 " you want to return the " + errand.item_words(order, places[1]) +
                 " and exchange " + swap_words(*drawn) + ". ";
  const std::size_t refund = refund_method(errand, rng, order);
  request.condition = "If the agent says that only one of the two is possible for one order, you " +
                      std::string(returns ? "choose the return" : "choose the exchange") +
                      " and drop the other. A refund goes to " + errand.method_words(refund) +
                      ", a difference in price to " + errand.method_words(*method) + ". ";
  if (returns) {
    add_return(errand, rng, request, order, {places[1]}, refund);
  } else {
    errand.spend(*method, drawn->difference);
    add_swap_write(errand, request, "exchange_delivered_order_items", order, *drawn, *method);
  }
  return true;
}

}  // namespace unmask::world::generated
