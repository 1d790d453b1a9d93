#include "unmask/report/help_topics.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace unmask {
namespace {

constexpr std::string_view kVerdicts =
    R"(VERDICTS: what the audit says of an arm, compared with the reference of its cell

The first that fits:

  VISIBLE DAMAGE    The score drops. You would have seen it without unmask.
  MASKED DAMAGE     The score hides it: the agent fails more often (some channel
                    is amplified), and the gap to the reference widens as the
                    error budget shrinks. Users with less patience than the
                    benchmark will notice.
  AMPLIFIED         The agent fails more often, but the gap is not shown to
                    widen at the headline budget (K=2, the first of --budgets).
                    Gaps at other K stand in the table; they are not tested.
  BUDGET-SENSITIVE  The gap widens as the budget shrinks, though no single
                    channel is amplified.
  IMPROVED          The score rises.
  CLEAN             Shown to be harmless, which is more than "no difference
                    found": scores equivalent at the full and at the small
                    budget, and no channel that could be much louder. The
                    largest ratio and gap that remain possible are printed.
  INCONCLUSIVE      None of these could be shown. `open` lists what is missing
                    and how many tasks would settle it.

After MASKED DAMAGE and AMPLIFIED: `score equivalent` (within the margin, 7.5
points unless --margin says otherwise), `score better` or `score not decided`.

A channel is amplified if its errors an episode rise by a quarter or more
(x1.25), beyond chance after correction for all tests of the study (Holm).
Tests flip the labels of whole tasks; intervals treat the trials of a task as
dependent. The same input and seed give the same figures.

`semantics` repeats the verdict under the 16 readings of "error budget" (see
`unmask help budget`). Trials that vanished are counted as failed, then as
passed: a verdict that changes becomes INCONCLUSIVE.
)";

constexpr std::string_view kScreen =
    R"(SCREEN: what an arm's own log says of the damage that more errors would do

A precision that thins a model's margins multiplies the errors that the model
makes already. So the reference alone tells what there is to multiply:

  propensity   errors of a channel in 100 calls of the agent. Near zero: the
               95 % bound is under 1 % of calls (--near-zero). Few calls without
               an error do not show that.
  points lost  S(K) less what would be left of it if an episode had a times as
               many errors, a = 1.5, 2, 2.5, 3 (--factors). Failed calls come in
               runs; their number in solved episodes is fitted (negative
               binomial), their lengths follow from the recovery. Episodes that
               fail already have nothing to lose.
  at least     (--verbose) the simple form: extra errors one by one, an episode
               without an error stays without. A lower bound at small K.
  only ...     the same if only the agent's errors, or those of one channel,
               were twice as many. The user simulator's errors count towards the
               budget too, but quantizing the agent need not multiply them.

  HIGH         some channel is not near zero, and twice the agent's errors
               (--judge-at) would cost 7.5 points or more (--serious) at K=2, 5
               or the log's own budget
  LOW          every channel is near zero, and such a loss is excluded
  GUARDED      between
  UNKNOWN      no calls, one task, or no solved episode

It is a what-if, no forecast: whether a precision multiplies errors, and by how
much, only a log of that precision tells (unmask audit, which sets what the
reference foretold beside what came).
)";

constexpr std::string_view kChannels =
    R"(CHANNELS: why a tool call failed; the first that fits

  malformed      The call can't be read: its arguments are not a JSON object,
                 or it names no tool.
  tool_name      A hallucinated tool: the name was not offered to the caller.
                 Kinds, where the name comes from:
                   wrong_owner       a tool of the other party, for instance of
                                     the simulated user
                   near_miss         an offered name, spelled differently
                   named_in_context  stands in the policy or an earlier message
                   other_domain      a tool of another known benchmark domain
                   novel             from nowhere
  arguments      The arguments break the tool's schema: one is missing, too
                 many, of the wrong type, or not among the allowed values.
  entity         Well-formed, but names something that does not exist: a user,
                 an order, a line.
  precondition   It exists, but its state or a rule refuses the action.
  other          None of these. The share is always shown; if it is large, add
                 rules with --rules.

Not the model's failures, counted apart: infrastructure (time-outs, 5xx).
`args + entity` adds two channels up; `not wrong_owner` are the names that
exist for nobody.

Three rates, which answer different questions:
  errors an episode           what the error budget feels; ratios use it
  errors a call               share of calls; extra errors also raise the
                              number of calls, so its ratio looks smaller
  errors a successful call    neutral to both. If only the first rises, the
                              episodes got longer, not worse.

The evidence for a channel is the structure of the call first (is the name
offered? does the schema fit?), then the text of the error. A channel that the
log states itself is taken over.
`unmask diagnose FILE --format csv` lists every failed call with its channel.
)";

constexpr std::string_view kBudget =
    R"(BUDGET: how many failed tool calls an episode may have

Benchmarks end an episode when K tool calls have failed: that is the error
budget, 10 in tau2-bench unless changed. A large budget forgives: an agent
that fails twice as often still gets there, and the score stays flat.

S(K) is the score if the K-th failed call had ended the episode. It needs no
new runs: an episode that was solved with E failed calls counts as solved for
every K above E. Beyond the log's own budget nobody knows how the stopped
episodes would have gone on; there the score is a band.

The gap D(K) is the reference's S(K) minus the arm's, in points. The widening
is the gap at a small budget (K=2) minus the gap at the log's own budget:
damage that the budget hid.

"A budget of K" is read in different ways. Four switches:
  counts   both parties' failed calls, or the agent's only
  how      cumulative, or consecutive (a success starts the count afresh)
  tested   after each message (turn), or after each call
  ends     reach: the K-th failed call ends it (the default, as in tau2-bench)
           exceed: K failed calls are allowed, the next one ends it
The headline gap is printed at both ends: at K (reach) and at K+1 (exceed).
The audit repeats its verdict under all 16 settings and says where it differs.

Not every log that says max_errors 10 was stopped by it: tau2-bench up to 0.2.1
never counted. `unmask inspect FILE` tells which budget was enforced, whose
errors counted, and how many episodes it stopped.
)";

constexpr std::array<std::string_view, 4> kNames = {"verdicts", "channels", "budget", "screen"};
constexpr std::array<std::string_view, 4> kTexts = {kVerdicts, kChannels, kBudget, kScreen};

}  // namespace

std::span<const std::string_view> help_topics() { return kNames; }

std::optional<std::string> help_topic(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames.at(i) == name) return std::string(kTexts.at(i));
  }
  return std::nullopt;
}

}  // namespace unmask
