#include "unmask/diagnose/diagnose.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "unmask/base/check.h"
#include "unmask/diagnose/error_text.h"
#include "unmask/diagnose/rule_set.h"
#include "unmask/diagnose/tool_catalog.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/schema/argument_schema.h"
#include "unmask/schema/tool_names.h"

namespace unmask {

namespace {

/// Why the call failed as a re-execution knows it, or else as the rules find it in the text.
struct Told {
  Channel channel = Channel::other;
  std::string kind;
  EvidenceKind evidence = EvidenceKind::error_text;
};
/// Null if neither says anything.
using Hit = const Told*;

bool hits(Hit hit, Channel channel) { return hit != nullptr && hit->channel == channel; }

/// Whether the cause is one that only a running tool can find.
bool shows_running_tool(Hit hit) {
  return hits(hit, Channel::entity) || hits(hit, Channel::precondition) ||
         hits(hit, Channel::arguments);
}

bool about_presence(ViolationKind kind) {
  return kind == ViolationKind::missing || kind == ViolationKind::unexpected;
}

class EpisodeDiagnosis {
 public:
  EpisodeDiagnosis(const Episode& episode, const Evidence& evidence)
      : episode_(episode), evidence_(evidence) {
    for (const ToolCall& call : episode.calls) {
      first_message_.try_emplace(call.name, call.message);
      if (!call.failed && call.answered) observed(call.party).push_back(call.name);
    }
  }

  [[nodiscard]] CallDiagnosis of(std::size_t index) const {
    const ToolCall& call = episode_.calls[index];
    if (!call.failed) return {};
    const std::string text = prepared_error_text(call.result);
    const std::optional<RuleMatch> match = match_rules(text, call.name, evidence_.rules);
    const std::optional<Told> told = told_of(index, match);
    const Hit hit = told ? &*told : nullptr;
    CallDiagnosis diagnosis;
    if (match) diagnosis.rule = match->rule;
    if (call.stated_channel) {
      stated(call, *call.stated_channel, diagnosis);
      return diagnosis;
    }
    if (malformed(call, hit, diagnosis) || tool_name(call, text, hit, diagnosis)) return diagnosis;
    if (hits(hit, Channel::infrastructure)) {
      set(diagnosis, Channel::infrastructure, hit->kind, hit->evidence);
      return diagnosis;
    }
    if (arguments(call, hit, diagnosis)) return diagnosis;
    if (hit != nullptr && hit->channel != Channel::tool_name) {
      set(diagnosis, hit->channel, hit->kind, hit->evidence);
    } else {
      diagnosis.rule.clear();
    }
    return diagnosis;
  }

 private:
  [[nodiscard]] std::optional<Told> told_of(std::size_t index,
                                            const std::optional<RuleMatch>& match) const {
    if (!evidence_.reexecution.empty()) {
      if (const std::optional<ReexecutionOutcome>& outcome = evidence_.reexecution[index]) {
        return Told{outcome->channel, outcome->kind, EvidenceKind::reexecution};
      }
    }
    if (match) return Told{match->channel, match->kind, EvidenceKind::error_text};
    return std::nullopt;
  }

  static void set(CallDiagnosis& diagnosis, Channel channel, std::string_view kind,
                  EvidenceKind evidence) {
    diagnosis.channel = channel;
    diagnosis.kind = kind;
    diagnosis.evidence = evidence;
  }

  void stated(const ToolCall& call, Channel channel, CallDiagnosis& diagnosis) const {
    if (channel == Channel::tool_name && call.stated_kind.empty()) {
      describe_name(call, diagnosis);
      diagnosis.channel = Channel::tool_name;
      diagnosis.evidence = EvidenceKind::stated;
      return;
    }
    set(diagnosis, channel, call.stated_kind, EvidenceKind::stated);
  }

  std::vector<std::string>& observed(Party party) {
    return party == Party::agent ? agent_succeeded_ : user_succeeded_;
  }
  [[nodiscard]] const std::vector<std::string>& observed(Party party) const {
    return party == Party::agent ? agent_succeeded_ : user_succeeded_;
  }

  [[nodiscard]] bool succeeded(const ToolCall& call) const {
    const auto& names = observed(call.party);
    return std::ranges::find(names, call.name) != names.end();
  }

