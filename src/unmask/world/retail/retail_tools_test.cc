#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/base/sha256.h"
#include "unmask/episode/channel.h"
#include "unmask/world/environment.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"
#include "unmask/world/retail/retail_data.h"
#include "unmask/world/retail/retail_environment.h"
#include "unmask/world/retail/retail_fixtures.h"
#include "unmask/world/retail/retail_world.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"

namespace unmask::world::retail {
namespace {

using ::testing::HasSubstr;

/// `channel:kind`, or nothing.
std::string cause_of(const CallResult& answer) {
  if (!answer.cause) return "";
  return std::string(name_of(answer.cause->channel)) + ":" + std::string(answer.cause->kind);
}

/// A fresh environment of the sample world.
class RetailTools : public ::testing::Test {
 protected:
  CallResult call(std::string_view name, std::string_view arguments) {
    const Value parsed = parse_json(arguments).value();
    return environment_->call({"", std::string(name), *parsed.object(), Party::agent});
  }
  /// A member of a successful call's result, as JSON.
  std::string result(std::string_view name, std::string_view arguments, std::string_view member) {
    const CallResult answer = call(name, arguments);
    EXPECT_FALSE(answer.error) << answer.content;
    const Value value = parse_json(answer.content).value_or(Value());
    const Value* found = value.find(member);
    return found == nullptr ? answer.content : dump_json(*found);
  }
  /// The gift card's balance of a user.
  std::string balance(const std::string& user) {
    const CallResult answer = call("get_user_details", "{\"user_id\": \"" + user + "\"}");
    const Value value = parse_json(answer.content).value();
    return dump_json(*value.find("payment_methods")->find("gift_" + user)->find("balance"));
  }

