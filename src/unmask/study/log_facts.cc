#include "unmask/study/log_facts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/base/joined.h"
#include "unmask/base/near_names.h"
#include "unmask/budget/budget_regime.h"
#include "unmask/diagnose/diagnose.h"
#include "unmask/diagnose/domain_guess.h"
#include "unmask/diagnose/known_domains.h"
#include "unmask/diagnose/rule_set.h"
#include "unmask/diagnose/to_facts.h"
#include "unmask/diagnose/tool_catalog.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"
#include "unmask/episode/missing_trials.h"
#include "unmask/ingest/episode_sink.h"
#include "unmask/ingest/log_file.h"
#include "unmask/ingest/log_input.h"
#include "unmask/ingest/precision.h"
#include "unmask/ingest/read_log.h"
#include "unmask/study/log_head.h"
#include "unmask/study/reexecution.h"

namespace unmask {
namespace {

class FactsSink final : public EpisodeSink {
 public:
  FactsSink(const UserKnowledge& knowledge, const FactsReading& how)
      : knowledge_(knowledge), how_(how) {
    facts_.kinds.intern("");
  }

  /// Of the second of two passes: `log` executes the episodes again, all but `superseded`; null:
  /// there is no world for them.
  void execute_again(LogReexecution* log, std::set<std::size_t> superseded) {
    again_ = Again{log, std::move(superseded)};
  }

  [[nodiscard]] bool wants_transcripts() const override { return again_ && again_->log != nullptr; }
  [[nodiscard]] bool wants_read_ahead() const override { return how_.threads > 1; }

  void header(const LogHeader& header) override {
    for (const TaskDefinition& task : header.tasks) {
      facts_.tasks.push_back({task.id, task.content_hash.empty() ? task.id : task.content_hash});
    }
    header_ = header;
    if (header.domain.empty()) {
      guess_.see(header.tools);
      holding_ = header.tools.agent.empty();
    }
    if (!holding_) prepare();
  }

  bool episode(Episode episode) override {
    if (!holding_) {
      process(episode);
      return true;
    }
    guess_.see(episode);
    if (!episode.calls.empty()) ++held_with_calls_;
    held_.push_back(std::move(episode));
    if (guess_.settled() || held_with_calls_ == kMostHeldWithCalls || held_.size() == kMostHeld) {
      release();
    }
    return true;
  }

  void superseded(std::size_t number) override { superseded_.insert(number); }

  bool progress(std::uint64_t done, std::uint64_t total) override {
    if (!how_.progress) return true;
    return again_ ? how_.progress(total + done, 2 * total) : how_.progress(done, total);
  }

  LogFacts take(LogHeader header, Diagnostics& diagnostics) {
    if (holding_) release();
    check_given_domain(header, diagnostics);
    if (header.domain.empty() && !how_.domain.empty()) {
      header.domain = how_.domain;
    } else if (header.domain.empty() && !header_.domain.empty()) {
      header.domain = header_.domain;
      diagnostics.add({.code = "domain_inferred",
                       .file = header.file,
                       .sentence = "the log names no domain; " + guess_.evidence() +
                                   " of its tools are those of the known domain " + header.domain});
    }
    learn_task_keys(header);
    std::vector<EpisodeFacts> kept;
    kept.reserve(facts_.episodes.size() - superseded_.size());
    for (std::size_t i = 0; i < facts_.episodes.size(); ++i) {
      if (!superseded_.contains(i)) kept.push_back(std::move(facts_.episodes[i]));
    }
    facts_.episodes = std::move(kept);
    facts_.domain = header.domain;
    facts_.model_family = model_family(header.identity.model);
    facts_.identity = header.identity;
    facts_.harness = header.harness;
    facts_.reward_basis.assign(reward_basis_.begin(), reward_basis_.end());
    facts_.budget = infer_regime(header, facts_.episodes);
    facts_.trials_promised = header.num_trials;
    facts_.missing_trials = static_cast<std::uint32_t>(missing_trials(header, facts_).count);
    if (header.tools.agent.empty() && header.tools.user.empty()) header.tools = inventory_;
    return {
        .header = std::move(header), .facts = std::move(facts_), .superseded = superseded_.size()};
  }

 private:
  /// Most episodes that are kept until their tools tell the domain; crashed ones hold nothing.
  static constexpr std::size_t kMostHeldWithCalls = 16;
  static constexpr std::size_t kMostHeld = 1024;

