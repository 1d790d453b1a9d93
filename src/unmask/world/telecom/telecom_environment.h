#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "unmask/episode/channel.h"
#include "unmask/world/environment.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/telecom/agent_state.h"
#include "unmask/world/telecom/user_methods.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"

namespace unmask::world::telecom {

/// A carrier, one of its customers and the customer's phone (tau2-bench's domain `telecom`).
class TelecomEnvironment final : public Environment {
 public:
  TelecomEnvironment(std::shared_ptr<const EnvironmentSetup> setup, bool solo, AgentState agent,
                     UserState user);

  [[nodiscard]] std::unique_ptr<Environment> clone() const override;
  [[nodiscard]] std::string agent_hash() const override;
  [[nodiscard]] std::optional<std::string> user_hash() const override;

  [[nodiscard]] bool has_same_state(const Environment& other) const override;

  /// Carries the line's state to the phone's surroundings and payments to the bills. Raises
  /// ValueError where line, plan, bill or customer is missing, after what it could do.
  [[nodiscard]] Outcome<void> sync() override;

  /// Two independent updates: the original confuses the databases here, and no task uses it.
  [[nodiscard]] Outcome<void> merge(const InitializationData& data) override;

  void set_id_stream(std::uint64_t stream) override { agent_.bill_ids.set_stream(stream); }

  [[nodiscard]] const AgentDatabase& agent_database() const { return agent_.database; }
  [[nodiscard]] const UserDatabase& user_database() const { return user_.database; }

 private:
  TelecomEnvironment(const TelecomEnvironment&) = default;

  [[nodiscard]] Outcome<std::string> run_tool(Party owner, const Tool& tool,
                                              const Arguments& arguments) override;
  [[nodiscard]] Outcome<Value> run_method(Party owner, const Tool& method,
                                          const Arguments& arguments) override;
  // Parts of sync; the line is known already.
  /// What the phone should know of its line.
  [[nodiscard]] Outcome<void> examine_line();
  /// Books a payment that was made; asks for one that is due.
  [[nodiscard]] Outcome<void> settle_payment(const Value& phone_number);

  AgentState agent_;
  UserState user_;
};

}  // namespace unmask::world::telecom
