#include "unmask/world/retail/retail_environment.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/base/sha256.h"
#include "unmask/episode/channel.h"
#include "unmask/world/calculate.h"
#include "unmask/world/environment.h"
#include "unmask/world/outcome.h"
#include "unmask/world/python_number.h"
#include "unmask/world/retail/changed_rows.h"
#include "unmask/world/retail/hash_key.h"
#include "unmask/world/retail/retail_base.h"
#include "unmask/world/retail/retail_data.h"
#include "unmask/world/same_text.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"

namespace unmask::world::retail {
namespace {

/// The sorted text of an entity: the base's unless it has changed. `changed` keeps the text then.
template <typename T>
std::string_view sorted_json_of(const RetailBase::SortedTexts::Entity& entity,
                                const ChangedRows<T>& changes, std::string& changed) {
  const T* value = changes.find(entity.place);
  if (value == nullptr) return entity.json;
  changed = with_sorted_keys(json_of(*value));
  return changed;
}

/// Whether entities have equal hash texts. Their plain texts differ also where options stand in
/// another order.
template <typename T>
bool is_same(const T& left, const T& right) {
  if (&left == &right) return true;
  const std::string left_json = json_of(left);
  const std::string right_json = json_of(right);
  return left_json == right_json || with_sorted_keys(left_json) == with_sorted_keys(right_json);
}

Outcome<std::string> calculated(const Value& expression) {
  Calculated answer = calculate_argument(expression);
  if (answer.error) return raise("ValueError", std::move(answer.text), bad_argument("bad_value"));
  return std::move(answer.text);
}

}  // namespace

std::unique_ptr<Environment> RetailEnvironment::clone() const {
  return std::make_unique<RetailEnvironment>(*this);
}

const Order& RetailEnvironment::order(std::size_t place) const {
  const Order* changed = orders_.find(place);
  return changed == nullptr ? base_->order(place) : *changed;
}

const User& RetailEnvironment::user(std::size_t place) const {
  const User* changed = users_.find(place);
  return changed == nullptr ? base_->user(place) : *changed;
}

std::string RetailEnvironment::agent_hash() const {
  const RetailBase::SortedTexts& texts = base_->sorted_texts();
  if (orders_.empty() && users_.empty()) return texts.hash;
  Sha256 hash;
  std::string changed;
  join_sorted(
      texts, [&hash](std::string_view piece) { hash.update(piece); },
      [&](const auto& entity) { return sorted_json_of(entity, orders_, changed); },
      [&](const auto& entity) { return sorted_json_of(entity, users_, changed); });
  return hash.hex_digest();
}

bool RetailEnvironment::has_same_state(const Environment& other) const {
  const auto* that = dynamic_cast<const RetailEnvironment*>(&other);
  if (that == nullptr || that->base_ != base_) return Environment::has_same_state(other);
  for (const RetailEnvironment* side : {this, that}) {
    for (const auto& [place, changed] : side->orders_.rows()) {
      if (!is_same(order(place), that->order(place))) return false;
    }
    for (const auto& [place, changed] : side->users_.rows()) {
      if (!is_same(user(place), that->user(place))) return false;
    }
  }
  return true;
}

Outcome<RetailEnvironment::MethodPlace> RetailEnvironment::find_payment_method(
    std::size_t order, const Value& payment_method_id) const {
  if (!base_->owner_of(order)) return raise("ValueError", "User not found", no_such("user"));
  const Outcome<const std::string*> key = hash_key(payment_method_id);
  if (!key) return raised_by(key);
  if (*key == nullptr)
    return raise("ValueError", "Payment method not found", no_such("payment_method"));
  return find_payment_method(order, **key);
}

Outcome<RetailEnvironment::MethodPlace> RetailEnvironment::find_payment_method(
    std::size_t order, const std::string& payment_method_id) const {
  const std::optional<std::size_t> owner = base_->owner_of(order);
  if (!owner) return raise("ValueError", "User not found", no_such("user"));
  const std::vector<PaymentMethod>& methods = *user(*owner).payment_methods;
  for (std::size_t i = 0; i < methods.size(); ++i) {
    if (same_text(methods[i].id, payment_method_id)) return MethodPlace{*owner, i};
  }
  return raise("ValueError", "Payment method not found", no_such("payment_method"));
}

const PaymentMethod& RetailEnvironment::payment_method(MethodPlace place) const {
  return (*user(place.user).payment_methods)[place.method];
}

bool RetailEnvironment::is_short_of(MethodPlace place, double amount) const {
  const PaymentMethod& method = payment_method(place);
  return method.source == PaymentSource::gift_card && method.balance < amount;
}

void RetailEnvironment::add_to_gift_card(MethodPlace place, double amount) {
  if (payment_method(place).source != PaymentSource::gift_card) return;
  auto changed = std::make_shared<User>(user(place.user));
  std::vector<PaymentMethod> methods = *changed->payment_methods;
  PaymentMethod& card = methods[place.method];
  card.balance = round2(card.balance + amount);
  changed->payment_methods = std::move(methods);
  users_.set(place.user, std::move(changed));
}

Outcome<VariantPlace> RetailEnvironment::find_variant(const std::string& product_id,
                                                      const Value& variant_id) const {
  const std::optional<std::size_t> product = base_->find_product(product_id);
  if (!product) return raise("ValueError", "Product not found", no_such("product"));
  const Outcome<const std::string*> key = hash_key(variant_id);
  if (!key) return raised_by(key);
  const std::vector<Variant>& variants = base_->database().products[*product].variants;
  for (std::size_t i = 0; i < variants.size() && *key != nullptr; ++i) {
    if (variants[i].item_id == **key) return VariantPlace{*product, i};
  }
  return raise("ValueError", "Variant not found", no_such("variant"));
}

const Variant& RetailEnvironment::variant(VariantPlace place) const {
  return base_->database().products[place.product].variants[place.variant];
}

Outcome<std::string> RetailEnvironment::run_tool(Party, const Tool& tool,
                                                 const Arguments& arguments) {
  switch (RetailTool{tool.id}) {
    case RetailTool::calculate:
      return calculated(arguments[0]);
    case RetailTool::cancel_pending_order:
      return cancel_pending_order(arguments);
    case RetailTool::exchange_delivered_order_items:
      return exchange_delivered_order_items(arguments);
    case RetailTool::find_user_id_by_name_zip:
      return find_user_id_by_name_zip(arguments);
    case RetailTool::find_user_id_by_email:
      return find_user_id_by_email(arguments[0]);
    case RetailTool::get_order_details:
      return get_order_details(arguments[0]);
    case RetailTool::get_product_details:
      return get_product_details(arguments[0]);
    case RetailTool::get_item_details:
      return get_item_details(arguments[0]);
    case RetailTool::get_user_details:
      return get_user_details(arguments[0]);
    case RetailTool::list_all_product_types:
      return base_->product_types_json();
    case RetailTool::modify_pending_order_address:
      return modify_pending_order_address(arguments);
    case RetailTool::modify_pending_order_items:
      return modify_pending_order_items(arguments);
    case RetailTool::modify_pending_order_payment:
      return modify_pending_order_payment(arguments);
    case RetailTool::modify_user_address:
      return modify_user_address(arguments);
    case RetailTool::return_delivered_order_items:
      return return_delivered_order_items(arguments);
    case RetailTool::transfer_to_human_agents:
      return "Transfer successful";
  }
  UNMASK_CHECK(false);
}

}  // namespace unmask::world::retail
