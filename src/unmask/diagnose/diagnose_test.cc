#include "unmask/diagnose/diagnose.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/base/check.h"
#include "unmask/diagnose/known_domains.h"
#include "unmask/diagnose/rule_set.h"
#include "unmask/diagnose/tool_catalog.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"

namespace unmask {
namespace {

ToolCall failed_call(const char* name, const char* arguments, const char* text,
                     Party party = Party::agent) {
  return {.name = name,
          .arguments = arguments,
          .party = party,
          .answered = true,
          .failed = true,
          .result = text};
}

std::string summary(const CallDiagnosis& diagnosis) {
  std::string text(name_of(diagnosis.channel));
  if (!diagnosis.kind.empty()) text += ":" + diagnosis.kind;
  return text + " " + std::string(name_of(diagnosis.evidence));
}

/// Evidence as for a log of a known domain (its inventory assumed), or of a world nobody knows.
struct World {
  explicit World(const char* name) : domain(known_domain(name)) {
    if (domain != nullptr) {
      catalog = ToolCatalog(domain->inventory, InventoryOrigin::assumed);
      evidence.tools = &catalog;
      sets.push_back(&domain->rules);
    }
    sets.push_back(&general_rules());
    others = tools_of_other_domains(name);
    evidence.other_domain_tools = others;
    evidence.rules = sets;
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  [[nodiscard]] CallDiagnosis of(const ToolCall& call) const {
    Episode episode;
    episode.calls.push_back(call);
    return diagnose(episode, evidence)[0];
  }

  const KnownDomain* domain;
  ToolCatalog catalog;
  std::vector<const RuleSet*> sets;
  std::vector<std::string> others;
  Evidence evidence;
};

struct TextCase {
  const char* world;
  const char* tool;
  const char* arguments;
  const char* text;
  const char* expected;
};

void check_all(std::span<const TextCase> cases) {
  for (const TextCase& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(summary(World(c.world).of(failed_call(c.tool, c.arguments, c.text))), c.expected)
        << c.tool << " " << c.arguments << "\n"
        << c.text;
  }
}

constexpr const char* kExchange =
    R"({"order_id":"#W1","item_ids":["1"],"new_item_ids":["2"],"payment_method_id":"p1"})";
constexpr const char* kExchangeTexts =
    R"({"order_id":"#W1","item_ids":"['1']","new_item_ids":["2"],"payment_method_id":"p1"})";

TEST(ErrorTexts, Retail) {
  const TextCase cases[] = {
      {"retail", "get_order_details", R"({"order_id":"#W0"})", "Error: Order not found",
       "entity:order error_text"},
      {"retail", "get_order_details", R"({"order_id":"#W0"})", "Error: order not found",
       "entity:order error_text"},
      {"retail", "get_item_details", R"({"item_id":"1"})", "Error: Item not found",
       "entity:item error_text"},
      {"retail", "exchange_delivered_order_items", kExchange, "Error: Payment method not found",
       "entity:payment_method error_text"},
      {"retail", "exchange_delivered_order_items", kExchange,
       "Error: New item 4400 not found or available", "entity:variant error_text"},
      {"retail", "exchange_delivered_order_items", kExchange, "Error: Number of 4400 not found.",
       "entity:item error_text"},
      {"retail", "exchange_delivered_order_items", kExchange, "Error: Number of  not found.",
       "entity:item error_text"},
      {"retail", "modify_pending_order_items", kExchange, "Error: 4400 not found",
       "entity:item error_text"},
      {"retail", "exchange_delivered_order_items", kExchange,
       "Error: Non-delivered order cannot be exchanged", "precondition:order_status error_text"},
      {"retail", "modify_pending_order_items", kExchange,
       "Error: The new item id should be different from the old item id",
       "precondition:item_pairs error_text"},
      {"retail", "modify_pending_order_payment", R"({"order_id":"#W1","payment_method_id":"p"})",
       "Error: Insufficient gift card balance to pay for the order",
       "precondition:gift_card_balance error_text"},
      {"retail", "cancel_pending_order", R"({"order_id":"#W1","reason":"bored"})",
       "Error: Invalid reason", "arguments:bad_enum error_text"},
      {"retail", "calculate", R"({"expression":"2 x 3"})",
       "Error: Invalid characters in expression", "arguments:bad_value error_text"},
      {"retail", "calculate", R"({"expression":"2 +"})", "Error: invalid syntax (<string>, line 1)",
       "arguments:bad_value error_text"},
      {"retail", "get_user_details", R"({"email":"a@example.org"})",
       "Error: RetailTools.get_user_details() got an unexpected keyword argument 'email'",
       "arguments:unexpected structure"},
      {"retail", "get_user_details", "{}",
       "Error: RetailTools.get_user_details() missing 1 required positional argument: "
       "'user_id'",
       "arguments:missing structure"},
      {"retail", "modify_user_address",
       R"({"user_id":"u","address1":1,"address2":"","city":"c","state":"s","country":"c","zip":"z"})",
       "Error: 1 validation error for UserAddress\naddress1\n  Input should be a valid "
       "string [type=string_type, input_value=1, input_type=int]\n    For further "
       "information visit https://errors.pydantic.dev/2.12/v/string_type",
       "arguments:wrong_type structure"},
      // A list written as text: the item check fails on its first letter.
      {"retail", "modify_pending_order_items", kExchangeTexts, "Error: [ not found",
       "arguments:wrong_type structure"},
      // The order's own argument is well-formed: its value is the cause, not the list.
      {"retail", "modify_pending_order_items", kExchangeTexts, "Error: Order not found",
       "entity:order error_text"},
      // Refused by state: the arguments had been accepted.
      {"retail", "exchange_delivered_order_items", kExchangeTexts,
       "Error: Non-delivered order cannot be exchanged", "precondition:order_status error_text"},
      // A zip code given as a number is found nowhere.
      {"retail", "find_user_id_by_name_zip",
       R"({"first_name":"Ada","last_name":"Ash","zip":12345})", "Error: User not found",
       "arguments:wrong_type structure"}};
  check_all(cases);
}

TEST(ErrorTexts, Airline) {
  const TextCase cases[] = {
      {"airline", "get_reservation_details", R"({"reservation_id":"ABC123"})",
       "Error: Reservation ABC123 not found", "entity:reservation error_text"},
      {"airline", "get_flight_status", R"({"flight_number":"X1","date":"2024-05-01"})",
       "Error: Flight X1 not found on date 2024-05-01", "entity:flight error_text"},
      {"airline", "get_flight_status", R"({"flight_number":"X1","date":"2024-05-01"})",
       "Error: flight X1 not available on date 2024-05-01",
       "precondition:flight_status error_text"},
      {"airline", "send_certificate", R"({"user_id":"nobody","amount":"50"})",
       "Error: User nobody not found", "entity:user error_text"},
      {"airline", "update_reservation_baggages",
       R"({"reservation_id":"R","total_baggages":2,"nonfree_baggages":1,"payment_id":"g"})",
       "Error: Gift card balance is not enough", "precondition:balance error_text"},
      {"airline", "update_reservation_passengers",
       R"({"reservation_id":"R","passengers":[{"name":"x"}]})",
       "Error: number of passengers does not match", "precondition:passengers error_text"},
      {"airline", "update_reservation_flights",
       R"({"reservation_id":"R","cabin":"economy","flights":["X1"],"payment_id":"g"})",
       "Error: string indices must be integers, not 'str'", "arguments:wrong_type structure"},
      {"airline", "update_reservation_flights",
       R"({"reservation_id":"R","cabin":"Economy","flights":[],"payment_id":"g"})",
       "Error: 'Economy'", "arguments:bad_enum structure"},
      {"airline", "book_reservation",
       R"({"user_id":"u","origin":"SFO","destination":"JFK","flight_type":"one_way","cabin":"economy",
                 "flights":[],"passengers":[],"payment_methods":[{"id":"c1","amount":5}],"total_baggages":0,
                 "nonfree_baggages":0,"insurance":"no"})",
       "Error: 1 validation error for Payment\npayment_id\n  Field required [type=missing, "
       "input_value={'id': 'c1', 'amount': 5}, input_type=dict]\n    For further "
       "information visit https://errors.pydantic.dev/2.11/v/missing",
       "arguments:missing error_text"},
      {"airline", "send_certificate", R"({"user_id":"u","amount":5})",
       "Error: Too many certificates", "precondition:limit error_text"}};
  check_all(cases);
}

TEST(ErrorTexts, Telecom) {
  const TextCase cases[] = {
      {"telecom", "get_details_by_id", R"({"id":"P9"})", "Error: Plan with ID P9 not found",
       "entity:plan error_text"},
      {"telecom", "get_details_by_id", R"({"id":"9"})", "Error: Unknown ID format or type: 9",
       "arguments:bad_value error_text"},
      {"telecom", "resume_line", R"({"customer_id":"C1","line_id":"L1"})",
       "Error: Line L1 not found for customer C1", "entity:line error_text"},
      {"telecom", "resume_line", R"({"customer_id":"C1","line_id":"L1"})",
       "Error: Line must be suspended to resume", "precondition:line_status error_text"},
      {"telecom", "send_payment_request", R"({"customer_id":"C1","bill_id":"B1"})",
       "Error: A bill is already awaiting payment for this customer",
       "precondition:bill_status error_text"},
      {"telecom", "refuel_data", R"({"customer_id":"C1","line_id":"L1","gb_amount":0})",
       "Error: Refuel amount must be positive", "arguments:bad_value error_text"},
      {"telecom", "get_customer_by_id", R"({"customer_id":7})",
       "Error: Customer with ID 7 not found", "arguments:wrong_type structure"},
      {"mock", "update_task_status", R"({"task_id":"t9","status":"completed"})",
       "Error: Task t9 not found", "entity:task error_text"},
      {"mock", "create_task", R"({"user_id":"u9","title":"t"})", "Error: User u9 not found",
       "entity:user error_text"}};
  check_all(cases);
}

TEST(ErrorTexts, UnknownWorld) {
  const TextCase cases[] = {
      {"", "f", "{}", "Error: Pedido P-9 no existe", "entity:order error_text"},
      {"", "f", "{}", "Error: Cliente con documento '9' no registrado en la empresa",
       "entity:customer error_text"},
      {"", "f", "{}", "Error: No se encontró el VEHÍCULO 9", "entity:vehicle error_text"},
      {"", "f", "{}", "Error: Este pedido ya fue enviado", "precondition:already_done error_text"},
      {"", "f", "{}", "Error: No se puede anular un pedido en estado: entregado",
       "precondition:state error_text"},
      {"", "f", "{}", "Error: Producto 9 sin stock", "precondition:stock error_text"},
      {"", "f", "{}", "Error: Payment method not found", "entity:payment_method error_text"},
      {"", "f", "{}", "Method not found", "tool_name:novel error_text"},
      {"", "f", "{}", "Error: Tool 'f' not found.", "tool_name:novel error_text"},
      {"", "f", "{}", "Unknown action f", "tool_name:novel error_text"},
      {"", "f", "{}", R"({"error":{"code":-32602,"message":"unknown tool \"f\""}})",
       "tool_name:novel error_text"},
      {"", "f", "{}", "Tool f not found in agent Assistant", "tool_name:novel error_text"},
      {"", "book_flight", "{}", "Error: Tool 'book_flight' not found.",
       "tool_name:novel error_text"},
      {"", "book_reservation", "{}", "Error: Tool 'book_reservation' not found.",
       "tool_name:other_domain error_text"},
      {"", "f", "{}", "Error: 'method_type'", "arguments:missing error_text"},
      {"", "f", "{}", "Error: 'NoneType' object has no attribute 'strip'",
       "arguments:wrong_type error_text"},
      {"", "f", "{}", "Error: '<' not supported between instances of 'str' and 'int'",
       "arguments:wrong_type error_text"},
      {"", "f", "{}",
       "Error: 1 validation error for Pago\nforma\n  Input should be 'a' or 'b' "
       "[type=literal_error, input_value='timed out', input_type=str]",
       "arguments:bad_enum error_text"},
      {"", "f", "{}", "'boat_id' is a required property", "arguments:missing error_text"},
      {"", "f", "{}", "7 is not of type 'string'", "arguments:wrong_type error_text"},
      {"", "f", "{}", "'x' is not one of ['a', 'b']", "arguments:bad_enum error_text"},
      {"", "f", "{}", "Invalid JSON input for tool f", "malformed:not_json error_text"},
      {"", "f", "{}", "Error: 503 Service Unavailable", "infrastructure:server_error error_text"},
      {"", "f", "{}", "Error: Request timed out.", "infrastructure:timeout error_text"},
      {"", "f", "{}", "Error: Rate limit reached for this minute",
       "infrastructure:rate_limit error_text"},
      {"", "f", "{}", "Error: [Errno 111] Connection refused",
       "infrastructure:connection error_text"},
      {"", "f", "{}", "Error: Something odd happened", "other none"},
      {"", "f", "{}", "Error: ", "other none"},
      {"", "f", "{}", "", "other none"}};
  check_all(cases);
}

