#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "unmask/world/retail/retail_data.h"
#include "unmask/world/text_index.h"

namespace unmask::world::retail {

/// A variant's place: its product among Database::products, itself among that product's variants.
struct VariantPlace {
  std::size_t product = 0;
  std::size_t variant = 0;
};

/// The initial database with what makes look-ups and answers fast: indices and the JSON text of
/// each entity. Immutable and safe to share between threads.
class RetailBase {
 public:
  explicit RetailBase(Database database);
  RetailBase(const RetailBase&) = delete;
  RetailBase& operator=(const RetailBase&) = delete;

  [[nodiscard]] const Database& database() const { return database_; }
  /// The same orders and users, faster to copy: valid, copies too, as long as this object.
  [[nodiscard]] const Order& order(std::size_t place) const { return base_orders_[place]; }
  [[nodiscard]] const User& user(std::size_t place) const { return base_users_[place]; }

  // Places in Database's lists; nullopt if there is none.
  [[nodiscard]] std::optional<std::size_t> find_order(const std::string& id) const {
    return orders_.find(id);
  }
  [[nodiscard]] std::optional<std::size_t> find_user(const std::string& id) const {
    return users_.find(id);
  }
  [[nodiscard]] std::optional<std::size_t> find_product(const std::string& id) const {
    return products_.find(id);
  }
  /// The user whose order this is.
  [[nodiscard]] std::optional<std::size_t> owner_of(std::size_t order) const {
    return owners_[order];
  }
  /// Over all products, the first in the file's order.
  [[nodiscard]] std::optional<VariantPlace> find_item(const std::string& id) const;
  /// The first user whose lower-cased email is `lower`.
  [[nodiscard]] std::optional<std::size_t> find_email(const std::string& lower) const {
    return emails_.find(lower);
  }
  /// All users whose lower-cased first name is `lower`, in the file's order.
  [[nodiscard]] const std::vector<std::size_t>& users_named(const std::string& lower) const;
  [[nodiscard]] const std::string& lower_last_name(std::size_t user) const {
    return lower_last_names_[user];
  }

  [[nodiscard]] const std::string& order_json(std::size_t order) const {
    return order_texts_[order];
  }
  [[nodiscard]] const std::string& user_json(std::size_t user) const { return user_texts_[user]; }
  [[nodiscard]] const std::string& product_json(std::size_t product) const {
    return product_texts_[product];
  }
  [[nodiscard]] const std::string& variant_json(VariantPlace place) const {
    return variant_texts_[place.product][place.variant];
  }
  /// `{product name: product id}`, sorted by name.
  [[nodiscard]] const std::string& product_types_json() const { return product_types_; }

  /// The database with sorted keys, in pieces: what state hashes are made of. Orders and users in
  /// the order of their ids.
  struct SortedTexts {
    struct Entity {
      std::size_t place = 0;
      std::string key;   ///< `"#W1": `
      std::string json;  ///< of the initial state
    };
    std::vector<Entity> orders;
    std::string products;  ///< `{...}`
    std::vector<Entity> users;
    std::string hash;  ///< of the initial state
  };
  /// Made at the first call.
  [[nodiscard]] const SortedTexts& sorted_texts() const;

 private:
  Database database_;
  TextIndex orders_;
  TextIndex users_;
  TextIndex products_;
  TextIndex items_;  // of places in variants_
  std::vector<VariantPlace> variants_;
  TextIndex emails_;
  std::vector<std::optional<std::size_t>> owners_;
  std::unordered_map<std::string, std::vector<std::size_t>> first_names_;
  std::vector<std::string> lower_last_names_;
  std::vector<std::string> order_texts_;
  std::vector<std::string> user_texts_;
  std::vector<Order> base_orders_;
  std::vector<User> base_users_;
  std::vector<std::string> product_texts_;
  std::vector<std::vector<std::string>> variant_texts_;
  std::string product_types_;
  mutable std::once_flag sorted_once_;
  mutable SortedTexts sorted_;
};

/// The same JSON value with sorted keys at every level.
[[nodiscard]] std::string with_sorted_keys(std::string_view json);

/// Joins the pieces of a sorted database: `{"orders": {...}, "products": ..., "users": {...}}`,
/// each piece handed to `take` in order. `order_json` and `user_json` give an entity's sorted text.
template <typename Take, typename OrderJson, typename UserJson>
void join_sorted(const RetailBase::SortedTexts& texts, Take take, OrderJson order_json,
                 UserJson user_json) {
  const auto entities = [&take](const auto& list, const auto& json_of) {
    bool first = true;
    for (const RetailBase::SortedTexts::Entity& entity : list) {
      if (!first) take(", ");
      first = false;
      take(entity.key);
      take(json_of(entity));
    }
  };
  take("{\"orders\": {");
  entities(texts.orders, order_json);
  take("}, \"products\": ");
  take(texts.products);
  take(", \"users\": {");
  entities(texts.users, user_json);
  take("}}");
}

}  // namespace unmask::world::retail