  static bool malformed(const ToolCall& call, Hit hit, CallDiagnosis& diagnosis) {
    if (!call.arguments_are_object) {
      const bool is_json = call.arguments.find_first_not_of(" \t\r\n") != std::string::npos &&
                           ArgumentSchema().check(call.arguments).empty();
      set(diagnosis, Channel::malformed, is_json ? "not_an_object" : "not_json",
          EvidenceKind::structure);
      return true;
    }
    if (!hits(hit, Channel::malformed)) return false;
    set(diagnosis, Channel::malformed, hit->kind, hit->evidence);
    return true;
  }

  bool tool_name(const ToolCall& call, std::string_view text, Hit hit,
                 CallDiagnosis& diagnosis) const {
    const bool complete = evidence_.tools != nullptr && evidence_.tools->complete();
    const bool offered =
        evidence_.tools != nullptr && evidence_.tools->offered(call.name, call.party);
    const std::string name = lower_case(std::string_view(call.name).substr(0, kMatchedBytes));
    const bool quoted = !name.empty() && text.find(name) != std::string_view::npos;
    EvidenceKind kind = EvidenceKind::none;
    if (complete && !offered && !contradicted(call, text, name, quoted, hit)) {
      kind = EvidenceKind::structure;
    } else if (hits(hit, Channel::tool_name) && (quoted || !offered)) {
      // Against an inventory that lists the name only a text that quotes it counts: a shop may not
      // find its "tool".
      kind = hit->evidence;
    }
    if (kind == EvidenceKind::none) return false;
    describe_name(call, diagnosis);
    diagnosis.channel = Channel::tool_name;
    diagnosis.evidence = kind;
    return true;
  }

  /// Whether the log itself shows that an assumed inventory is not its own.
  [[nodiscard]] bool contradicted(const ToolCall& call, std::string_view text,
                                  const std::string& name, bool quoted, Hit hit) const {
    if (evidence_.tools->origin() == InventoryOrigin::stated) return false;
    if (hits(hit, Channel::tool_name)) return false;
    if (succeeded(call)) return true;
    // A binding error names the function that was called: the tool, or the harness's own.
    if (text.find("()") != std::string_view::npos) {
      return hits(hit, Channel::arguments) && text.find(name + "()") != std::string_view::npos;
    }
    // "get_boat not found" is about the name.
    return shows_running_tool(hit) && !quoted;
  }

  void describe_name(const ToolCall& call, CallDiagnosis& diagnosis) const {
    std::vector<std::string> own;
    std::vector<std::string> other;
    const Party other_party = call.party == Party::agent ? Party::user : Party::agent;
    const auto gather = [&](Party party, std::vector<std::string>& names) {
      if (evidence_.tools != nullptr) {
        const auto known = evidence_.tools->names(party);
        names.assign(known.begin(), known.end());
      }
      if (evidence_.tools == nullptr || !evidence_.tools->complete()) {
        names.insert(names.end(), observed(party).begin(), observed(party).end());
      }
      // A name that was refused was not offered, whatever an inventory says.
      if (party == call.party) std::erase(names, call.name);
    };
    gather(call.party, own);
    gather(other_party, other);
    const NameProvenance provenance =
        provenance_of(call.name, {own, other, evidence_.other_domain_tools, named_in_text(call)});
    diagnosis.kind = name_of(provenance);
    if (provenance != NameProvenance::near_miss) return;
    if (const auto match = nearest_tool_name(call.name, own)) diagnosis.detail = own[match->index];
  }

  /// Whether the name stands in the policy or in a message before its first call: from then on
  /// error texts repeat it.
  [[nodiscard]] bool named_in_text(const ToolCall& call) const {
    const std::string_view bare = bare_tool_name(call.name);
    const auto is_name = [&](const std::string& word) { return word == call.name || word == bare; };
    if (std::ranges::any_of(evidence_.policy_words, is_name)) {
      return true;
    }
    const std::uint32_t first = first_message_.at(call.name);
    return std::ranges::any_of(episode_.context_words, [&](const auto& word) {
      return word.first < first && is_name(word.second);
    });
  }