  RetailWorld world_{sample_database(), "Be kind.", retail_toolkit(), {}, {}};
  std::unique_ptr<Environment> environment_ = std::move(*world_.make_environment());
};

TEST_F(RetailTools, ReadsAnswerWithTheEntity) {
  EXPECT_EQ(call("get_item_details", R"({"item_id": "mug_blue"})").content,
            R"({"item_id": "mug_blue", "options": {"size": "M", "color": "blue"}, )"
            R"("available": true, "price": 12.35})");
  EXPECT_EQ(call("list_all_product_types", "{}").content, R"({"Lamp": "lamp", "Mug": "mug"})");
  EXPECT_EQ(call("find_user_id_by_email", R"({"email": "BOB@Example.ORG"})").content, "bob");
  EXPECT_EQ(call("find_user_id_by_name_zip",
                 R"({"first_name": "aDA", "last_name": "PROBE", "zip": "00003"})")
                .content,
            "ada2");
  EXPECT_EQ(result("get_order_details", R"({"order_id": "#P"})", "cancel_reason"), "null");
  EXPECT_EQ(result("get_product_details", R"({"product_id": "lamp"})", "name"), "\"Lamp\"");
  EXPECT_EQ(call("transfer_to_human_agents", R"({"summary": [1]})").content, "Transfer successful");
  EXPECT_EQ(call("calculate", R"({"expression": "2 * 3 + 4"})").content, "10.0");
}

TEST_F(RetailTools, ErrorsHaveTheOriginalsTextsAndChangeNothing) {
  const std::string pristine = environment_->agent_hash();
  const struct {
    std::string_view tool;
    std::string_view arguments;
    std::string_view text;
    std::string_view cause = "";
  } cases[] = {
      {"get_order_details", R"({"order_id": "P"})", "Order not found", "entity:order"},
      {"get_order_details", R"({"order_id": 5})", "Order not found", "entity:order"},
      {"get_order_details", R"({"order_id": ["#P"]})", "unhashable type: 'list'"},
      {"get_user_details", R"({"user_id": {}})", "unhashable type: 'dict'"},
      {"get_user_details", R"({"user_id": null})", "User not found", "entity:user"},
      {"get_product_details", R"({"product_id": "mug_red"})", "Product not found",
       "entity:product"},
      {"get_item_details", R"({"item_id": "mug"})", "Item not found", "entity:item"},
      {"get_item_details", R"({"item_id": []})", "unhashable type: 'list'"},
      {"find_user_id_by_email", R"({"email": 1})", "'int' object has no attribute 'lower'"},
      {"find_user_id_by_email", R"({"email": "x"})", "User not found", "entity:user"},
      {"find_user_id_by_name_zip", R"({"first_name": null, "last_name": "", "zip": ""})",
       "'NoneType' object has no attribute 'lower'"},
      {"find_user_id_by_name_zip", R"({"first_name": "Ada", "last_name": 1, "zip": ""})",
       "'int' object has no attribute 'lower'"},
      {"find_user_id_by_name_zip", R"({"first_name": "Eve", "last_name": 1, "zip": ""})",
       "User not found", "entity:user"},
      {"find_user_id_by_name_zip", R"({"first_name": "Ada", "last_name": "Probe", "zip": 1})",
       "User not found", "entity:user"},
      {"cancel_pending_order", R"({"order_id": "#M", "reason": "no longer needed"})",
       "Non-pending order cannot be cancelled", "precondition:order_status"},
      {"cancel_pending_order", R"({"order_id": "#P", "reason": "No longer needed"})",
       "Invalid reason", "arguments:bad_enum"},
      {"cancel_pending_order", R"({"order_id": "#P", "reason": []})", "unhashable type: 'list'"},
      {"exchange_delivered_order_items",
       R"({"order_id": "#P", "item_ids": [], "new_item_ids": [], "payment_method_id": ""})",
       "Non-delivered order cannot be exchanged", "precondition:order_status"},
      {"exchange_delivered_order_items",
       R"({"order_id": "#D", "item_ids": ["mug_red", "mug_red", "mug_red"], "new_item_ids": [],
           "payment_method_id": ""})",
       "Number of mug_red not found.", "precondition:item_count"},
      {"exchange_delivered_order_items",
       R"({"order_id": "#D", "item_ids": [["mug_red"]], "new_item_ids": [],
           "payment_method_id": ""})",
       "Number of ['mug_red'] not found.", "entity:item"},
      {"exchange_delivered_order_items",
       R"({"order_id": "#D", "item_ids": [NaN], "new_item_ids": [], "payment_method_id": ""})",
       "Number of nan not found.", "entity:item"},
      {"exchange_delivered_order_items",
       R"({"order_id": "#D", "item_ids": "mug", "new_item_ids": [], "payment_method_id": ""})",
       "Number of m not found.", "entity:item"},
      {"exchange_delivered_order_items",
       R"({"order_id": "#D", "item_ids": 3, "new_item_ids": [], "payment_method_id": ""})",
       "'int' object is not iterable"},
      {"exchange_delivered_order_items",
       R"({"order_id": "#D", "item_ids": {"mug_red": 1}, "new_item_ids": [],
           "payment_method_id": ""})",
       "'dict' object has no attribute 'count'"},
      {"exchange_delivered_order_items",
       R"({"order_id": "#D", "item_ids": ["mug_red"], "new_item_ids": true,
           "payment_method_id": ""})",
       "object of type 'bool' has no len()"},
      {"exchange_delivered_order_items",
       R"({"order_id": "#D", "item_ids": ["mug_red"], "new_item_ids": [],
           "payment_method_id": ""})",
       "The number of items to be exchanged should match.", "precondition:item_pairs"},
      {"exchange_delivered_order_items",
       R"({"order_id": "#D", "item_ids": ["mug_red"], "new_item_ids": ["lamp_on"],
           "payment_method_id": ""})",
       "Variant not found", "entity:variant"},
      {"exchange_delivered_order_items",
       R"({"order_id": "#D", "item_ids": ["mug_red"], "new_item_ids": [{}],
           "payment_method_id": ""})",
       "unhashable type: 'dict'"},
      {"exchange_delivered_order_items",
       R"({"order_id": "#D", "item_ids": ["mug_red"], "new_item_ids": ["mug_gone"],
           "payment_method_id": ""})",
       "New item mug_gone not found or available", "precondition:availability"},
      {"exchange_delivered_order_items",
       R"({"order_id": "#D", "item_ids": ["mug_red"], "new_item_ids": ["mug_blue"],
           "payment_method_id": "gift_bob"})",
       "Payment method not found", "entity:payment_method"},
      {"exchange_delivered_order_items",
       R"({"order_id": "#D", "item_ids": ["mug_red"], "new_item_ids": ["mug_gold"],
           "payment_method_id": "gift_ada"})",
       "Insufficient gift card balance to pay for the price difference",
       "precondition:gift_card_balance"},
      {"modify_pending_order_items",
       R"({"order_id": "#M", "item_ids": [], "new_item_ids": [], "payment_method_id": ""})",
       "Non-pending order cannot be modified", "precondition:order_status"},
      {"modify_pending_order_items",
       R"({"order_id": "#P", "item_ids": ["x"], "new_item_ids": [], "payment_method_id": ""})",
       "x not found", "entity:item"},
      {"modify_pending_order_items",
       R"({"order_id": "#P", "item_ids": [], "new_item_ids": ["x"], "payment_method_id": ""})",
       "The number of items to be exchanged should match", "precondition:item_pairs"},
      {"modify_pending_order_items",
       R"({"order_id": "#P", "item_ids": ["mug_red"], "new_item_ids": ["mug_red"],
           "payment_method_id": ""})",
       "The new item id should be different from the old item id", "precondition:item_pairs"},
      {"modify_pending_order_items",
       R"({"order_id": "#P", "item_ids": ["mug_red"], "new_item_ids": ["mug_gold"],
           "payment_method_id": "gift_ada"})",
       "Insufficient gift card balance to pay for the new item", "precondition:gift_card_balance"},
      {"modify_pending_order_payment", R"({"order_id": "#D", "payment_method_id": "gift_ada"})",
       "Non-pending order cannot be modified", "precondition:order_status"},
      {"modify_pending_order_payment", R"({"order_id": "#P", "payment_method_id": "card_ada"})",
       "The new payment method should be different from the current one", "precondition:payment"},
      {"modify_pending_order_payment", R"({"order_id": "#P", "payment_method_id": "gift_ada"})",
       "Insufficient gift card balance to pay for the order", "precondition:gift_card_balance"},
      {"return_delivered_order_items",
       R"({"order_id": "#P", "item_ids": [], "payment_method_id": "card_ada"})",
       "Non-delivered order cannot be returned", "precondition:order_status"},
      {"return_delivered_order_items",
       R"({"order_id": "#D", "item_ids": 1, "payment_method_id": "paypal_ada"})",
       "Payment method should be the original payment method", "precondition:payment"},
      {"return_delivered_order_items",
       R"({"order_id": "#D", "item_ids": ["x"], "payment_method_id": "card_ada"})",
       "Some item not found", "entity:item"},
      {"modify_user_address",
       R"({"user_id": "ada", "address1": "", "address2": 5, "city": "", "state": true,
           "country": null, "zip": ""})",
       "3 validation errors for UserAddress\naddress2\n  Input should be a valid string "
       "[type=string_type, input_value=5, input_type=int]\n    For further information visit "
       "https://errors.pydantic.dev/2.12/v/string_type\ncountry\n  Input should be a valid string "
       "[type=string_type, input_value=None, input_type=NoneType]\n    For further information "
       "visit https://errors.pydantic.dev/2.12/v/string_type\nstate\n  Input should be a valid "
       "string [type=string_type, input_value=True, input_type=bool]\n    For further information "
       "visit https://errors.pydantic.dev/2.12/v/string_type"},
      {"_get_order", R"({"order_id": "#P"})", "Tool '_get_order' not found.", "tool_name:"},
  };
  for (const auto& example : cases) {
    const CallResult answer = call(example.tool, example.arguments);
    const std::string place = std::string(example.tool) + " " + std::string(example.arguments);
    EXPECT_EQ(answer.content, "Error: " + std::string(example.text)) << place;
    EXPECT_TRUE(answer.error) << place;
    EXPECT_EQ(cause_of(answer), example.cause) << place;
  }
  EXPECT_EQ(environment_->agent_hash(), pristine);
}

