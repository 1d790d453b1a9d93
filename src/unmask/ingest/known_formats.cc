#include "unmask/ingest/known_formats.h"

#include <array>
#include <string_view>

namespace unmask {

namespace {

/// A format that is known and not read, told by members that only it has.
struct KnownFormat {
  std::string_view name;
  std::array<std::string_view, 3> members;  ///< all must be there; empty ones ask nothing
};

constexpr std::string_view kWhatIsRead =
    "read are tau2-bench's logs in all their layouts (info, tasks, simulations ...), tau-bench's "
    "(traj) and OpenAI chat messages (messages), as JSON or JSON lines; anything else can be "
    "written "
    "as a table (unmask.table/1, docs/formats/table.md)";

constexpr std::array<KnownFormat, 15> kKnownFormats = {{
    {"a BFCL multi-turn result", {"id", "result", "inference_log"}},
    {"a BFCL score file", {"accuracy", "correct_count", "total_count"}},
    {"an Inspect AI log", {"eval", "plan", "status"}},
    {"a SWE-agent trajectory", {"trajectory", "history", "info"}},
    {"a Kimi vendor-verifier result", {"data_index", "request", ""}},
    {"an LLM call log", {"id", "input.messages", "output"}},
    {"chat messages that stand alone, one a line (put those of an episode into one object's "
     "'messages')",
     {"role", "content", ""}},
    {"a tool-call repair case", {"request_tools", "raw_output", ""}},
    {"a Claude Code session", {"type", "sessionId", ""}},
    {"an MCP-Bench run", {"task_run_results", "", ""}},
    {"a tool-calling run file with results", {"results[].tool_calls", "results[].task_id", ""}},
    {"an Exgentic event log", {"event", "session_id", ""}},
    {"a quant-mcp-bench result", {"svr", "tsr", ""}},
    {"an agent trace with steps", {"trace_id", "steps", ""}},
    {"an OpenTelemetry export", {"resourceSpans", "", ""}},
}};

bool fits(const KnownFormat& format, const Fingerprint& print) {
  for (const std::string_view member : format.members) {
    if (!member.empty() && !print.has(member)) return false;
  }
  return true;
}

std::string members_seen(const Fingerprint& print) {
  std::string list;
  std::size_t shown = 0;
  for (const std::string& path : print.paths) {
    if (path.find('.') != std::string::npos && !path.starts_with("[].")) continue;
    if (++shown > 8) return list + " ...";
    if (!list.empty()) list += ", ";
    list += path;
  }
  return list;
}

}  // namespace

std::string why_not_read(const Fingerprint& print) {
  switch (print.shape) {
    case Shape::empty:
      return "is empty; the run may have been stopped before it wrote anything (copy it again)";
    case Shape::html:
      return "is a web page, not a log (a download that failed?); fetch the raw file";
    case Shape::zip:
      return "is a ZIP archive; unpack it, or if it is an Inspect .eval log convert it to a "
             "supported format first";
    case Shape::utf16:
      return "is UTF-16 text; convert it to UTF-8 (iconv -f UTF-16 -t UTF-8)";
    case Shape::binary:
      return "is no text; a log is JSON, plain or compressed with gzip or zstd";
    case Shape::text:
      return "is not JSON" + (print.problem.empty() ? "" : " (" + print.problem + ")") +
             "; a log is JSON, plain or compressed with gzip or zstd";
    case Shape::object:
    case Shape::array:
    case Shape::lines:
      break;
  }
  for (const KnownFormat& format : kKnownFormats) {
    if (fits(format, print)) {
      return "looks like " + std::string(format.name) + ", a format that is not read; " +
             std::string(kWhatIsRead);
    }
  }
  const std::string seen = members_seen(print);
  if (!print.problem.empty()) {
    return "is damaged JSON (" + print.problem + ")" +
           (seen.empty() ? std::string() : ", of which " + seen + " can be read") +
           "; copy the file again, or finish the run";
  }
  return "is JSON of no known log format" +
         (seen.empty() ? std::string(" (no members)") : " (it has " + seen + ")") + "; " +
         std::string(kWhatIsRead);
}

}  // namespace unmask
