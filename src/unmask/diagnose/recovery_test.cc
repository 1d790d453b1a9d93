#include "unmask/diagnose/recovery.h"

#include <span>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/episode/channel.h"
#include "unmask/episode/facts.h"

namespace unmask {
namespace {

/// One letter a call of the agent: `.` succeeded, `x` failed by entity, `1`..`9` hallucinated name
/// of that number; capital `U` = a successful call of the user, `V` = a failed one.
EpisodeFacts episode(std::string_view letters, bool success) {
  EpisodeFacts facts;
  facts.success = success;
  for (const char letter : letters) {
    CallFacts& call = facts.calls.emplace_back();
    call.party = letter == 'U' || letter == 'V' ? Party::user : Party::agent;
    call.failed = letter != '.' && letter != 'U';
    call.channel = letter >= '1' && letter <= '9' ? Channel::tool_name : Channel::entity;
    call.name = static_cast<unsigned char>(letter);
  }
  return facts;
}

struct Case {
  const char* calls;
  bool success;
  RecoveryCounts agent;  // next, run, episode, repeat: numerator and denominator each
};

TEST(Recovery, OfTheAgent) {
  const Case cases[] = {{"", true, {}},
                        {"...", true, {}},
                        {"x", false, {0, 0, 0, 1, 0, 1, 0, 0}},
                        {"x.", true, {1, 1, 1, 1, 1, 1, 0, 0}},
                        {"xx.", true, {1, 2, 1, 1, 1, 1, 0, 0}},
                        {"x.xx", true, {1, 2, 1, 2, 1, 1, 0, 0}},
                        {"xUV.", false, {1, 1, 1, 1, 0, 1, 0, 0}},
                        {"1.1.2", false, {2, 2, 2, 3, 0, 1, 1, 3}},
                        {"111", false, {0, 2, 0, 1, 0, 1, 2, 3}},
                        {"VV", true, {}}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.calls);
    EXPECT_EQ(recovery_of(episode(c.calls, c.success), Party::agent), c.agent) << c.calls;
  }
}

TEST(Recovery, OfTheUser) {
  EXPECT_EQ(recovery_of(episode("V.xU", true), Party::user),
            (RecoveryCounts{1, 1, 1, 1, 1, 1, 0, 0}));
}

TEST(Recovery, SumsAndLeavesOutExcludedEpisodes) {
  std::vector<EpisodeFacts> episodes = {episode("x.", true), episode("x", false)};
  episodes.push_back(episode("x.", false));
  episodes.back().excluded = Exclusion::infrastructure;
  EXPECT_EQ(recovery_of(episodes, Party::agent), (RecoveryCounts{1, 1, 1, 2, 1, 2, 0, 0}));
  EXPECT_EQ(recovery_of(std::span<const EpisodeFacts>(), Party::agent), RecoveryCounts{});
}

}  // namespace
}  // namespace unmask
