#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/rng.h"
#include "unmask/world/generate/amount.h"
#include "unmask/world/generate/difficulty.h"
#include "unmask/world/generate/retail_database.h"
#include "unmask/world/generate/retail_request.h"
#include "unmask/world/generate/task_draft.h"

namespace unmask::world::generated {

/// An item of an order and what it is exchanged for.
struct ItemSwap {
  std::size_t place = 0;   ///< in the order
  std::size_t wanted = 0;  ///< item number of the same product; available, another price
  std::string words;       ///< `the Hammock (...) for the one with color coral`
};

/// A customer in one conversation. Requests take their orders from here, so that no two touch the
/// same one, and what they spend from the gift card is there in whatever order they are executed.
class Errand {
 public:
  Errand(const RetailDatabase& database, std::size_t user, Difficulty difficulty);

  [[nodiscard]] const RetailDatabase& database() const { return *database_; }
  [[nodiscard]] const RetailUser& user() const { return database_->users[user_]; }
  [[nodiscard]] const RetailOrder& order(std::size_t number) const {
    return database_->orders[number];
  }
  [[nodiscard]] const RetailItem& item(const RetailOrder& order, std::size_t place) const {
    return database_->item(order.items[place]);
  }

  /// One of the customer's orders with that status and not taken yet; takes it.
  [[nodiscard]] std::optional<std::size_t> take_order(Rng& rng, OrderStatus status);
  /// Places of an order whose product it holds once, so that the product's name tells the item.
  [[nodiscard]] static std::vector<std::size_t> single_places(const RetailOrder& order);
  /// A payment method that can bear `charge` (negative: gets it back), not the one `other_than`.
  [[nodiscard]] std::optional<std::size_t> draw_method(
      Rng& rng, Cents charge, std::optional<std::size_t> other_than = std::nullopt) const;
  /// Sets aside what a gift card is charged with; refunds don't count.
  void spend(std::size_t method, Cents charge);
  /// Once per conversation: whether the customer's own address is still the first one.
  [[nodiscard]] bool take_move();
  /// Another version of the item at `place`, worded by difficulty; nullopt if there is none.
  [[nodiscard]] std::optional<ItemSwap> draw_swap(Rng& rng, const RetailOrder& order,
                                                  std::size_t place) const;

  [[nodiscard]] Difficulty difficulty() const { return difficulty_; }
  /// Whether ids of items and methods stand in the customer's words.
  [[nodiscard]] bool names_everything() const { return difficulty_ == Difficulty::tiny; }
  /// `order #W1`, or, for who must look it up, `the order with the Hammock`: then it is the only
  /// order of the customer with that product.
  [[nodiscard]] std::string order_words(Rng& rng, std::size_t order, std::size_t place) const;
  [[nodiscard]] std::string item_words(const RetailOrder& order, std::size_t place) const;
  [[nodiscard]] std::string method_words(std::size_t method) const;

  /// Reads that an agent needs for an order, and for a product of it.
  static void read_order(RetailRequest& request, const RetailOrder& order);
  void read_product(RetailRequest& request, const RetailOrder& order, std::size_t place) const;
  /// Now and then (medium and hard) the customer wants to hear an amount.
  void ask_for_amount(Rng& rng, RetailRequest& request, Cents amount, std::string_view what) const;

 private:
  [[nodiscard]] std::string differing_options(const RetailItem& from, const RetailItem& to) const;

  const RetailDatabase* database_;
  std::size_t user_;
  Difficulty difficulty_;
  std::vector<std::size_t> taken_;
  Cents gift_card_left_ = 0;
  bool moved_ = false;
};

}  // namespace unmask::world::generated
