#include "unmask/ingest/header_values.h"

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "unmask/base/sha256.h"
#include "unmask/episode/log_header.h"
#include "unmask/ingest/precision.h"
#include "unmask/ingest/secrets.h"
#include "unmask/json/value.h"

namespace unmask {

void set_agent_model(std::string_view model, ArmIdentity& identity) {
  identity.model = model;
  identity.engine = engine_of_model_name(model);
  const PrecisionGuess guess = guess_precision(model);
  identity.precision = guess.precision;
  identity.precision_is_guess = !guess.precision.empty();
  identity.quantization_method = guess.method;
}

void set_precision(std::string_view stated, LogHeader& header) {
  ArmIdentity& identity = header.identity;
  if (!stated.empty()) {
    const PrecisionGuess read = guess_precision(stated);
    identity.precision = read.precision.empty() ? std::string(stated) : read.precision;
    identity.precision_is_guess = false;
    if (!read.method.empty()) identity.quantization_method = read.method;
  } else if (identity.precision.empty()) {
    const PrecisionGuess guess = guess_precision(header.arm);
    identity.precision = guess.precision;
    identity.precision_is_guess = !guess.precision.empty();
    identity.quantization_method = guess.method;
  }
}

void set_policy(std::string_view policy, LogHeader& header) {
  header.policy = policy;
  header.identity.policy_hash = policy.empty() ? "" : sha256_hex(policy);
}

void read_identity(const std::function<json::Value(std::string_view)>& member, LogHeader& header) {
  ArmIdentity& identity = header.identity;
  const auto take = [&member](std::string& field, std::string_view name) {
    if (const std::string_view text = member(name).text(); !text.empty()) field = text;
  };
  take(identity.quantization_method, "quantization_method");
  take(identity.kv_cache_precision, "kv_cache_precision");
  take(identity.engine, "engine");
  take(identity.chat_template_hash, "chat_template_hash");
  take(identity.tool_call_parser, "tool_call_parser");
  take(identity.grammar_constrained, "grammar_constrained");
  take(identity.agent_implementation, "agent_implementation");
  take(identity.user_model, "user_model");
  take(identity.user_implementation, "user_implementation");
  for (auto& [setting, value] : sampling_settings(member("sampling"))) {
    identity.sampling.insert_or_assign(setting, std::move(value));
  }
  identity.user_sampling = sampling_settings(member("user_sampling"));
  if (member("model_is_guess").boolean() == true) identity.model_is_guess = true;
  set_policy(member("policy").text(), header);
  take(identity.policy_hash, "policy_hash");
}

void read_harness(const json::Value& value, Harness& harness) {
  harness.name = value.is_object() ? value["name"].text() : value.text();
  harness.version = value["version"].text();
  harness.git_commit = value["git_commit"].text();
  harness.evidence = value["evidence"].text();
  if (harness.evidence.empty() && !harness.name.empty()) harness.evidence = "the log says so";
}

}  // namespace unmask
