#include "unmask/ingest/header_values.h"

#include <string>
#include <string_view>

#include "unmask/base/sha256.h"
#include "unmask/episode/log_header.h"
#include "unmask/ingest/precision.h"
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

void read_harness(const json::Value& value, Harness& harness) {
  harness.name = value.is_object() ? value["name"].text() : value.text();
  harness.version = value["version"].text();
  harness.git_commit = value["git_commit"].text();
  if (!harness.name.empty()) harness.evidence = "the log says so";
}

}  // namespace unmask
