#include "unmask/schema/tool_names.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace unmask {
namespace {

const std::vector<std::string> kOffered = {"get_user_details", "get_order_details", "list_boats",
                                           "rent", "toggle_lamp"};

struct NearCase {
  const char* called;
  const char* meant;  // empty: no match
};

TEST(NearestName, Table) {
  const NearCase cases[] = {{"get_user_details", "get_user_details"},
                            {"getUserDetails", "get_user_details"},
                            {"get-user-details", "get_user_details"},
                            {"GET_USER_DETAILS", "get_user_details"},
                            {"functions.get_user_details", "get_user_details"},
                            {"default_api:list_boats", "list_boats"},
                            {"mcp__harbour-tools__list_boats", "list_boats"},
                            {"HarbourTools.list_boats", "list_boats"},
                            {"list_boats<|channel|>commentary", "list_boats"},
                            {"list_boats()", "list_boats"},
                            {" list_boats ", "list_boats"},
                            {"et_user_details", "get_user_details"},   // cut at the front
                            {"get_user_detail", "get_user_details"},   // cut at the end
                            {"get_usre_details", "get_user_details"},  // swapped letters
                            {"get_usr_detials", "get_user_details"},   // two edits
                            {"get_item_details", ""},  // three edits: another tool, not a slip
                            {"list_boat", "list_boats"},
                            {"list_coots", ""},  // short names allow one edit
                            {"rents", "rent"},
                            {"sent", ""},  // below five letters none
                            {"", ""},
                            {"___", ""},
                            {"transfer", ""}};
  for (const NearCase& c : cases) {
    SCOPED_TRACE(c.called);
    const auto match = nearest_tool_name(c.called, kOffered);
    if (*c.meant == '\0') {
      EXPECT_FALSE(match.has_value()) << kOffered[match->index];
    } else {
      ASSERT_TRUE(match.has_value());
      EXPECT_EQ(kOffered[match->index], c.meant);
    }
  }
}

TEST(NearestName, AnHonestNameBeatsAnEarlierSimilarOne) {
  const std::vector<std::string> offered = {"check_sim_statuss", "check_sim_status"};
  EXPECT_EQ(nearest_tool_name("check_sim_status", offered)->index, 1U);
  EXPECT_EQ(nearest_tool_name("Check Sim Status", offered)->index, 1U);
}

TEST(NearestName, ATieTakesTheFirst) {
  const std::vector<std::string> offered = {"open_gate_a", "open_gate_b"};
  const auto match = nearest_tool_name("open_gate_c", offered);
  ASSERT_TRUE(match.has_value());
  EXPECT_EQ(*match, (NameMatch{0, 1}));
}

TEST(NearestName, EnormousNamesAreNoMatch) {
  EXPECT_FALSE(nearest_tool_name(std::string(100'000, 'a'), kOffered).has_value());
}

struct ProvenanceCase {
  const char* called;
  bool named_in_text;
  NameProvenance expected;
};

TEST(Provenance, FirstThatFits) {
  const ProvenanceCase cases[] = {{"check_gauge", true, NameProvenance::wrong_owner},
                                  {"checkGauge", false, NameProvenance::wrong_owner},
                                  {"check_gauges", false, NameProvenance::novel},
                                  {"refill_tan", false, NameProvenance::wrong_owner},
                                  {"get_guests", true, NameProvenance::near_miss},
                                  {"get_gues", false, NameProvenance::near_miss},
                                  {"functions.get_guest", false, NameProvenance::near_miss},
                                  {"open_valve", true, NameProvenance::named_in_context},
                                  {"book_flight", true, NameProvenance::named_in_context},
                                  {"book_flight", false, NameProvenance::other_domain},
                                  {"open_valve", false, NameProvenance::novel},
                                  {"", false, NameProvenance::novel}};
  for (const ProvenanceCase& c : cases) {
    SCOPED_TRACE(c.called);
    const std::vector<std::string> own = {"get_guest", "refill_tank"};
    const std::vector<std::string> other_party = {"check_gauge", "refill_tan"};
    const std::vector<std::string> other_worlds = {"book_flight", "check_gauge", "get_gues"};
    EXPECT_EQ(provenance_of(c.called, {own, other_party, other_worlds, c.named_in_text}),
              c.expected);
  }
}

TEST(Provenance, NothingKnownIsNovel) {
  EXPECT_EQ(provenance_of("anything", {}), NameProvenance::novel);
}

}  // namespace
}  // namespace unmask
