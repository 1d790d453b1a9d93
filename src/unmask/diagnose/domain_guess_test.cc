#include "unmask/diagnose/domain_guess.h"

#include <initializer_list>
#include <string>

#include <gtest/gtest.h>

#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"

namespace unmask {
namespace {

ToolInventory offering(std::initializer_list<const char*> names) {
  ToolInventory tools;
  for (const char* name : names) tools.agent.push_back({name, ""});
  return tools;
}

std::string guess(std::initializer_list<const char*> names) {
  DomainGuess guess;
  guess.see(offering(names));
  const KnownDomain* domain = guess.domain();
  return domain == nullptr ? "" : domain->name;
}

TEST(DomainGuess, OnlyWhatIsClear) {
  EXPECT_EQ(guess({}), "");
  EXPECT_EQ(guess({"get_order_details", "cancel_pending_order"}), "");  // too few
  EXPECT_EQ(guess({"get_order_details", "cancel_pending_order", "get_product_details"}), "retail");
  EXPECT_EQ(guess({"get_reservation_details", "cancel_reservation", "get_user_details"}),
            "airline");
  // Shared by several worlds.
  EXPECT_EQ(guess({"get_user_details", "calculate", "transfer_to_human_agents"}), "");
  // 4 of 5 are enough, 3 of 4 are not.
  EXPECT_EQ(guess({"get_order_details", "cancel_pending_order", "get_product_details",
                   "modify_user_address", "think"}),
            "retail");
  EXPECT_EQ(guess({"get_order_details", "cancel_pending_order", "get_product_details", "think"}),
            "");
}

TEST(DomainGuess, CallsCountIfTheirToolExists) {
  Episode episode;
  const auto call = [&](const char* name, bool failed, const char* result) {
    ToolCall& added = episode.calls.emplace_back();
    added.name = name;
    added.answered = true;
    added.failed = failed;
    added.result = result;
  };
  call("get_order_details", false, "{}");
  call("get_product_details", true, "Error: product not found");
  call("cancel_pending_order", true, "Unknown action cancel_pending_order");
  episode.calls.emplace_back().name = "modify_user_address";  // nothing answered
  DomainGuess guess;
  guess.see(episode);
  EXPECT_EQ(guess.domain(), nullptr);
  EXPECT_FALSE(guess.settled());
  call("cancel_pending_order", true, "Error: non-pending order cannot be cancelled");
  guess.see(episode);
  ASSERT_NE(guess.domain(), nullptr);
  EXPECT_TRUE(guess.settled());
  EXPECT_EQ(guess.evidence(), "3 of 3");
}

TEST(DomainGuess, GivesUpAfterManyForeignNames) {
  DomainGuess guess;
  guess.see(offering({"a", "b", "c", "d", "e", "f", "g"}));
  EXPECT_FALSE(guess.settled());
  guess.see(offering({"h"}));
  EXPECT_TRUE(guess.settled());
  EXPECT_EQ(guess.domain(), nullptr);
}

}  // namespace
}  // namespace unmask
