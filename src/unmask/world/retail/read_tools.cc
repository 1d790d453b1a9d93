#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "unmask/world/outcome.h"
#include "unmask/world/python_text.h"
#include "unmask/world/retail/hash_key.h"
#include "unmask/world/retail/retail_base.h"
#include "unmask/world/retail/retail_data.h"
#include "unmask/world/retail/retail_environment.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"

namespace unmask::world::retail {
namespace {

/// Python's `value.lower()`.
Outcome<std::string> lowered(const Value& value) {
  if (const std::string* text = value.string()) return python_lower(*text);
  return raise("AttributeError",
               "'" + std::string(type_name(value)) + "' object has no attribute 'lower'");
}

}  // namespace

Outcome<std::string> RetailEnvironment::get_order_details(const Value& order_id) const {
  const Outcome<std::size_t> place = find_order(order_id);
  if (!place) return raised_by(place);
  const Order* changed = orders_.find(*place);
  return changed == nullptr ? base_->order_json(*place) : json_of(*changed);
}

Outcome<std::string> RetailEnvironment::get_user_details(const Value& user_id) const {
  const Outcome<std::size_t> place = find_user(user_id);
  if (!place) return raised_by(place);
  const User* changed = users_.find(*place);
  return changed == nullptr ? base_->user_json(*place) : json_of(*changed);
}

Outcome<std::string> RetailEnvironment::get_product_details(const Value& product_id) const {
  const Outcome<const std::string*> key = hash_key(product_id);
  if (!key) return raised_by(key);
  if (*key != nullptr) {
    if (const std::optional<std::size_t> place = base_->find_product(**key)) {
      return base_->product_json(*place);
    }
  }
  return raise("ValueError", "Product not found", no_such("product"));
}

Outcome<std::string> RetailEnvironment::get_item_details(const Value& item_id) const {
  // Without a product the key is never looked up.
  if (!base_->database().products.empty()) {
    const Outcome<const std::string*> key = hash_key(item_id);
    if (!key) return raised_by(key);
    if (*key != nullptr) {
      if (const std::optional<VariantPlace> place = base_->find_item(**key)) {
        return base_->variant_json(*place);
      }
    }
  }
  return raise("ValueError", "Item not found", no_such("item"));
}

Outcome<std::string> RetailEnvironment::find_user_id_by_email(const Value& email) const {
  // The loop over users lower-cases the argument anew for each, hence not at all without users.
  if (!base_->database().users.empty()) {
    Outcome<std::string> lower = lowered(email);
    if (!lower) return lower;
    if (const std::optional<std::size_t> place = base_->find_email(*lower)) {
      return base_->database().users[*place].profile->user_id;
    }
  }
  return raise("ValueError", "User not found", no_such("user"));
}

Outcome<std::string> RetailEnvironment::find_user_id_by_name_zip(const Arguments& arguments) const {
  if (!base_->database().users.empty()) {
    Outcome<std::string> first_name = lowered(arguments[0]);
    if (!first_name) return first_name;
    const std::vector<std::size_t>& namesakes = base_->users_named(*first_name);
    if (!namesakes.empty()) {
      Outcome<std::string> last_name = lowered(arguments[1]);
      if (!last_name) return last_name;
      const std::string* zip = arguments[2].string();
      for (const std::size_t place : namesakes) {
        if (base_->lower_last_name(place) != *last_name || zip == nullptr) continue;
        const User& candidate = user(place);
        if (candidate.address->zip == *zip) return candidate.profile->user_id;
      }
    }
  }
  return raise("ValueError", "User not found", no_such("user"));
}

}  // namespace unmask::world::retail
