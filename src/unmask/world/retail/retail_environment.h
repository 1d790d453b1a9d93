#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "unmask/episode/channel.h"
#include "unmask/world/environment.h"
#include "unmask/world/outcome.h"
#include "unmask/world/retail/changed_rows.h"
#include "unmask/world/retail/hash_key.h"
#include "unmask/world/retail/retail_base.h"
#include "unmask/world/retail/retail_data.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"

namespace unmask::world::retail {

/// The tools of the retail domain, by the numbers that Tool::id holds; in the order in which a
/// model is offered them.
enum class RetailTool : int {
  calculate,
  cancel_pending_order,
  exchange_delivered_order_items,
  find_user_id_by_name_zip,
  find_user_id_by_email,
  get_order_details,
  get_product_details,
  get_item_details,
  get_user_details,
  list_all_product_types,
  modify_pending_order_address,
  modify_pending_order_items,
  modify_pending_order_payment,
  modify_user_address,
  return_delivered_order_items,
  transfer_to_human_agents,
};

/// Names, kinds and parameters of the tools, with schemas and without descriptions.
[[nodiscard]] Toolkit retail_toolkit();

/// A retail state: the shared base, and the orders and users that have changed.
class RetailEnvironment final : public Environment {
 public:
  RetailEnvironment(std::shared_ptr<const EnvironmentSetup> setup,
                    std::shared_ptr<const RetailBase> base)
      : Environment(std::move(setup), false), base_(std::move(base)) {}

  [[nodiscard]] std::unique_ptr<Environment> clone() const override;
  [[nodiscard]] std::string agent_hash() const override;
  [[nodiscard]] bool has_same_state(const Environment& other) const override;

  /// The entity in its current state; `place` as in Database.
  [[nodiscard]] const Order& order(std::size_t place) const;
  [[nodiscard]] const User& user(std::size_t place) const;

 private:
  [[nodiscard]] Outcome<std::string> run_tool(Party owner, const Tool& tool,
                                              const Arguments& arguments) override;

  // Read tools (read_tools.cc).
  [[nodiscard]] Outcome<std::string> get_order_details(const Value& order_id) const;
  [[nodiscard]] Outcome<std::string> get_product_details(const Value& product_id) const;
  [[nodiscard]] Outcome<std::string> get_item_details(const Value& item_id) const;
  [[nodiscard]] Outcome<std::string> get_user_details(const Value& user_id) const;
  [[nodiscard]] Outcome<std::string> find_user_id_by_email(const Value& email) const;
  [[nodiscard]] Outcome<std::string> find_user_id_by_name_zip(const Arguments& arguments) const;

  // Write tools (write_tools.cc, item_tools.cc).
  [[nodiscard]] Outcome<std::string> cancel_pending_order(const Arguments& arguments);
  [[nodiscard]] Outcome<std::string> exchange_delivered_order_items(const Arguments& arguments);
  [[nodiscard]] Outcome<std::string> modify_pending_order_address(const Arguments& arguments);
  [[nodiscard]] Outcome<std::string> modify_pending_order_items(const Arguments& arguments);
  [[nodiscard]] Outcome<std::string> modify_pending_order_payment(const Arguments& arguments);
  [[nodiscard]] Outcome<std::string> modify_user_address(const Arguments& arguments);
  [[nodiscard]] Outcome<std::string> return_delivered_order_items(const Arguments& arguments);

  // Look-ups, with the texts they raise.
  [[nodiscard]] Outcome<std::size_t> find_order(const Value& order_id) const;
  [[nodiscard]] Outcome<std::size_t> find_user(const Value& user_id) const;
  /// A payment method of the user of the order at a place.
  struct MethodPlace {
    std::size_t user = 0;
    std::size_t method = 0;
  };
  [[nodiscard]] Outcome<MethodPlace> find_payment_method(std::size_t order,
                                                         const Value& payment_method_id) const;
  [[nodiscard]] Outcome<MethodPlace> find_payment_method(
      std::size_t order, const std::string& payment_method_id) const;
  [[nodiscard]] const PaymentMethod& payment_method(MethodPlace place) const;
  /// Whether the method is a gift card that holds less than `amount`, in dollars.
  [[nodiscard]] bool is_short_of(MethodPlace place, double amount) const;
  /// Adds to a gift card's balance, rounded to cents; nothing for another method.
  void add_to_gift_card(MethodPlace place, double amount);

  /// The place of a variant of the order item's product.
  [[nodiscard]] Outcome<VariantPlace> find_variant(const std::string& product_id,
                                                   const Value& variant_id) const;
  [[nodiscard]] const Variant& variant(VariantPlace place) const;

  struct Swap;
  /// Checks the old and new items of an exchange (`item_ids`, `new_item_ids` in arguments 1 and 2)
  /// in the original's order. `missing` makes the text for an id that the order doesn't hold.
  template <typename Missing>
  [[nodiscard]] Outcome<Swap> swap_of(const Order& order, const Arguments& arguments,
                                      bool must_differ, std::string_view length_text,
                                      Missing missing) const;

  /// Lets `change(entity)` change an entity of the state; its JSON text.
  template <typename Change>
  std::string change_order(std::size_t place, Change change);
  template <typename Change>
  std::string change_user(std::size_t place, Change change);

  std::shared_ptr<const RetailBase> base_;
  ChangedRows<Order> orders_;
  ChangedRows<User> users_;
};

inline Outcome<std::size_t> RetailEnvironment::find_order(const Value& order_id) const {
  const Outcome<const std::string*> key = hash_key(order_id);
  if (!key) return raised_by(key);
  if (*key != nullptr) {
    if (const std::optional<std::size_t> place = base_->find_order(**key)) return *place;
  }
  return raise("ValueError", "Order not found", no_such("order"));
}

inline Outcome<std::size_t> RetailEnvironment::find_user(const Value& user_id) const {
  const Outcome<const std::string*> key = hash_key(user_id);
  if (!key) return raised_by(key);
  if (*key != nullptr) {
    if (const std::optional<std::size_t> place = base_->find_user(**key)) return *place;
  }
  return raise("ValueError", "User not found", no_such("user"));
}

template <typename Change>
std::string RetailEnvironment::change_order(std::size_t place, Change change) {
  auto changed = std::make_shared<Order>(order(place));
  change(*changed);
  std::string json = json_of(*changed);
  orders_.set(place, std::move(changed));
  return json;
}

template <typename Change>
std::string RetailEnvironment::change_user(std::size_t place, Change change) {
  auto changed = std::make_shared<User>(user(place));
  change(*changed);
  std::string json = json_of(*changed);
  users_.set(place, std::move(changed));
  return json;
}

}  // namespace unmask::world::retail