TEST(Diagnose, EmptyEpisodeAndSuccessfulCalls) {
  const World world("retail");
  EXPECT_TRUE(diagnose(Episode{}, world.evidence).empty());
  ToolCall call = failed_call("no_such_tool", "[", "Error: Tool 'no_such_tool' not found.");
  call.failed = false;
  call.arguments_are_object = false;
  EXPECT_EQ(world.of(call), CallDiagnosis{});
}

TEST(Diagnose, MalformedComesFirst) {
  const World world("retail");
  ToolCall call = failed_call("no_such_tool", R"({"a": )", "Error: Tool 'no_such_tool' not found.");
  call.arguments_are_object = false;
  EXPECT_EQ(summary(world.of(call)), "malformed:not_json structure");
  call.arguments = "[1, 2]";
  EXPECT_EQ(summary(world.of(call)), "malformed:not_an_object structure");
  call.arguments = "";
  EXPECT_EQ(summary(world.of(call)), "malformed:not_json structure");
}

TEST(Diagnose, RulesOfAHigherPrecedenceWin) {
  World world("retail");
  const auto mine = parse_rules(
      "[[rule]]\nid='mine'\nchannel='precondition'\nkind='closed'\nmatch='order not found'\n", "t");
  world.sets.insert(world.sets.begin(), &*mine);
  world.evidence.rules = world.sets;
  const auto diagnosis =
      world.of(failed_call("get_order_details", R"({"order_id":"#W1"})", "Error: Order not found"));
  EXPECT_EQ(summary(diagnosis), "precondition:closed error_text");
  EXPECT_EQ(diagnosis.rule, "mine");
}

TEST(Diagnose, ReexecutionStandsBetweenStructureAndText) {
  World world("retail");
  Episode episode;
  episode.calls = {
      failed_call("get_order_details", R"({"order_id":"#W1"})", "Error: Order not found"),
      failed_call("get_order_details", "{}", "Error: Order not found"),
      failed_call("get_order_details", R"({"order_id":"#W1"})", "Error: Order not found")};
  // Stated: where it is assumed, the text of the second call proves another signature.
  world.catalog = ToolCatalog(world.domain->inventory, InventoryOrigin::stated);
  const ReexecutionOutcome outcome{Channel::precondition, "order_status"};
  const std::vector<std::optional<ReexecutionOutcome>> outcomes = {outcome, outcome, std::nullopt};
  world.evidence.reexecution = outcomes;
  const auto diagnoses = diagnose(episode, world.evidence);
  EXPECT_EQ(summary(diagnoses[0]), "precondition:order_status reexecution");
  EXPECT_EQ(summary(diagnoses[1]), "arguments:missing structure");
  EXPECT_EQ(summary(diagnoses[2]), "entity:order error_text");
  world.evidence.reexecution = std::span(outcomes).first(1);
  EXPECT_THROW((void)diagnose(episode, world.evidence), BugError);
}

TEST(Diagnose, WhatAWorldKnowsIsNotReadOutOfTheText) {
  World world("retail");
  Episode episode;
  episode.calls = {failed_call("get_order_details", R"({"order_id":"#W1"})", "Error: timed out"),
                   failed_call("get_order_details", R"({"order_id":5})", "Error: no idea"),
                   failed_call("get_order_details", R"({"order_id":5})", "Error: no idea"),
                   failed_call("get_order_details", R"({"order_id":"#W1"})", "Error: no idea")};
  const std::vector<std::optional<ReexecutionOutcome>> outcomes = {
      ReexecutionOutcome{Channel::entity, "order"},
      ReexecutionOutcome{Channel::precondition, "order_status"}, std::nullopt,
      ReexecutionOutcome{Channel::tool_name, ""}};
  world.evidence.reexecution = outcomes;
  const auto diagnoses = diagnose(episode, world.evidence);
  EXPECT_EQ(summary(diagnoses[0]), "entity:order reexecution");  // no infrastructure failed
  EXPECT_EQ(diagnoses[0].rule, "general.timeout");  // the rule that fits is still shown
  // A state that refused had accepted the number.
  EXPECT_EQ(summary(diagnoses[1]), "precondition:order_status reexecution");
  EXPECT_EQ(summary(diagnoses[2]), "arguments:wrong_type structure");
  EXPECT_EQ(diagnoses[3].evidence,
            EvidenceKind::none);  // it is offered, and the text names no tool
}

/// A dual-control world whose log states its tools.
class Harbour : public testing::Test {
 protected:
  Harbour() {
    sets_ = {&general_rules()};
    evidence_.tools = &catalog_;
    evidence_.rules = sets_;
    evidence_.policy_words = policy_;
    evidence_.other_domain_tools = other_worlds_;
  }

  CallDiagnosis of(const char* name, const char* text, Party party = Party::agent,
                   const char* arguments = "{}") {
    Episode episode;
    episode.calls.push_back(failed_call(name, arguments, text, party));
    return diagnose(episode, evidence_)[0];
  }

  ToolCatalog catalog_{
      {.agent = {{"reserve_berth",
                  R"({"required":["boat_id"],"properties":{"boat_id":{"type":"string"}}})"},
                 {"find_skipper", ""}},
       .user = {{"check_fuel_gauge", "{}"}},
       .complete = true}};
  std::vector<std::string> policy_ = {"escalate_case"};
  std::vector<std::string> other_worlds_ = {"book_reservation"};
  std::vector<const RuleSet*> sets_;
  Evidence evidence_;
};

TEST_F(Harbour, ProvenanceOfNames) {
  constexpr const char* kText = "Error: no";
  EXPECT_EQ(summary(of("check_fuel_gauge", kText)), "tool_name:wrong_owner structure");
  EXPECT_EQ(summary(of("reserve_berth", kText, Party::user)), "tool_name:wrong_owner structure");
  EXPECT_EQ(summary(of("escalate_case", kText)), "tool_name:named_in_context structure");
  EXPECT_EQ(summary(of("book_reservation", kText)), "tool_name:other_domain structure");
  EXPECT_EQ(summary(of("sink_boat", kText)), "tool_name:novel structure");
  EXPECT_EQ(summary(of("", kText)), "tool_name:novel structure");
  const CallDiagnosis cut = of("eserve_berth", kText);
  EXPECT_EQ(summary(cut), "tool_name:near_miss structure");
  EXPECT_EQ(cut.detail, "reserve_berth");
  EXPECT_EQ(of("functions.findSkipper", kText).detail, "find_skipper");
}

TEST_F(Harbour, AStatedInventoryStandsAboveTheText) {
  EXPECT_EQ(summary(of("sink_boat", "Error: Boat 9 not found")), "tool_name:novel structure");
  EXPECT_EQ(summary(of("reserve_berth", "Error: Boat undefined is unknown")),
            "arguments:missing structure");
  EXPECT_EQ(of("reserve_berth", "Error: Boat undefined is unknown").detail, "/boat_id");
}

TEST_F(Harbour, ATextThatQuotesAnOfferedNameIsBelieved) {
  EXPECT_EQ(summary(of("find_skipper", "Error: Tool 'find_skipper' not found.")),
            "tool_name:novel error_text");
  EXPECT_EQ(summary(of("find_skipper", "Error: Tool 'hammer' not found.")), "other none");
}

TEST_F(Harbour, InfrastructureIsNoModelFailure) {
  EXPECT_EQ(summary(of("reserve_berth", "Error: gateway timeout")),
            "infrastructure:timeout error_text");
  EXPECT_EQ(summary(of("sink_boat", "Error: gateway timeout")), "tool_name:novel structure");
}

TEST_F(Harbour, ContextCountsOnlyBeforeTheFirstCall) {
  Episode episode;
  episode.calls = {failed_call("sink_boat", "{}", "Error: Tool 'sink_boat' not found."),
                   failed_call("sink_boat", "{}", "Error: Tool 'sink_boat' not found.")};
  episode.calls[0].message = 4;
  episode.calls[1].message = 6;
  episode.context_words = {{5, "sink_boat"}};  // the error text of the first call
  EXPECT_EQ(summary(diagnose(episode, evidence_)[1]), "tool_name:novel structure");
  episode.context_words = {{4, "sink_boat"}};  // the calling message itself
  EXPECT_EQ(summary(diagnose(episode, evidence_)[1]), "tool_name:novel structure");
  episode.context_words = {{3, "sink_boat"}};
  EXPECT_EQ(summary(diagnose(episode, evidence_)[1]), "tool_name:named_in_context structure");
}

TEST_F(Harbour, AnIncompleteInventoryDecidesNothing) {
  catalog_ = ToolCatalog({.agent = {{"reserve_berth", ""}}});
  EXPECT_EQ(summary(of("sink_boat", "Error: Boat 9 not found")), "entity:unspecified error_text");
  EXPECT_EQ(summary(of("sink_boat", "Error: Tool 'sink_boat' not found.")),
            "tool_name:novel error_text");
  EXPECT_EQ(summary(of("reserve_bert", "Error: Tool 'reserve_bert' not found.")),
            "tool_name:near_miss error_text");
}

TEST_F(Harbour, NamesThatSucceededHelpAnIncompleteInventory) {
  catalog_ = ToolCatalog();
  Episode episode;
  episode.calls = {
      failed_call("check_fuel_gauge", "{}", "ok", Party::user),
      failed_call("find_skipper", "{}", "ok"),
      failed_call("check_fuel_gauge", "{}", "Error: Tool 'check_fuel_gauge' not found."),
      failed_call("findskipper", "{}", "Error: Tool 'findskipper' not found.")};
  episode.calls[0].failed = false;
  episode.calls[1].failed = false;
  const auto diagnoses = diagnose(episode, evidence_);
  EXPECT_EQ(summary(diagnoses[2]), "tool_name:wrong_owner error_text");
  EXPECT_EQ(summary(diagnoses[3]), "tool_name:near_miss error_text");
}

/// The log's world is another version of a known one.
TEST(AssumedInventory, TheLogProvesItWrong) {
  const World world("retail");
  // A tool that this version has and ours lacks.
  EXPECT_EQ(summary(world.of(failed_call("get_shipment", "{}", "Error: Order not found"))),
            "entity:order error_text");
  EXPECT_EQ(summary(world.of(failed_call(
                "get_shipment", R"({"x":1})",
                "Error: ShopTools.get_shipment() got an unexpected keyword argument 'x'"))),
            "arguments:unexpected error_text");
  // Not proven: the text is about the name, or comes from the harness before any tool.
  EXPECT_EQ(summary(world.of(failed_call("get_shipment", "{}", "Error: get_shipment not found"))),
            "tool_name:novel structure");
  EXPECT_EQ(summary(world.of(
                failed_call("get_shipment", R"({"self":1})",
                            "Error: Harness.call() got multiple values for argument 'self'"))),
            "tool_name:novel structure");
  EXPECT_EQ(summary(world.of(failed_call("get_shipment", "{}", "Error: went wrong"))),
            "tool_name:novel structure");
  // A tool that ours has and this version lacks.
  EXPECT_EQ(summary(world.of(failed_call("get_item_details", R"({"item_id":"1"})",
                                         "Error: Tool 'get_item_details' not found."))),
            "tool_name:novel error_text");
  // Another signature.
  EXPECT_EQ(summary(world.of(failed_call("get_user_details", R"({"email":"a@example.org"})",
                                         "Error: User not found"))),
            "entity:user error_text");
}

TEST(AssumedInventory, ASuccessfulCallProvesItWrong) {
  const World world("retail");
  Episode episode;
  episode.calls = {failed_call("get_shipment", "{}", "{}"),
                   failed_call("get_shipment", "{}", "Error: went wrong"),
                   failed_call("get_user_details", R"({"email":"b@example.org"})", "{}"),
                   failed_call("get_user_details", R"({"email":"a@example.org"})", "Error: oh no")};
  episode.calls[0].failed = false;
  episode.calls[2].failed = false;
  const auto diagnoses = diagnose(episode, world.evidence);
  EXPECT_EQ(summary(diagnoses[1]), "other none");
  EXPECT_EQ(summary(diagnoses[3]), "other none");
}

TEST(Diagnose, DetailNamesTheArgumentThatTheTextNames) {
  const World world("retail");
  // Both missing and unexpected: Python reports the unexpected one.
  const auto diagnosis = world.of(failed_call(
      "get_user_details", R"({"email":"a@example.org"})",
      "Error: RetailTools.get_user_details() got an unexpected keyword argument 'email'"));
  EXPECT_EQ(diagnosis.kind, "unexpected");
  EXPECT_EQ(diagnosis.detail, "/email");
  EXPECT_EQ(diagnosis.rule, "general.unexpected_argument");
}

TEST(Diagnose, EnormousTextsAndNames) {
  const World world("retail");
  const std::string big(1'000'000, '*');
  ToolCall call = failed_call("get_order_details", R"({"order_id":"#W1"})", "");
  call.result = big;
  EXPECT_EQ(summary(world.of(call)), "other none");
  call.name = big;
  EXPECT_EQ(summary(world.of(call)), "tool_name:novel structure");
}

TEST(Diagnose, AChannelThatTheLogStatesIsTakenOver) {
  const World world("retail");
  ToolCall call = failed_call("get_order_details", "", "");
  call.stated_channel = Channel::precondition;
  call.stated_kind = "order_status";
  EXPECT_EQ(summary(world.of(call)), "precondition:order_status stated");
  call.stated_kind.clear();
  EXPECT_EQ(summary(world.of(call)), "precondition stated");
  // It stands above the text and the structure of the call.
  ToolCall other = failed_call("no_such_tool", "not json", "Error: Order not found");
  other.arguments_are_object = false;
  other.stated_channel = Channel::infrastructure;
  EXPECT_EQ(summary(world.of(other)), "infrastructure stated");
  // A call that did not fail has no channel.
  call.failed = false;
  EXPECT_EQ(summary(world.of(call)), "other none");
}

TEST(Diagnose, AStatedToolNameWithoutAKindGetsItsProvenance) {
  const World world("retail");
  ToolCall call = failed_call("get_order_detail", "", "");
  call.stated_channel = Channel::tool_name;
  EXPECT_EQ(summary(world.of(call)), "tool_name:near_miss stated");
  EXPECT_EQ(world.of(call).detail, "get_order_details");
  call.stated_kind = "wrong_owner";
  EXPECT_EQ(summary(world.of(call)), "tool_name:wrong_owner stated");
}

TEST(Diagnose, ArgumentsThatTheLogLacksViolateNothing) {
  const World world("retail");
  EXPECT_EQ(summary(world.of(failed_call("get_order_details", "", ""))), "other none");
  EXPECT_EQ(summary(world.of(failed_call("get_order_details", "{}", ""))),
            "arguments:missing structure");
}

TEST(ContextIdentifiers, Table) {
  EXPECT_TRUE(context_identifiers("").empty());
  EXPECT_THAT(context_identifiers("Use get_boat, then `reserve-berth` (see getSkipper). Not plain "
                                  "words, A or get_boat again. -- _"),
              testing::ElementsAre("getSkipper", "get_boat", "reserve-berth"));
}

}  // namespace
}  // namespace unmask