TEST_F(RetailTools, CancellingRefundsEveryEntryEvenRefunds) {
  (void)call("modify_pending_order_items",
             R"({"order_id": "#B", "item_ids": ["lamp_on"], "new_item_ids": ["lamp_off"],
                 "payment_method_id": "gift_bob"})");
  EXPECT_EQ(balance("bob"), "25.25");
  EXPECT_EQ(
      call("cancel_pending_order", R"({"order_id": "#B", "reason": "no longer needed"})").content,
      "Error: Non-pending order cannot be cancelled");
  (void)call("modify_pending_order_payment",
             R"({"order_id": "#P", "payment_method_id": "paypal_ada"})");
  EXPECT_EQ(
      result("cancel_pending_order", R"({"order_id": "#P", "reason": "ordered by mistake"})",
             "payment_history"),
      R"([{"transaction_type": "payment", "amount": 50.45, "payment_method_id": "card_ada"}, )"
      R"({"transaction_type": "payment", "amount": 50.45, "payment_method_id": "paypal_ada"}, )"
      R"({"transaction_type": "refund", "amount": 50.45, "payment_method_id": "card_ada"}, )"
      R"({"transaction_type": "refund", "amount": 50.45, "payment_method_id": "card_ada"}, )"
      R"({"transaction_type": "refund", "amount": 50.45, "payment_method_id": "paypal_ada"}, )"
      R"({"transaction_type": "refund", "amount": 50.45, "payment_method_id": "card_ada"}])");
}

TEST_F(RetailTools, ExchangesKeepIntegerZeroOnlyWithoutItems) {
  const std::unique_ptr<Environment> other = environment_->clone();
  EXPECT_EQ(result("exchange_delivered_order_items",
                   R"({"order_id": "#D", "item_ids": ["mug_red", "lamp_on"],
                       "new_item_ids": ["mug_blue", "lamp_off"], "payment_method_id": "gift_ada"})",
                   "exchange_price_difference"),
            "-3.0");
  environment_ = other->clone();
  EXPECT_EQ(result("exchange_delivered_order_items",
                   R"({"order_id": "#D", "item_ids": ["mug_red"], "new_item_ids": ["mug_red"],
                       "payment_method_id": "card_ada"})",
                   "exchange_price_difference"),
            "0.0");
  environment_ = other->clone();
  EXPECT_EQ(result("exchange_delivered_order_items",
                   R"({"order_id": "#D", "item_ids": "", "new_item_ids": {},
                       "payment_method_id": "card_ada"})",
                   "exchange_price_difference"),
            "0");
  EXPECT_EQ(result("get_order_details", R"({"order_id": "#D"})", "exchange_items"), "[]");
}

TEST_F(RetailTools, ModifiedItemsAllEndWithTheLastVariant) {
  EXPECT_EQ(
      result("modify_pending_order_items",
             R"({"order_id": "#P", "item_ids": ["mug_red", "mug_red", "lamp_on"],
                 "new_item_ids": ["mug_gold", "mug_blue", "lamp_off"],
                 "payment_method_id": "card_ada"})",
             "items"),
      R"([{"name": "Mug", "product_id": "mug", "item_id": "mug_gold", "price": 25.0, )"
      R"("options": {"light": "off"}}, {"name": "Lamp", "product_id": "lamp", "item_id": )"
      R"("lamp_off", "price": 25.0, "options": {"light": "off"}}, {"name": "Mug", "product_id": )"
      R"("mug", "item_id": "mug_blue", "price": 25.0, "options": {"light": "off"}}])");
  EXPECT_THAT(call("get_order_details", R"({"order_id": "#P"})").content,
              HasSubstr("pending (item modified)"));
}

