#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/sha256.h"
#include "unmask/episode/channel.h"
#include "unmask/world/environment.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/outcome.h"
#include "unmask/world/telecom/agent_database.h"
#include "unmask/world/telecom/agent_state.h"
#include "unmask/world/telecom/bill_ids.h"
#include "unmask/world/telecom/overlay_table.h"
#include "unmask/world/telecom/record.h"
#include "unmask/world/telecom/records.h"
#include "unmask/world/telecom/telecom_fixture.h"
#include "unmask/world/value.h"

namespace unmask::world::telecom {
namespace {

constexpr Party kAgent = Party::agent;

struct Call {
  std::string name;
  Object arguments;
  std::string content;
};

TEST(TelecomAgent, LookUps) {
  const std::vector<Call> calls{
      {"get_customer_by_phone",
       {{"phone_number", "999"}},
       "Error: Customer with phone number 999 not found"},
      {"get_customer_by_phone",
       {{"phone_number", 101}},
       "Error: Customer with phone number 101 not found"},
      {"get_customer_by_id", {{"customer_id", Value()}}, "Error: Customer with ID None not found"},
      {"get_customer_by_name", {{"full_name", "mira oakfield"}, {"dob", "1991-03-05"}}, "[]"},
      {"get_customer_by_name",
       {{"full_name", 5}, {"dob", ""}},
       "Error: 'int' object has no attribute 'lower'"},
      {"get_details_by_id",
       {{"id", "P1"}},
       R"({"plan_id": "P1", "name": "Small", "data_limit_gb": 4.0, "price_per_month": 20.0, )"
       R"("data_refueling_price_per_gb": 2.5})"},
      {"get_details_by_id",
       {{"id", "D1"}},
       R"({"device_id": "D1", "device_type": "phone", "model": "Pebble", "imei": null, )"
       R"("is_esim_capable": false, "activated": false, "activation_date": null, )"
       R"("last_esim_transfer_date": null})"},
      {"get_details_by_id", {{"id", "Lx"}}, "Error: Line with ID Lx not found"},
      {"get_details_by_id", {{"id", ""}}, "Error: Unknown ID format or type: "},
      {"get_details_by_id", {{"id", true}}, "Error: 'bool' object has no attribute 'startswith'"},
      {"get_data_usage",
       {{"customer_id", "C1"}, {"line_id", "L1"}},
       R"({"line_id": "L1", "data_used_gb": "3.5", "data_limit_gb": "4.0", )"
       R"("data_refueling_gb": "0.0", "cycle_end_date": "2025-02-28"})"},
      {"get_data_usage",
       {{"customer_id", "C1"}, {"line_id", "L2"}},
       "Error: Plan with ID P9 not found"},
      {"get_data_usage",
       {{"customer_id", "C2"}, {"line_id", "L1"}},
       "Error: Line L1 not found for customer C2"},
      {"enable_roaming",
       {{"customer_id", "C1"}},
       "Error: TelecomTools.enable_roaming() missing 1 required positional argument: 'line_id'"},
      {"toggle_data", {}, "Error: Tool 'toggle_data' not found."},
      {"set_data_usage", {}, "Error: Tool 'set_data_usage' not found."},
  };
  const auto environment = fixture_environment();
  const std::string before = environment->agent_hash();
  for (const Call& expected : calls) {
    EXPECT_EQ(content(*environment, kAgent, expected.name, expected.arguments), expected.content);
  }
  EXPECT_EQ(environment->agent_hash(), before);
}

TEST(TelecomAgent, ACustomerIsFoundByAnyOfItsNumbers) {
  const auto environment = fixture_environment();
  const std::string by_id =
      content(*environment, kAgent, "get_customer_by_id", {{"customer_id", "C1"}});
  for (const char* number : {"100", "101", "102"}) {
    EXPECT_EQ(content(*environment, kAgent, "get_customer_by_phone", {{"phone_number", number}}),
              by_id);
  }
  EXPECT_EQ(
      content(*environment, kAgent, "get_customer_by_name",
              {{"full_name", "BO ÜNAL"}, {"dob", "1980-12-31"}}),
      "[" + content(*environment, kAgent, "get_customer_by_id", {{"customer_id", "C2"}}) + "]");
}

TEST(TelecomAgent, BillsComeNewestFirstAndAreCutAsPythonSlices) {
  struct Case {
    Value limit;
    std::string ids;
  };
  const std::vector<Case> cases{{Value(), "B2 B1 "},
                                {Value(1), "B2 "},
                                {Value(0), ""},
                                {Value(-1), "B2 "},
                                {Value(-5), ""},
                                {Value(true), "B2 "},
                                {Value(99), "B2 B1 "},
                                {Value::integer_of("99999999999999999999"), "B2 B1 "},
                                {Value::integer_of("-99999999999999999999"), ""}};
  const auto environment = fixture_environment();
  for (const Case& expected : cases) {
    const auto bills = parse_json(content(*environment, kAgent, "get_bills_for_customer",
                                          {{"customer_id", "C1"}, {"limit", expected.limit}}));
    ASSERT_TRUE(bills.has_value());
    std::string ids;
    for (const Value& bill : *bills->list()) ids += *bill.find("bill_id")->string() + " ";
    EXPECT_EQ(ids, expected.ids) << dump_json(expected.limit);
  }
  EXPECT_EQ(content(*environment, kAgent, "get_bills_for_customer",
                    {{"customer_id", "C1"}, {"limit", 1.0}}),
            "Error: slice indices must be integers or None or have an __index__ method");
}

TEST(TelecomAgent, RefuelingBillsADraftThatItMakesOnce) {
  const auto environment = fixture_environment();
  const Object two{{"customer_id", "C1"}, {"line_id", "L1"}, {"gb_amount", 2}};
  EXPECT_EQ(content(*environment, kAgent, "refuel_data", two),
            R"({"message": "Successfully added 2 GB of data for line L1 for $5.00", )"
            R"("new_data_refueling_gb": "2.0", "charge": "5.0"})");
  EXPECT_EQ(run(*environment, kAgent, "refuel_data", two),
            R"({"message": "Successfully added 2 GB of data for line L1 for $5.00", )"
            R"("new_data_refueling_gb": 4.0, "charge": 5.0})");
  const AgentDatabase& database = environment->agent_database();
  ASSERT_EQ(database.bills.size(), 3U);
  EXPECT_EQ(database.bills[2].bill_id, "B00000001");
  EXPECT_EQ(database.bills[2].total_due, 10.0);
  EXPECT_EQ(database.bills[2].line_items.size(), 2U);
  EXPECT_EQ(database.customer_now(0).bill_ids.back(), "B00000001");
}

TEST(TelecomAgent, RefuelingRefusesWhatIsNoPositiveAmount) {
  struct Case {
    Value amount;
    std::string content;
  };
  const std::vector<Case> cases{
      {Value(0), "Error: Refuel amount must be positive"},
      {Value(-0.0), "Error: Refuel amount must be positive"},
      {Value(false), "Error: Refuel amount must be positive"},
      {Value("2"), "Error: '<=' not supported between instances of 'str' and 'int'"},
      {Value::integer_of("1" + std::string(400, '0')), "Error: int too large to convert to float"}};
  const auto environment = fixture_environment();
  const std::string before = environment->agent_hash();
  for (const Case& expected : cases) {
    EXPECT_EQ(content(*environment, kAgent, "refuel_data",
                      {{"customer_id", "C1"}, {"line_id", "L1"}, {"gb_amount", expected.amount}}),
              expected.content);
  }
  EXPECT_EQ(environment->agent_hash(), before);
}

TEST(TelecomAgent, ALineIsSuspendedAndResumed) {
  const auto environment = fixture_environment();
  const Object line{{"customer_id", "C1"}, {"line_id", "L1"}};
  Object with_reason = line;
  with_reason.set("reason", List{});
  EXPECT_EQ(content(*environment, kAgent, "resume_line", line),
            "Error: Line must be suspended to resume");
  EXPECT_FALSE(call(*environment, kAgent, "suspend_line", with_reason).error);
  EXPECT_EQ(environment->agent_database().lines[0].suspension_start_date, kToday);
  EXPECT_EQ(content(*environment, kAgent, "suspend_line", with_reason),
            "Error: Line must be active to suspend");
  EXPECT_FALSE(call(*environment, kAgent, "resume_line", line).error);
  EXPECT_EQ(environment->agent_database().lines[0].suspension_start_date, std::nullopt);
}

TEST(TelecomAgent, RefusalsHaveCauses) {
  const struct {
    std::string tool;
    Object arguments;
    std::optional<Cause> cause;
  } cases[] = {
      {"get_customer_by_phone", {{"phone_number", "999"}}, no_such("customer")},
      {"get_customer_by_id", {{"customer_id", "C9"}}, no_such("customer")},
      {"get_details_by_id", {{"id", "L9"}}, no_such("line")},
      {"get_details_by_id", {{"id", "D9"}}, no_such("device")},
      {"get_details_by_id", {{"id", "B9"}}, no_such("bill")},
      {"get_details_by_id", {{"id", "P9"}}, no_such("plan")},
      {"get_details_by_id", {{"id", "x"}}, bad_argument("bad_value")},
      {"get_details_by_id", {{"id", 5}}, {}},
      {"get_data_usage", {{"customer_id", "C9"}, {"line_id", "L1"}}, no_such("customer")},
      {"get_data_usage", {{"customer_id", "C1"}, {"line_id", "L9"}}, no_such("line")},
      {"resume_line", {{"customer_id", "C1"}, {"line_id", "L1"}}, refused_by("line_status")},
      {"send_payment_request", {{"customer_id", "C1"}, {"bill_id", "B9"}}, no_such("bill")},
      {"refuel_data",
       {{"customer_id", "C1"}, {"line_id", "L1"}, {"gb_amount", -1}},
       bad_argument("bad_value")},
      {"refuel_data", {{"customer_id", "C1"}}, bad_argument("missing")},
      {"toggle_data", {}, Cause{Channel::tool_name, {}}},
  };
  const auto environment = fixture_environment();
  for (const auto& example : cases) {
    const CallResult answer = call(*environment, kAgent, example.tool, example.arguments);
    EXPECT_TRUE(answer.error) << answer.content;
    EXPECT_EQ(answer.cause, example.cause) << answer.content;
  }
}

TEST(TelecomAgent, AssertionsAndFunctions) {
  const auto environment = fixture_environment();
  const std::vector<Call> calls{
      {"assert_overdue_bill_exists", {{"customer_id", "C1"}, {"overdue_bill_id", "B1"}}, "true"},
      {"assert_overdue_bill_exists",
       {{"customer_id", "C1"}, {"overdue_bill_id", "B2"}},
       "ValueError: Overdue bill B2 is not overdue"},
      {"assert_no_overdue_bill", {{"overdue_bill_id", "B1"}}, "false"},
      {"assert_no_overdue_bill", {{"overdue_bill_id", "Bx"}}, "true"},
      {"_set_bill_to_paid", {{"bill_id", "B1"}}, R"("Bill B1 set to paid")"},
      {"assert_no_overdue_bill", {{"overdue_bill_id", "B1"}}, "true"},
      {"set_data_usage",
       {{"customer_id", "C1"}, {"line_id", "L1"}, {"data_used_gb", 20}},
       R"("Data usage set to 20 GB for line L1")"},
      {"assert_data_refueling_amount",
       {{"customer_id", "C1"}, {"line_id", "L1"}, {"expected_amount", 1e-7}},
       "true"},
      {"suspend_line_for_overdue_bill",
       {{"customer_id", "C1"}, {"line_id", "L1"}, {"new_bill_id", 5}, {"contract_ended", 0}},
       "ValidationError: 1 validation error for Bill\nbill_id\n  Input should be a valid string "
       "[type=string_type, input_value=5, input_type=int]\n    For further information visit "
       "https://errors.pydantic.dev/2.12/v/string_type"},
      {"suspend_line_for_overdue_bill",
       {{"customer_id", "C1"}, {"line_id", "L1"}, {"new_bill_id", "B7"}, {"contract_ended", 0}},
       R"("Line L1 suspended for unpaid bill B7. Contract ended: 0")"},
      {"get_available_plan_ids", {}, R"(["P1"])"},
      {"nothing", {}, "AttributeError: 'TelecomTools' object has no attribute 'nothing'"},
  };
  for (const Call& expected : calls) {
    EXPECT_EQ(run(*environment, kAgent, expected.name, expected.arguments), expected.content);
  }
}

TEST(TelecomAgent, UpdatesReplaceListsAndAreCheckedWhole) {
  const auto environment = fixture_environment();
  EXPECT_EQ(run(*environment, kAgent, "update_db",
                {{"update_data", Object{{"lines", List{Object{{"line_id", "L1"}}}}}}})
                .substr(0, 60),
            "ValidationError: 2 validation errors for TelecomDB\nlines.0.p");
  EXPECT_EQ(environment->agent_database().lines.size(), 2U);
  EXPECT_EQ(run(*environment, kAgent, "update_db",
                {{"update_data", Object{{"lines", List{Object{{"line_id", "L1"},
                                                              {"phone_number", "777"},
                                                              {"plan_id", "P1"},
                                                              {"data_used_gb", "1_0"}}}}}}}),
            "null");
  ASSERT_EQ(environment->agent_database().lines.size(), 1U);
  EXPECT_EQ(*environment->agent_database().lines[0].data_used_gb.real(), 10.0);
  // C1 still lists L2, which is gone; C1's own number is found before that, C2's is not.
  EXPECT_FALSE(
      call(*environment, kAgent, "get_customer_by_phone", {{"phone_number", "777"}}).error);
  EXPECT_EQ(content(*environment, kAgent, "get_customer_by_phone", {{"phone_number", "200"}}),
            "Error: Line with ID L2 not found");
}

/// The hashed text is made without a tree of values; it must be what such a tree gives.
TEST(TelecomAgent, HashesAreThoseOfTheSortedDump) {
  const auto environment = environment_of_l1();
  EXPECT_EQ(environment->agent_hash(),
            sha256_hex(dump_sorted_json(value_of(environment->agent_database().rows()))));
  EXPECT_EQ(environment->user_hash(),
            sha256_hex(dump_sorted_json(value_of(environment->user_database()))));
}

TEST(TelecomAgent, BillIds) {
  BillIds counted;
  EXPECT_EQ(counted.next(), "B00000001");
  EXPECT_EQ(counted.next(), "B00000002");
  BillIds drawn(BillIdStyle::drawn, 7);
  BillIds same = drawn;
  const std::string first = drawn.next();
  EXPECT_EQ(first, same.next());
  EXPECT_EQ(first.size(), 9U);
  EXPECT_NE(first, drawn.next());
  BillIds other(BillIdStyle::drawn, 7);
  other.set_stream(1);
  EXPECT_NE(first, other.next());
}

TEST(TelecomAgent, CopiesOfATableShareOnlyWhatNobodyChanged) {
  const std::vector<Plan> rows{{.plan_id = "P1"}, {.plan_id = "P2"}, {.plan_id = "P1"}};
  const OverlayTable<Plan> table{rows};
  EXPECT_EQ(table.find("P1"), 0U);
  EXPECT_EQ(table.find("P3"), std::nullopt);
  OverlayTable<Plan> copy = table;
  copy.edit(1).name = "changed";
  copy.append({.plan_id = "P3"});
  copy.edit(3).name = "added";
  EXPECT_EQ(copy[1].name, "changed");
  EXPECT_EQ(copy[3].name, "added");
  EXPECT_EQ(copy.find("P3"), 3U);
  EXPECT_EQ(table[1].name, "");
  EXPECT_EQ(table.size(), 3U);
  EXPECT_EQ(OverlayTable<Plan>{}.size(), 0U);
}

TEST(TelecomAgent, RevisionsTellOfEditsAndOfAWatchedRow) {
  OverlayTable<Plan> table{std::vector<Plan>{{.plan_id = "P1"}, {.plan_id = "P2"}}};
  const OverlayTable<Plan> loaded = table;
  EXPECT_TRUE(table.shares_rows(loaded));
  table.watch(1);
  const std::uint64_t watched = table.watched_revision();
  const std::uint64_t revision = table.revision();
  table.edit(0).name = "edited";
  EXPECT_GT(table.revision(), revision);
  EXPECT_EQ(table.watched_revision(), watched);
  EXPECT_FALSE(table.shares_rows(loaded));
  const std::uint64_t edited = table.revision();
  table.amend(1).name = "amended";
  EXPECT_EQ(table[1].name, "amended");
  EXPECT_EQ(table.revision(), edited);
  EXPECT_EQ(table.watched_revision(), watched);
  table.edit(1).name = "edited";
  EXPECT_GT(table.watched_revision(), watched);
  EXPECT_EQ(loaded[1].name, "");
}

TEST(TelecomAgent, ACustomerListsBillsThatAreAdded) {
  AgentRows rows;
  rows.customers = {{.customer_id = "C1", .bill_ids = {"B1"}}, {.customer_id = "C2"}};
  rows.bills = {{.bill_id = "B1", .status = BillStatus::paid}};
  const AgentDatabase loaded{rows};
  AgentDatabase database = loaded;
  database.add_bill(1, {.bill_id = "B2"});
  database.add_bill(1, {.bill_id = "B1"});  // leads to the bill that is there
  EXPECT_EQ(database.bills.size(), 3U);
  EXPECT_EQ(database.customer_now(1).bill_ids, (std::vector<std::string>{"B2", "B1"}));
  EXPECT_EQ(database.customer_now(0).bill_ids, std::vector<std::string>{"B1"});
  EXPECT_EQ(database.added_bills()[1].bill, 0U);
  EXPECT_TRUE(database.lists_bill(1, "B2"));
  EXPECT_FALSE(database.lists_bill(0, "B2"));
  EXPECT_TRUE(database.has_added_bills(1));
  EXPECT_FALSE(database.has_added_bills(0));
  EXPECT_FALSE(loaded.has_added_bills(1));
  EXPECT_EQ(database.rows().customers[1].bill_ids.size(), 2U);
}

TEST(TelecomAgent, AStateWithAnAddedBillDiffersFromOneWithMoreOnIt) {
  const auto environment = fixture_environment();
  const auto refuel = [&environment](const char* line) {
    return content(*environment, kAgent, "refuel_data",
                   Object{{"customer_id", "C1"}, {"line_id", line}, {"gb_amount", 1}});
  };
  (void)refuel("L1");
  const auto other = environment->clone();
  EXPECT_TRUE(environment->has_same_state(*other));
  EXPECT_EQ(environment->agent_hash(), other->agent_hash());
  (void)refuel("L1");
  EXPECT_FALSE(environment->has_same_state(*other));
  EXPECT_NE(environment->agent_hash(), other->agent_hash());
  EXPECT_EQ(environment->agent_database().bills.size(), 3U);
}

}  // namespace
}  // namespace unmask::world::telecom