  bool arguments(const ToolCall& call, Hit hit, CallDiagnosis& diagnosis) const {
    if (evidence_.tools == nullptr || call.arguments.empty()) return false;
    const ArgumentSchema* schema = evidence_.tools->schema(call.name, call.party);
    if (schema == nullptr) return false;
    std::vector<Violation> violations = schema->check(call.arguments);
    if (violations.empty()) return false;
    if (hits(hit, Channel::precondition) ||
        (hits(hit, Channel::entity) && other_argument_is_cause(call, hit->kind, violations))) {
      std::erase_if(violations, [](const Violation& v) { return !about_presence(v.kind); });
    }
    if (evidence_.tools->origin() == InventoryOrigin::assumed &&
        (hits(hit, Channel::entity) || hits(hit, Channel::precondition) ||
         other_signature(call, *schema))) {
      std::erase_if(violations, [](const Violation& v) { return about_presence(v.kind); });
    }
    if (violations.empty()) return false;
    // The first violation, unless the text names another one that is there as well.
    const Violation* shown = &violations.front();
    if (hits(hit, Channel::arguments)) {
      for (const Violation& violation : violations) {
        if (name_of(violation.kind) == hit->kind) {
          shown = &violation;
          break;
        }
      }
    }
    set(diagnosis, Channel::arguments, name_of(shown->kind), EvidenceKind::structure);
    diagnosis.detail = shown->pointer;
    return true;
  }

  /// Whether the entity that was not found has an argument of its own ("order" has order_id) that
  /// keeps to the schema: then that argument's value is the cause, not what is wrong with others.
  static bool other_argument_is_cause(const ToolCall& call, const std::string& entity,
                                      const std::vector<Violation>& violations) {
    const auto names_it = [&](std::string_view name) {
      return name.find(entity) != std::string_view::npos;
    };
    const bool violated = std::ranges::any_of(violations, [&](const Violation& violation) {
      const std::string_view pointer = violation.pointer;
      return names_it(pointer.substr(0, pointer.find('/', 1)));
    });
    if (violated) return false;
    const auto arguments =
        nlohmann::json::parse(call.arguments, nullptr, /*allow_exceptions=*/false);
    if (!arguments.is_object()) return false;
    for (auto item = arguments.begin(); item != arguments.end(); ++item) {
      if (names_it(item.key())) return true;
    }
    return false;
  }

  /// Whether a call of the same name succeeded in this episode although it lacked, or had more
  /// than, what the schema asks: then the schema is of another version.
  [[nodiscard]] bool other_signature(const ToolCall& failed, const ArgumentSchema& schema) const {
    return std::ranges::any_of(episode_.calls, [&](const ToolCall& call) {
      if (call.failed || !call.answered || call.name != failed.name || call.party != failed.party ||
          !call.arguments_are_object || call.arguments.empty()) {
        return false;
      }
      const auto violations = schema.check(call.arguments);
      return std::ranges::any_of(violations,
                                 [](const Violation& v) { return about_presence(v.kind); });
    });
  }

  const Episode& episode_;
  const Evidence& evidence_;
  std::vector<std::string> agent_succeeded_;
  std::vector<std::string> user_succeeded_;
  std::map<std::string_view, std::uint32_t> first_message_;
};

bool is_identifier_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.';
}

/// More than a plain word: a separator inside, or a capital after a small letter.
bool looks_like_name(std::string_view word) {
  if (word.size() < 3 || word.size() > 64) return false;
  if (word.find_first_of("_-.") != std::string_view::npos) return true;
  for (std::size_t i = 1; i < word.size(); ++i) {
    const bool capital = word[i] >= 'A' && word[i] <= 'Z';
    if (capital && word[i - 1] >= 'a' && word[i - 1] <= 'z') return true;
  }
  return false;
}

}  // namespace

std::vector<CallDiagnosis> diagnose(const Episode& episode, const Evidence& evidence) {
  UNMASK_CHECK(evidence.reexecution.empty() || evidence.reexecution.size() == episode.calls.size());
  const EpisodeDiagnosis diagnosis(episode, evidence);
  std::vector<CallDiagnosis> diagnoses;
  diagnoses.reserve(episode.calls.size());
  for (std::size_t i = 0; i < episode.calls.size(); ++i) diagnoses.push_back(diagnosis.of(i));
  return diagnoses;
}

std::vector<std::string> context_identifiers(std::string_view text) {
  std::vector<std::string> identifiers;
  std::size_t at = 0;
  while (at < text.size()) {
    if (!is_identifier_byte(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_identifier_byte(text[end])) ++end;
    std::string_view word = text.substr(at, end - at);
    at = end;
    // Punctuation of the sentence, Markdown underscores.
    while (!word.empty() && (word.back() == '.' || word.back() == '-')) word.remove_suffix(1);
    while (!word.empty() && (word.front() == '.' || word.front() == '-')) word.remove_prefix(1);
    if (looks_like_name(word)) identifiers.emplace_back(word);
  }
  std::ranges::sort(identifiers);
  const auto repeats = std::ranges::unique(identifiers);
  identifiers.erase(repeats.begin(), repeats.end());
  return identifiers;
}

}  // namespace unmask