TEST_F(RetailTools, GiftCardsPayAndAreRoundedToCents) {
  EXPECT_THAT(result("modify_pending_order_items",
                     R"({"order_id": "#P", "item_ids": ["mug_red"], "new_item_ids": ["mug_blue"],
                         "payment_method_id": "gift_ada"})",
                     "payment_history"),
              HasSubstr(R"({"transaction_type": "payment", "amount": 2.25, )"));
  EXPECT_EQ(balance("ada"), "17.75");
}

TEST_F(RetailTools, AddressesChangeWhereTheyAreAskedTo) {
  EXPECT_EQ(result("modify_user_address",
                   R"({"user_id": "bob", "address1": "2 New Road", "address2": "\u00e9",
                       "city": "C", "state": "S", "country": "K", "zip": "Z"})",
                   "address"),
            R"({"address1": "2 New Road", "address2": "\u00e9", "city": "C", "country": "K", )"
            R"("state": "S", "zip": "Z"})");
  EXPECT_EQ(
      call("find_user_id_by_name_zip", R"({"first_name": "Bob", "last_name": "Probe", "zip": "Z"})")
          .content,
      "bob");
  EXPECT_THAT(result("modify_pending_order_address",
                     R"({"order_id": "#M", "address1": "", "address2": "", "city": "", "state": "",
                         "country": "", "zip": ""})",
                     "address"),
              HasSubstr(R"("address1": "")"));
}

TEST_F(RetailTools, ReturnsGoToTheOriginalMethodOrAGiftCard) {
  EXPECT_EQ(result("return_delivered_order_items",
                   R"({"order_id": "#D", "item_ids": ["mug_red", "lamp_on"],
                       "payment_method_id": "gift_ada"})",
                   "return_items"),
            R"(["lamp_on", "mug_red"])");
  EXPECT_EQ(balance("ada"), "20.0");
}