  /// What the user says of the domain may be misspelled, or not what the log shows.
  void check_given_domain(const LogHeader& header, Diagnostics& diagnostics) const {
    if (how_.domain.empty()) return;
    const KnownDomain* given = known_domain(how_.domain);
    const auto remark = [&](const char* code, Severity severity, std::string sentence) {
      diagnostics.add({.code = code,
                       .severity = severity,
                       .file = header.file,
                       .episode = {},
                       .sentence = std::move(sentence),
                       .offset = {}});
    };
    if (given == nullptr) {
      std::vector<std::string> known;
      for (const KnownDomain& domain : known_domains()) {
        known.push_back(domain.name);
      }
      const std::string meant = did_you_mean(how_.domain, known);
      remark("unknown_domain", meant.empty() ? Severity::info : Severity::data_loss,
             "the tools of a domain '" + how_.domain + "' are not known (" + joined(known, ", ") +
                 " are); it only names the cell" + meant);
    } else if (!header.domain.empty() && known_domain(header.domain) != given) {
      remark("domain_contradicts_log", Severity::data_loss,
             "the log says that its domain is " + header.domain + ", which counts; " + how_.domain +
                 " only names the cell");
    } else if (const KnownDomain* shown = guess_.domain();
               header.domain.empty() && shown != nullptr && shown != given) {
      remark("domain_contradicts_calls", Severity::data_loss,
             guess_.evidence() + " of the log's tools are those of " + shown->name + ", not of " +
                 how_.domain + ", which was given and is used; correct --domain");
    }
  }

  /// Evidence for all episodes, once the domain is known or given up.
  void prepare() {
    if (header_.domain.empty()) {
      if (!how_.domain.empty()) {
        header_.domain = how_.domain;
      } else if (const KnownDomain* guessed = guess_.domain()) {
        header_.domain = guessed->name;
      }
    }
    const KnownDomain* domain = known_domain(header_.domain);
    const bool stated =
        knowledge_.tools || !header_.tools.agent.empty() || !header_.tools.user.empty();
    inventory_ = offered_tools(header_, domain);
    catalog_ = ToolCatalog(inventory_, stated ? InventoryOrigin::stated : InventoryOrigin::assumed);
    policy_words_ = context_identifiers(header_.policy);
    other_tools_ = tools_of_other_domains(header_.domain);
    for (const RuleSet& rules : knowledge_.rules) rules_.push_back(&rules);
    if (domain != nullptr) rules_.push_back(&domain->rules);
    rules_.push_back(&general_rules());
  }

  void release() {
    holding_ = false;
    prepare();
    for (const Episode& episode : held_) process(episode);
    held_.clear();
    held_.shrink_to_fit();
  }

  void process(const Episode& episode) {
    const Reexecution again = executed_again(episode);
    const Evidence evidence{.tools = tools_of(episode),
                            .policy_words = policy_words_,
                            .other_domain_tools = other_tools_,
                            .rules = rules_,
                            .reexecution = again.calls};
    const std::vector<CallDiagnosis> diagnoses = diagnose(episode, evidence);
    reward_basis_.insert(episode.reward_basis.begin(), episode.reward_basis.end());
    to_facts(episode, diagnoses, facts_, tasks_);
    if (episode.held_back) {
      facts_.episodes.back().intercepted = intercepted_in(*episode.held_back, evidence);
    }
    if (again_) facts_.episodes.back().reexecution = in_rows(again.facts, episode);
    if (how_.visitor) how_.visitor(episode, diagnoses);
  }

  /// Those of the held back calls that are wrong by themselves, as what they were held back for; a
  /// message's other calls were held back with them. They were not executed, so no result tells.
  [[nodiscard]] static std::vector<InterceptedCall> intercepted_in(std::span<const ToolCall> calls,
                                                                   Evidence evidence) {
    Episode held;
    held.calls.assign(calls.begin(), calls.end());
    evidence.reexecution = {};
    const std::vector<CallDiagnosis> diagnoses = diagnose(held, evidence);
    std::vector<InterceptedCall> wrong;
    for (std::size_t i = 0; i < diagnoses.size(); ++i) {
      if (diagnoses[i].evidence != EvidenceKind::structure) continue;
      wrong.push_back({calls[i].message, diagnoses[i].channel});
    }
    return wrong;
  }

  [[nodiscard]] Reexecution executed_again(const Episode& episode) {
    const bool counts = again_ && !again_->superseded.contains(facts_.episodes.size());
    return counts && again_->log != nullptr ? again_->log->of(episode) : Reexecution{};
  }

  /// The same with the number of a call among the rows, which lack the history's.
  [[nodiscard]] static ReexecutionFacts in_rows(ReexecutionFacts facts, const Episode& episode) {
    if (facts.first_stray_write) {
      const auto before = std::span(episode.calls).first(*facts.first_stray_write);
      *facts.first_stray_write -= static_cast<std::uint32_t>(
          std::ranges::count_if(before, [](const ToolCall& call) { return call.in_history; }));
    }
    return facts;
  }

