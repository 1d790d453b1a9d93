#include "unmask/audit/identity_differences.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace unmask {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : "+") + word;
  return text;
}

std::string budget_text(const BudgetRegime& budget) {
  if (budget.enforced) return "K=" + std::to_string(*budget.enforced) + " enforced";
  return budget.known ? "never enforced" : "not known";
}

}  // namespace

std::vector<std::string> identity_differences(const ArmFacts& ref, const ArmFacts& arm) {
  std::vector<std::string> differences;
  const auto compare = [&](std::string_view what, const std::string& of_ref,
                           const std::string& of_arm) {
    if (of_ref.empty() || of_arm.empty() || of_ref == of_arm) return;
    const auto shortened = [](const std::string& text) {
      constexpr std::size_t kShown = 40;
      return text.size() <= kShown ? text : text.substr(0, kShown) + "...";
    };
    differences.push_back(std::string(what) + ": " + shortened(of_ref) + " against " +
                          shortened(of_arm));
  };
  const ArmIdentity& a = ref.identity;
  const ArmIdentity& b = arm.identity;
  if (!ref.identity.model.empty() && !arm.identity.model.empty() && !ref.model_family.empty() &&
      ref.model_family != arm.model_family) {
    compare("model", a.model, b.model);
  }
  compare("domain", ref.domain, arm.domain);
  compare("KV-cache precision", a.kv_cache_precision, b.kv_cache_precision);
  compare("engine", a.engine, b.engine);
  compare("chat template", a.chat_template_hash, b.chat_template_hash);
  compare("tool-call parser", a.tool_call_parser, b.tool_call_parser);
  compare("grammar-constrained names", a.grammar_constrained, b.grammar_constrained);
  compare("agent implementation", a.agent_implementation, b.agent_implementation);
  compare("policy", a.policy_hash, b.policy_hash);
  compare("user simulator", a.user_model, b.user_model);
  compare("user implementation", a.user_implementation, b.user_implementation);
  const auto compare_sampling = [&](std::string_view whose,
                                    const std::map<std::string, std::string>& x,
                                    const std::map<std::string, std::string>& y) {
    std::map<std::string, std::string> keys = x;
    keys.insert(y.begin(), y.end());
    for (const auto& [key, unused] : keys) {
      const auto text = [&name = key](const std::map<std::string, std::string>& of) {
        const auto found = of.find(name);
        return found == of.end() ? std::string("not set") : found->second;
      };
      compare(std::string(whose) + " " + key, text(x), text(y));
    }
  };
  compare_sampling("agent", a.sampling, b.sampling);
  compare_sampling("user", a.user_sampling, b.user_sampling);
  compare("harness version", ref.harness.version, arm.harness.version);
  compare("reward basis", joined(ref.reward_basis), joined(arm.reward_basis));
  compare("error budget", budget_text(ref.budget), budget_text(arm.budget));
  return differences;
}

}  // namespace unmask
