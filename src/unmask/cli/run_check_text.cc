#include "unmask/cli/run_check_text.h"

#include <array>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/joined.h"
#include "unmask/cli/run_display.h"
#include "unmask/report/terminal_text.h"
#include "unmask/run/endpoint_check.h"
#include "unmask/run/run_plan.h"
#include "unmask/run/run_study.h"

namespace unmask::cli {
namespace {

using run::Finding;

void add(std::string& out, std::string_view what, const std::string& says) {
  constexpr std::size_t kWidth = 20;
  std::string label = "  ";
  label += what;
  if (label.size() < kWidth) label.append(kWidth - label.size(), ' ');
  out += label + text::safe(says) + '\n';
}

std::string fixed(double value, int decimals) {
  std::array<char, 48> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
  return buffer.data();
}

std::string with_hint(Finding finding, Finding when, std::string_view hint) {
  std::string says(name_of(finding));
  if (finding == when) says.append(": ").append(hint);
  return says;
}

void add_report(std::string& out, const run::EndpointPlan& plan,
                const run::EndpointReport& report) {
  out += "endpoint " + text::safe(plan.name) + "  " + text::safe(report.address) + '\n';
  if (!report.error.empty()) {
    add(out, "NOT USABLE", report.error);
  }
  std::string const listed = with_hint(
      report.model_listed, Finding::no,
      "'" + plan.model + "' is not among " +
          (report.models.empty() ? std::string("its models") : joined(report.models, ", ")));
  if (report.weights.empty()) {
    add(out, "model listed", listed);
  } else {
    add(out, "model", report.weights);
    add(out, "chat template", report.chat_template);
  }
  add(out, "context",
      report.context_tokens ? std::to_string(*report.context_tokens) + " tokens" : "not known");
  if (!report.error.empty()) return;
  add(out, "calls tools",
      with_hint(report.calls_tools, Finding::no,
                !report.called_instead.empty()
                    ? "asked to use the tool get_weather it called '" + report.called_instead +
                          "', which was not offered; calls come through, but the model invents "
                          "names, or the server's parser doesn't fit the model"
                : report.weights.empty()
                    ? "asked to use a tool it wrote text; start the server with a parser of tool "
                      "calls (vLLM: --enable-auto-tool-choice --tool-call-parser ...), or set "
                      "text_protocol = true"
                    : "asked to use a tool, in words, it wrote something else: a weak agent"));
  add(out, "undeclared names",
      with_hint(report.undeclared_names, Finding::no,
                "a call of a name that was not offered did not come back as a call; the model "
                "may have declined, or a grammar or the server prevents it, and then hallucinated "
                "names can't be seen"));
  add(out, "log-probabilities",
      with_hint(report.log_probabilities, Finding::no,
                "none for the tokens of a tool's name; margins can't be measured here"));
  add(out, "reasoning",
      with_hint(report.reasons, Finding::yes,
                "it is written before or beside the answer; unmask does not put it back into the "
                "history"));
  if (report.seconds) add(out, "one short answer", fixed(*report.seconds, 2) + " s");
}

}  // namespace

std::string check_text(const run::RunPlan& plan, const std::vector<run::EndpointReport>& reports,
                       const std::vector<run::RunEstimate>& estimates) {
  std::string out;
  if (reports.empty()) out += "the study has no endpoints: nothing to probe\n";
  for (const run::EndpointReport& report : reports) {
    if (const run::EndpointPlan* endpoint = plan.study.find_endpoint(report.endpoint)) {
      add_report(out, *endpoint, report);
    }
  }
  if (estimates.empty()) return out;
  const std::string agents = std::to_string(run::kAssumedAgentMessages) + " messages of an agent";
  const std::string each_long = std::to_string(run::kAssumedMessageTokens) + " tokens each";
  out +=
      plan.is_single_turn()
          ? "\nall first calls, roughly (assumed: an answer's history is half of an episode of " +
                agents + ", " + each_long + "; no caching)\n"
          : "\nthe whole run, roughly (assumed: " + agents + " and " +
                std::to_string(run::kAssumedUserMessages) + " of a user an episode, " + each_long +
                "; no caching)\n";
  for (const run::RunEstimate& each : estimates) {
    std::string says = short_count(each.requests) + " requests, " +
                       short_count(each.prompt_tokens) + " prompt tokens, " +
                       short_count(each.completion_tokens) + " completion tokens";
    if (each.hours) says += ", " + fixed(*each.hours, 1) + " h at its concurrency";
    add(out, each.endpoint, says);
  }
  return out;
}

}  // namespace unmask::cli