TEST_F(RetailTools, HashIsThatOfTheDatabaseWithSortedKeys) {
  EXPECT_EQ(environment_->agent_hash(),
            sha256_hex(dump_sorted_json(parse_json(to_json(sample_database())).value())));
  (void)call("return_delivered_order_items",
             R"({"order_id": "#D", "item_ids": ["mug_red"], "payment_method_id": "card_ada"})");
  Database changed = sample_database();
  changed.orders[2].status = OrderStatus::return_requested;
  changed.orders[2].return_items = {"mug_red"};
  changed.orders[2].return_payment_method_id = "card_ada";
  EXPECT_EQ(environment_->agent_hash(),
            sha256_hex(dump_sorted_json(parse_json(to_json(changed)).value())));
}

TEST_F(RetailTools, SameStateIsThatOfEqualHashes) {
  const std::unique_ptr<Environment> other = environment_->clone();
  const std::string_view address =
      R"({"user_id": "bob", "address1": "1 Test Lane", "address2": "", "city": "Sampleton",
          "state": "ZZ", "country": "USA", "zip": "00002"})";
  // Written anew, but with the values that it had.
  (void)call("modify_user_address", address);
  EXPECT_TRUE(environment_->has_same_state(*other));
  EXPECT_EQ(environment_->agent_hash(), other->agent_hash());
  (void)call("cancel_pending_order", R"({"order_id": "#P", "reason": "no longer needed"})");
  EXPECT_FALSE(environment_->has_same_state(*other));
  EXPECT_FALSE(other->has_same_state(*environment_));
}

TEST(RetailWorld, OrderOfOptionsDoesNotMatterToTheState) {
  Database database = sample_database();
  database.orders[0].items = std::vector<OrderItem>{
      {"Mug", "mug", "mug_blue", 12.35, {{"color", "blue"}, {"size", "M"}}},
      {"Mug", "mug", "mug_red", 10.1, {{"color", "red"}, {"size", "M"}}},
      {"Lamp", "lamp", "lamp_on", 30.25, {{"light", "on"}}},
      {"Lamp", "lamp", "lamp_off", 25, {{"light", "off"}}},
  };
  const RetailWorld world{database, "", retail_toolkit(), {}, {}};
  // Both swap an item to and fro. The mug's options then stand in the catalogue's order.
  const auto swapped = [&world](const char* first, const char* second) {
    std::unique_ptr<Environment> environment = std::move(*world.make_environment());
    EXPECT_FALSE(environment
                     ->call({"",
                             "modify_pending_order_items",
                             {{"order_id", "#P"},
                              {"item_ids", List{first, second}},
                              {"new_item_ids", List{second, first}},
                              {"payment_method_id", "card_ada"}},
                             Party::agent})
                     .error);
    return environment;
  };
  const std::unique_ptr<Environment> mugs = swapped("mug_blue", "mug_red");
  const std::unique_ptr<Environment> lamps = swapped("lamp_on", "lamp_off");
  const ToolCall look{"", "get_order_details", {{"order_id", "#P"}}, Party::agent};
  EXPECT_NE(mugs->call(look).content, lamps->call(look).content);
  EXPECT_EQ(mugs->agent_hash(), lamps->agent_hash());
  EXPECT_TRUE(mugs->has_same_state(*lamps));
}

TEST_F(RetailTools, ClonesShareNothingThatChanges) {
  (void)call("cancel_pending_order", R"({"order_id": "#P", "reason": "no longer needed"})");
  const std::unique_ptr<Environment> copy = environment_->clone();
  EXPECT_EQ(copy->agent_hash(), environment_->agent_hash());
  (void)call("cancel_pending_order", R"({"order_id": "#B", "reason": "no longer needed"})");
  EXPECT_NE(copy->agent_hash(), environment_->agent_hash());
}

TEST(RetailWorld, HasNoSoloModeAndNoUserTools) {
  const RetailWorld world{sample_database(), "Be kind.", retail_toolkit(), {}, {}};
  EXPECT_EQ(world.make_environment(true).error().text, "Retail domain does not support solo mode");
  EXPECT_FALSE(world.setup().user.has_value());
  EXPECT_EQ(world.setup().agent.tools.size(), 16U);
  EXPECT_EQ(dump_json(world.setup().agent.find_tool("list_all_product_types")->schema),
            R"({"properties": {}, "title": "parameters", "type": "object"})");
}

TEST(RetailWorld, AnEmptyDatabaseAnswers) {
  const RetailWorld world{Database{}, "", retail_toolkit(), {}, {}};
  const std::unique_ptr<Environment> environment = std::move(*world.make_environment());
  EXPECT_EQ(environment->agent_hash(),
            sha256_hex(R"({"orders": {}, "products": {}, "users": {}})"));
  const ToolCall call{"", "find_user_id_by_email", {{"email", 1}}, Party::agent};
  EXPECT_EQ(environment->call(call).content, "Error: User not found");
  const ToolCall item{"", "get_item_details", {{"item_id", List{}}}, Party::agent};
  EXPECT_EQ(environment->call(item).content, "Error: Item not found");
}

}  // namespace
}  // namespace unmask::world::retail
