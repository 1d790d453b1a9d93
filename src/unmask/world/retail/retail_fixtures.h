#pragma once

#include <string>
#include <utility>
#include <vector>

#include "unmask/world/retail/retail_data.h"

namespace unmask::world::retail {

/// A user of the tests with a credit card, a gift card of 20 dollars and a paypal account.
inline User sample_user(const std::string& id, const std::string& first_name,
                        const std::string& last_name, const std::string& zip,
                        std::vector<std::string> order_ids) {
  User user;
  user.profile = Profile{id, first_name, last_name, first_name + "@example.org"};
  user.address = Address{"1 Test Lane", "", "Sampleton", "USA", "ZZ", zip};
  user.payment_methods = std::vector<PaymentMethod>{
      {PaymentSource::credit_card, "card_" + id, "visa", "0000", 0},
      {PaymentSource::gift_card, "gift_" + id, "", "", 20},
      {PaymentSource::paypal, "paypal_" + id, "", "", 0},
  };
  user.order_ids = std::move(order_ids);
  return user;
}

/// Two mugs at 10.10 and a lamp at 30.25 dollars, paid by card.
inline Order sample_order(const std::string& id, const std::string& user_id, OrderStatus status) {
  Order order;
  order.head = OrderHead{id, user_id};
  order.address = Address{"1 Test Lane", "", "Sampleton", "USA", "ZZ", "00001"};
  order.items = std::vector<OrderItem>{
      {"Mug", "mug", "mug_red", 10.1, {{"color", "red"}, {"size", "M"}}},
      {"Lamp", "lamp", "lamp_on", 30.25, {{"light", "on"}}},
      {"Mug", "mug", "mug_red", 10.1, {{"color", "red"}, {"size", "M"}}},
  };
  order.status = status;
  order.payment_history = std::vector<Payment>{{false, 50.45, "card_" + user_id}};
  return order;
}

/// Two products, three users and an order in each state that tools tell apart.
inline Database sample_database() {
  Database database;
  database.products = {
      {"Mug",
       "mug",
       {{"mug_red", {{"color", "red"}, {"size", "M"}}, true, 10.1},
        {"mug_blue", {{"size", "M"}, {"color", "blue"}}, true, 12.35},
        {"mug_gone", {{"color", "grey"}}, false, 1},
        {"mug_gold", {{"color", "gold"}}, true, 99}}},
      {"Lamp",
       "lamp",
       {{"lamp_on", {{"light", "on"}}, true, 30.25}, {"lamp_off", {{"light", "off"}}, true, 25}}},
  };
  database.users = {
      sample_user("ada", "Ada", "Probe", "00001", {"#P", "#M", "#D", "#C", "#S"}),
      sample_user("bob", "Bob", "Probe", "00002", {"#B"}),
      sample_user("ada2", "ADA", "Probe", "00003", {}),
  };
  database.orders = {
      sample_order("#P", "ada", OrderStatus::pending),
      sample_order("#M", "ada", OrderStatus::pending_item_modified),
      sample_order("#D", "ada", OrderStatus::delivered),
      sample_order("#C", "ada", OrderStatus::cancelled),
      sample_order("#S", "ada", OrderStatus::processed),
      sample_order("#B", "bob", OrderStatus::pending),
  };
  return database;
}

}  // namespace unmask::world::retail
