#include "unmask/ingest/log_fixtures.h"

#include <filesystem>
#include <stdexcept>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

namespace unmask::fixtures {

namespace fs = std::filesystem;

Forbidden::Forbidden(std::string path) : path_(std::move(path)), was_root_(::geteuid() == 0) {
  constexpr uid_t kNobody = 65534;
  bool done = ::chmod(path_.c_str(), 0) == 0;
  if (was_root_) {
    done = done && ::chmod(fs::path(path_).parent_path().c_str(), 0755) == 0 &&
           ::seteuid(kNobody) == 0;
  }
  if (!done) throw std::runtime_error("the file can't be made unreadable");
}

Forbidden::~Forbidden() {
  // Where the change back fails, the file stays as it is and the folder goes all the same.
  if (was_root_ && ::seteuid(0) != 0) return;
  ::chmod(path_.c_str(), 0600);
}

std::string gzipped(std::string_view bytes) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string input(bytes);
  std::string out(deflateBound(&stream, static_cast<uLong>(input.size())) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd_packed(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
  return out;
}

namespace {

std::string json_string(std::string_view text) {
  // Fixture texts hold nothing that needs escaping but line ends and quotes.
  std::string out = "\"";
  for (const char byte : text) {
    if (byte == '\n') {
      out += "\\n";
    } else {
      if (byte == '"' || byte == '\\') out += '\\';
      out += byte;
    }
  }
  return out + '"';
}

void append_member(std::string& out, std::string_view key, const std::string& value) {
  if (value.empty()) return;
  if (out.size() > 1) out += ", ";
  out += json_string(key) + ": " + value;
}

}  // namespace

std::string says(std::string_view role, std::string_view text) {
  return "{\"role\": " + json_string(role) + ", \"content\": " + json_string(text) +
         ", \"tool_calls\": null}";
}

std::string calls(std::string_view role, std::string_view id, std::string_view name,
                  std::string_view arguments) {
  return "{\"role\": " + json_string(role) +
         ", \"content\": null, \"tool_calls\": [{\"id\": " + json_string(id) +
         ", \"name\": " + json_string(name) + ", \"arguments\": " + std::string(arguments) +
         ", \"requestor\": " + json_string(role) + "}]}";
}

std::string answers(std::string_view party, std::string_view id, std::string_view content,
                    bool error) {
  return "{\"role\": \"tool\", \"id\": " + json_string(id) +
         ", \"content\": " + json_string(content) + ", \"requestor\": " + json_string(party) +
         ", \"error\": " + (error ? "true" : "false") + "}";
}

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) {
    if (!out.empty()) out += ",\n";
    out += part;
  }
  return out;
}

std::string to_json(const SimulationText& simulation) {
  std::string out = "{";
  append_member(out, "id", simulation.id);
  append_member(out, "task_id", simulation.task_id);
  append_member(out, "trial", simulation.trial);
  append_member(out, "seed", simulation.seed);
  append_member(out, "start_time", "\"2025-07-01T10:00:00\"");
  append_member(out, "duration", "12.5");
  append_member(out, "termination_reason", simulation.termination_reason);
  append_member(out, "reward_info", simulation.reward_info);
  append_member(out, "messages", "[" + joined(simulation.messages) + "]");
  return out + simulation.more + "}";
}

SimulationText small_simulation(std::string_view task_id, int trial) {
  SimulationText simulation;
  simulation.id = json_string("s-" + std::string(task_id) + "-" + std::to_string(trial));
  simulation.task_id = json_string(task_id);
  simulation.trial = std::to_string(trial);
  simulation.messages = {says("assistant", "Hello"),
                         says("user", "Please open my lamp"),
                         calls("assistant", "c1", "open_lid", R"({"lamp": 7, "gently": true})"),
                         answers("assistant", "c1", "open"),
                         calls("assistant", "c2", "turn_wheel"),
                         answers("assistant", "c2", "Error: Tool 'turn_wheel' not found.", true),
                         says("assistant", "Done")};
  return simulation;
}

std::string info() {
  return R"({"git_commit": "0000000000000000000000000000000000000abc", "num_trials": 2, "max_steps": 60,
    "max_errors": 10, "seed": 300,
    "user_info": {"implementation": "user_simulator", "llm": "talker-2", "llm_args": {"temperature": 0.0}},
    "agent_info": {"implementation": "llm_agent", "llm": "hosted_vllm/acme/Tinker-8B-AWQ",
      "llm_args": {"temperature": 0.7, "top_p": 0.95, "api_key": "not-for-anyone-1234", "num_retries": 3}},
    "environment_info": {"domain_name": "workshop", "policy": "Use open_lid before turn_wheel.",
      "tool_defs": null}})";
}

std::string task(std::string_view id) {
  return "{\"id\": " + json_string(id) +
         R"(, "user_scenario": {"persona": null, "instructions": {"domain": "workshop",
      "reason_for_call": "The lamp is dark"}},
    "evaluation_criteria": {"actions": [{"action_id": "a_0", "requestor": "assistant", "name": "open_lid",
      "arguments": {"lamp": 7}}], "reward_basis": ["DB"]}})";
}

std::string results(const std::vector<std::string>& simulations) {
  return "{\"timestamp\": \"2025-07-01T09:00:00.123\", \"info\": " + info() + ", \"tasks\": [" +
         joined({task("lamp"), task("bench")}) + "], \"simulations\": [" + joined(simulations) +
         "]}";
}

std::string Loaded::sentence(std::string_view code) const {
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    if (diagnostic.code == code) return diagnostic.sentence;
  }
  return {};
}

Loaded load_path(const std::string& path) {
  Loaded loaded;
  loaded.log = load_log(path, loaded.diagnostics);
  return loaded;
}

Loaded load_text(std::string_view text, const std::string& name) {
  const TemporaryFolder folder;
  return load_path(folder.write(name, text));
}

}  // namespace unmask::fixtures