  /// The user's tools, else the episode's own, else those of the log or of its domain.
  [[nodiscard]] const ToolCatalog* tools_of(const Episode& episode) {
    if (!knowledge_.tools && episode.tools != nullptr) {
      if (episode.tools != own_tools_) {
        own_tools_ = episode.tools;
        own_catalog_ = ToolCatalog(*own_tools_, InventoryOrigin::stated);
      }
      return &own_catalog_;
    }
    return inventory_.agent.empty() && inventory_.user.empty() ? nullptr : &catalog_;
  }

  /// Tasks that stand beside their episodes were not known when the first of them came.
  void learn_task_keys(const LogHeader& header) {
    std::map<std::string_view, std::string_view> hashes;
    for (const TaskDefinition& task : header.tasks) hashes[task.id] = task.content_hash;
    for (TaskFacts& task : facts_.tasks) {
      const auto found = hashes.find(task.id);
      if (found != hashes.end() && !found->second.empty()) task.key = found->second;
    }
  }

  [[nodiscard]] ToolInventory offered_tools(const LogHeader& header,
                                            const KnownDomain* domain) const {
    if (knowledge_.tools) return *knowledge_.tools;
    if (!header.tools.agent.empty() || !header.tools.user.empty()) return header.tools;
    if (domain == nullptr) return {};
    const bool solo = header.identity.agent_implementation == "llm_agent_solo" &&
                      header.identity.user_implementation == "dummy_user";
    return solo ? solo_inventory(domain->inventory) : domain->inventory;
  }

  struct Again {
    LogReexecution* log = nullptr;
    std::set<std::size_t> superseded;
  };

  const UserKnowledge& knowledge_;
  const FactsReading& how_;
  std::optional<Again> again_;
  LogHeader header_;  ///< as it came, with the domain once it is known
  DomainGuess guess_;
  bool holding_ = false;
  std::vector<Episode> held_;
  std::size_t held_with_calls_ = 0;
  ToolInventory inventory_;
  ToolCatalog catalog_;
  std::shared_ptr<const ToolInventory> own_tools_;  ///< of the last episode that had its own
  ToolCatalog own_catalog_;
  std::vector<std::string> policy_words_;
  std::vector<std::string> other_tools_;
  std::vector<const RuleSet*> rules_;
  std::set<std::string> reward_basis_;
  std::set<std::size_t> superseded_;
  ArmFacts facts_;
  TaskIndex tasks_;  ///< of facts_
};

/// Reads the log twice: its head, by which a world is found, then its episodes.
Result<LogFacts> read_twice(const LogInput& input, const LogFile& first,
                            const UserKnowledge& knowledge, Diagnostics& diagnostics,
                            const FactsReading& how) {
  HeadReading first_pass{.progress = {}, .read_ahead = how.threads > 1};
  if (how.progress) {
    first_pass.progress = [&how](std::uint64_t done, std::uint64_t total) {
      return how.progress(done, 2 * total);
    };
  }
  Diagnostics said_again_by_the_second_pass;
  Result<LogHead> head = read_head(input, first, said_again_by_the_second_pass, first_pass);
  if (!head) return tl::unexpected(std::move(head.error()));
  const std::string& domain = head->header.domain.empty() ? how.domain : head->header.domain;
  const Result<std::unique_ptr<LogReexecution>> log =
      (*how.reexecution)(head->header, domain, diagnostics);
  if (!log) return tl::unexpected(log.error());
  FactsSink sink(knowledge, how);
  sink.execute_again(log->get(), std::move(head->superseded));
  Result<LogHeader> header = read_log(input, first, sink, diagnostics);
  if (!header) return tl::unexpected(std::move(header.error()));
  LogFacts facts = sink.take(std::move(*header), diagnostics);
  if (*log != nullptr) (*log)->finish(diagnostics);
  return facts;
}

}  // namespace

Result<LogFacts> read_log_facts(const LogInput& input, const UserKnowledge& knowledge,
                                Diagnostics& diagnostics, const FactsReading& how) {
  if (how.reexecution != nullptr && how.first == nullptr) {
    const Result<LogFile> first = LogFile::open(input.files.at(0));
    if (!first) return tl::unexpected(first.error());
    return read_twice(input, *first, knowledge, diagnostics, how);
  }
  if (how.reexecution != nullptr) {
    return read_twice(input, *how.first, knowledge, diagnostics, how);
  }
  FactsSink sink(knowledge, how);
  Result<LogHeader> header = how.first == nullptr ? read_log(input, sink, diagnostics)
                                                  : read_log(input, *how.first, sink, diagnostics);
  if (!header) return tl::unexpected(std::move(header.error()));
  return sink.take(std::move(*header), diagnostics);
}

}  // namespace unmask
