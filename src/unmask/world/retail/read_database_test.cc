#include "unmask/world/retail/read_database.h"

#include <cstddef>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "unmask/base/error.h"
#include "unmask/world/retail/retail_data.h"
#include "unmask/world/retail/retail_fixtures.h"

namespace unmask::world::retail {
namespace {

TEST(ReadDatabase, ReadsWhatIsWritten) {
  Database database = sample_database();
  Order& order = database.orders[2];
  order.status = OrderStatus::return_requested;
  order.return_items = {"mug_red"};
  order.return_payment_method_id = "paypal_ada";
  order.exchange_price_difference = -0.5;
  order.fulfillments = std::vector<Fulfillment>{{{"T1"}, {"mug_red", "lamp_on"}}};
  const Result<Database> read = read_database(to_json(database), "db.json");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(*read, database);
}

TEST(ReadDatabase, TakesIntegerPricesAndUnknownMembersBelowTheTop) {
  const Result<Database> read = read_database(
      R"({"products": {"p": {"name": "P", "product_id": "p", "colour": 1, "variants":
          {"v": {"item_id": "v", "options": {}, "available": false, "price": 46}}}},
          "users": {}, "orders": {}})",
      "db.json");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(json_of(read->products.at(0).variants.at(0)),
            R"({"item_id": "v", "options": {}, "available": false, "price": 46.0})");
}

/// The sample's text with one replacement.
std::string sample_with(std::string_view part, std::string_view replacement) {
  std::string text = to_json(sample_database());
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), replacement);
}

TEST(ReadDatabase, FaultsNameFileAndPlace) {
  const struct {
    std::string_view part;
    std::string_view replacement;
    std::string_view message;
  } cases[] = {
      {"\"products\"", "\"goods\"", "db.json: goods: only products, users and orders belong here"},
      {"\"price\": 12.35", "\"price\": \"12\"",
       "db.json: products.mug.variants.mug_blue.price: a number is due here"},
      {"\"price\": 12.35", "\"price\": true",
       "db.json: products.mug.variants.mug_blue.price: a number is due here"},
      {"\"price\": 12.35", "\"cost\": 12.35",
       "db.json: products.mug.variants.mug_blue.price: a number is due here"},
      {"\"available\": true", "\"available\": 1",
       "db.json: products.mug.variants.mug_red.available: true or false is due here"},
      {"\"item_id\": \"mug_blue\"", "\"item_id\": \"mug_green\"",
       "db.json: products.mug.variants.mug_blue.item_id: `mug_green` stands under the key "
       "`mug_blue`"},
      {"\"color\": \"red\"", "\"color\": null",
       "db.json: products.mug.variants.mug_red.options.color: a text is due here"},
      {"\"zip\": \"00001\"", "\"zip\": 1", "db.json: users.ada.address.zip: a text is due here"},
      {"\"source\": \"paypal\"", "\"source\": \"cash\"",
       "db.json: users.ada.payment_methods.paypal_ada.source: `credit_card`, `gift_card` or "
       "`paypal` is due here"},
      {"\"orders\": [\"#P\"", "\"orders\": [7", "db.json: users.ada.orders[0]: a text is due here"},
      {"\"status\": \"pending\"", "\"status\": \"lost\"",
       "db.json: orders.#P.status: a status of an order is due here"},
      {"\"transaction_type\": \"payment\"", "\"transaction_type\": \"gift\"",
       "db.json: orders.#P.payment_history[0].transaction_type: `payment` or `refund` is due "
       "here"},
      {"\"fulfillments\": []", "\"fulfillments\": [[]]",
       "db.json: orders.#P.fulfillments[0]: an object is due here"},
      {"\"items\": [{", "\"items\": [1, {", "db.json: orders.#P.items[0]: an object is due here"},
      {"{\"products\"", "[\"products\"", "db.json: line 1, column 12: `,` or `]` is due here"},
  };
  for (const auto& example : cases) {
    const Result<Database> read =
        read_database(sample_with(example.part, example.replacement), "db.json");
    ASSERT_FALSE(read.has_value()) << example.message;
    EXPECT_EQ(read.error().message, example.message);
    EXPECT_EQ(read.error().code, ErrorCode::bad_input);
  }
  EXPECT_EQ(read_database("[]", "db.json").error().message, "db.json: an object is due here");
}

}  // namespace
}  // namespace unmask::world::retail
