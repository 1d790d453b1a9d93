#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/rng.h"
#include "unmask/base/sha256.h"
#include "unmask/episode/channel.h"
#include "unmask/world/environment.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"
#include "unmask/world/task.h"
#include "unmask/world/telecom/record.h"
#include "unmask/world/telecom/records.h"
#include "unmask/world/telecom/telecom_fixture.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"

namespace unmask::world::telecom {
namespace {

/// Arguments that a tool expects somewhere, and such that none expects.
std::vector<Value> odd_values() {
  std::vector<Value> values{Value(),
                            Value(true),
                            Value(0),
                            Value(2),
                            Value(-1.5),
                            Value(1e300),
                            Value::integer_of("-" + std::string(400, '7')),
                            Value("\xF0\x9F\x93\xB6"),
                            Value(List{Value(1)}),
                            Value(Object{{"mms_port", "0_1"}}),
                            Value(Object{{"apn_name", "broken"}, {"self", 1}}),
                            Value(Object{{"device", Object{{"vpn_connected", "yes"}}}})};
  for (const char* text : {"", "C1", "C2", "L1", "L2", "B1", "B2", "P1", "D1", "101", "102", "sms",
                           "messaging", "2g_only", "pin", "connected", "Mira Oakfield"}) {
    values.emplace_back(text);
  }
  return values;
}

Object random_arguments(Rng& rng, const Tool& tool, const std::vector<Value>& values) {
  const auto any = [&] { return values[rng.below(static_cast<std::uint32_t>(values.size()))]; };
  Object arguments;
  for (const Parameter& parameter : tool.parameters) {
    if (rng.below(20) > 0) arguments.set(parameter.name, any());
  }
  if (rng.below(50) == 0) arguments.set("extra", any());
  return arguments;
}

/// Whatever is called with whatever, nothing throws, both databases can be dumped, the hashes are
/// those of the dumps, and a snapshot does not notice.
TEST(TelecomRandomCalls, KeepTheModel) {
  const std::vector<Value> values = odd_values();
  const EnvironmentSetup setup = telecom_setup("telecom");
  for (std::uint64_t round = 0; round < 40; ++round) {
    Rng rng(1, "telecom_random_calls", round);
    const auto environment = environment_of_l1();
    for (int step = 0; step < 50; ++step) {
      const Party party = rng.below(2) == 0 ? Party::agent : Party::user;
      const Toolkit& toolkit = party == Party::agent ? setup.agent : *setup.user;
      const bool function = rng.below(5) == 0;
      const std::vector<Tool>& methods = function ? toolkit.functions : toolkit.tools;
      const Tool& tool = methods[rng.below(static_cast<std::uint32_t>(methods.size()))];
      Object arguments = random_arguments(rng, tool, values);
      const auto snapshot = environment->clone();
      const std::string agent_hash = environment->agent_hash();
      const auto user_hash = environment->user_hash();
      if (function) {
        (void)environment->run(FunctionCall{party, tool.name, std::move(arguments)});
      } else {
        const CallResult result = call(*environment, party, tool.name, std::move(arguments));
        EXPECT_EQ(result.error, result.content.starts_with("Error: ")) << tool.name;
      }
      ASSERT_EQ(environment->agent_hash(),
                sha256_hex(dump_sorted_json(value_of(environment->agent_database().rows()))))
          << tool.name;
      ASSERT_EQ(environment->user_hash(),
                sha256_hex(dump_sorted_json(value_of(environment->user_database()))))
          << tool.name;
      ASSERT_EQ(snapshot->agent_hash(), agent_hash) << tool.name;
      ASSERT_EQ(snapshot->user_hash(), user_hash) << tool.name;
      ASSERT_EQ(environment->has_same_state(*snapshot),
                environment->agent_hash() == agent_hash && environment->user_hash() == user_hash)
          << tool.name;
    }
  }
}

}  // namespace
}  // namespace unmask::world::telecom
