#pragma once

#include <functional>
#include <string_view>

#include "unmask/episode/log_header.h"
#include "unmask/json/value.h"

namespace unmask {

/// Sets the agent's model and what its name says: engine, precision (a guess).
void set_agent_model(std::string_view model, ArmIdentity& identity);

/// Sets the precision to what the log states or, where it states none and the model's name says
/// nothing, to what the arm's name says (a guess). After `set_agent_model` and LogHeader::arm.
void set_precision(std::string_view stated, LogHeader& header);

/// Sets policy and its digest.
void set_policy(std::string_view policy, LogHeader& header);

/// What else a log may say of its arm, by the names of ArmIdentity's members, `sampling` and
/// `policy`; members that are missing change nothing. After `set_precision`. `member` finds one.
void read_identity(const std::function<json::Value(std::string_view)>& member, LogHeader& header);

/// `harness`: a name, or `{name, version, git_commit, evidence}`.
void read_harness(const json::Value& value, Harness& harness);

}  // namespace unmask
