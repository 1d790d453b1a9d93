#include "unmask/world/retail/retail_base.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/base/error.h"
#include "unmask/base/sha256.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/python_text.h"
#include "unmask/world/retail/retail_data.h"
#include "unmask/world/value.h"

namespace unmask::world::retail {
namespace {

RetailBase::SortedTexts::Entity sorted_entity(std::size_t place, const std::string& id,
                                              std::string_view json) {
  std::string key;
  append_json_string(key, id);
  key += ": ";
  return {place, std::move(key), with_sorted_keys(json)};
}

template <typename T, typename IdOf>
std::vector<std::size_t> places_by_id(const std::vector<T>& entities, IdOf id_of) {
  std::vector<std::size_t> places(entities.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  std::ranges::sort(places, [&](std::size_t a, std::size_t b) {
    return id_of(entities[a]) < id_of(entities[b]);
  });
  return places;
}

}  // namespace

std::string with_sorted_keys(std::string_view json) {
  const Result<Value> value = parse_json(json);
  UNMASK_CHECK(value.has_value());
  return dump_sorted_json(*value);
}

RetailBase::RetailBase(Database database) : database_(std::move(database)) {
  std::map<std::string, std::string> product_types;
  for (std::size_t p = 0; p < database_.products.size(); ++p) {
    const Product& product = database_.products[p];
    products_.emplace(product.product_id, p);
    product_texts_.push_back(json_of(product));
    product_types[product.name] = product.product_id;
    std::vector<std::string>& texts = variant_texts_.emplace_back();
    for (std::size_t v = 0; v < product.variants.size(); ++v) {
      items_.emplace(product.variants[v].item_id, variants_.size());
      variants_.push_back({p, v});
      texts.push_back(json_of(product.variants[v]));
    }
  }
  Object types;
  types.reserve(product_types.size());
  for (const auto& [name, id] : product_types) types.append(name, id);
  product_types_ = dump_json(types);
  user_texts_.reserve(database_.users.size());
  for (std::size_t u = 0; u < database_.users.size(); ++u) {
    const User& user = database_.users[u];
    users_.emplace(user.profile->user_id, u);
    emails_.emplace(python_lower(user.profile->email), u);
    first_names_[python_lower(user.profile->first_name)].push_back(u);
    lower_last_names_.push_back(python_lower(user.profile->last_name));
    user_texts_.push_back(json_of(user));
    base_users_.push_back(borrowed(user, user_texts_.back()));
  }
  order_texts_.reserve(database_.orders.size());
  for (std::size_t o = 0; o < database_.orders.size(); ++o) {
    orders_.emplace(database_.orders[o].head->order_id, o);
    owners_.push_back(users_.find(database_.orders[o].head->user_id));
    order_texts_.push_back(json_of(database_.orders[o]));
    base_orders_.push_back(borrowed(database_.orders[o], order_texts_.back()));
  }
}

std::optional<VariantPlace> RetailBase::find_item(const std::string& id) const {
  const std::optional<std::size_t> found = items_.find(id);
  if (!found) return std::nullopt;
  return variants_[*found];
}

const std::vector<std::size_t>& RetailBase::users_named(const std::string& lower) const {
  static const std::vector<std::size_t> nobody;
  const auto found = first_names_.find(lower);
  return found == first_names_.end() ? nobody : found->second;
}

const RetailBase::SortedTexts& RetailBase::sorted_texts() const {
  std::call_once(sorted_once_, [this] {
    for (const std::size_t place : places_by_id(
             database_.orders,
             [](const Order& order) -> const std::string& { return order.head->order_id; })) {
      sorted_.orders.push_back(
          sorted_entity(place, database_.orders[place].head->order_id, order_texts_[place]));
    }
    for (const std::size_t place : places_by_id(
             database_.users,
             [](const User& user) -> const std::string& { return user.profile->user_id; })) {
      sorted_.users.push_back(
          sorted_entity(place, database_.users[place].profile->user_id, user_texts_[place]));
    }
    std::string products = "{";
    for (std::size_t p = 0; p < database_.products.size(); ++p) {
      if (p > 0) products += ", ";
      append_json_string(products, database_.products[p].product_id);
      products += ": ";
      products += product_texts_[p];
    }
    products += '}';
    sorted_.products = with_sorted_keys(products);
    Sha256 hash;
    join_sorted(
        sorted_, [&hash](std::string_view piece) { hash.update(piece); },
        [](const SortedTexts::Entity& entity) -> std::string_view { return entity.json; },
        [](const SortedTexts::Entity& entity) -> std::string_view { return entity.json; });
    sorted_.hash = hash.hex_digest();
  });
  return sorted_;
}

}  // namespace unmask::world::retail
