#include "unmask/diagnose/domain_guess.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "unmask/diagnose/error_text.h"
#include "unmask/diagnose/rule_set.h"
#include "unmask/episode/channel.h"

namespace unmask {

namespace {

constexpr std::size_t kFewestNames = 3;
constexpr std::size_t kFewestSoleNames = 2;
/// Names after which a world that has fewer than half of them is given up.
constexpr std::size_t kManyNames = 8;

bool has_tool(const KnownDomain& domain, std::string_view name) {
  const auto named = [&](const ToolDefinition& tool) { return tool.name == name; };
  return std::ranges::any_of(domain.inventory.agent, named) ||
         std::ranges::any_of(domain.inventory.user, named);
}

}  // namespace

void DomainGuess::see(const ToolInventory& offered) {
  for (const ToolDefinition& tool : offered.agent) names_.insert(tool.name);
  for (const ToolDefinition& tool : offered.user) names_.insert(tool.name);
}

void DomainGuess::see(const Episode& episode) {
  const RuleSet* const rules[] = {&general_rules()};
  for (const ToolCall& call : episode.calls) {
    if (!call.answered || names_.contains(call.name)) continue;
    if (call.failed) {
      const auto match = match_rules(prepared_error_text(call.result), call.name, rules);
      if (!match ||
          (match->channel != Channel::entity && match->channel != Channel::precondition)) {
        continue;
      }
    }
    names_.insert(call.name);
  }
}

DomainGuess::Fit DomainGuess::best() const {
  Fit best;
  const auto domains = known_domains();
  for (const KnownDomain& domain : domains) {
    Fit fit{&domain};
    for (const std::string& name : names_) {
      if (!has_tool(domain, name)) continue;
      ++fit.own;
      const bool shared = std::ranges::any_of(domains, [&](const KnownDomain& other) {
        return &other != &domain && has_tool(other, name);
      });
      if (!shared) ++fit.sole;
    }
    if (fit.own > best.own) best = fit;
  }
  return best;
}

bool DomainGuess::clear(const Fit& fit) const {
  return fit.own >= kFewestNames && fit.sole >= kFewestSoleNames &&
         fit.own * 5 >= names_.size() * 4;
}

const KnownDomain* DomainGuess::domain() const {
  const Fit fit = best();
  return clear(fit) ? fit.domain : nullptr;
}

bool DomainGuess::settled() const {
  const Fit fit = best();
  return clear(fit) || (names_.size() >= kManyNames && fit.own * 2 < names_.size());
}

std::string DomainGuess::evidence() const {
  return std::to_string(best().own) + " of " + std::to_string(names_.size());
}

}  // namespace unmask
