#include "unmask/play/prompt_texts.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "play_data.h"

#include "unmask/base/error.h"
#include "unmask/world/data_files.h"
#include "unmask/world/fields.h"
#include "unmask/world/generate/own_world.h"
#include "unmask/world/value.h"

namespace unmask::play {
namespace {

constexpr std::string_view kInstructions = "agent_instructions.json";

/// Without the newline that ends a file.
std::string body(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return std::string(text);
}

Result<void> read_instructions(const world::DataFiles& files, PromptTexts& texts) {
  if (!files.has(kInstructions)) return {};
  const std::string place = files.place_of(kInstructions);
  const Result<std::string> bytes = files.read(kInstructions);
  if (!bytes) return tl::unexpected(bytes.error());
  const Result<world::Value> parsed = world::parse_json(*bytes);
  if (!parsed) return fail(ErrorCode::bad_input, place + ": " + parsed.error().message);
  world::Fields fields(*parsed, place);
  texts.agent = fields.text("llm_agent");
  texts.agent_ground_truth = fields.text("llm_agent_gt");
  texts.agent_solo = fields.text("llm_agent_solo");
  texts.agent_step = fields.text("agent_step");
  texts.user_step = fields.text("user_step");
  texts.done_tool = fields.text("done");
  if (const std::optional<Error>& error = fields.error()) return tl::unexpected<Error>(*error);
  return {};
}

/// The first of a file's places that exists: beside the domain's folder or below the data's root.
Result<void> read_guidelines(const world::DataFiles& files, const std::string& name,
                             std::string& text) {
  constexpr std::array<std::string_view, 5> kFolders = {
      "data/tau2/user_simulator/", "tau2/user_simulator/", "user_simulator/", "../user_simulator/",
      "../../user_simulator/"};
  for (const std::string_view folder : kFolders) {
    const std::string place = std::string(folder) + name;
    if (!files.has(place)) continue;
    Result<std::string> bytes = files.read(place);
    if (!bytes) return tl::unexpected(bytes.error());
    text = std::move(*bytes);
    return {};
  }
  return {};
}

}  // namespace

const PromptTexts& own_prompt_texts() {
  static const PromptTexts texts{
      .agent = body(play_data::agent_md),
      .agent_ground_truth = body(play_data::agent_ground_truth_md),
      .agent_solo = body(play_data::agent_solo_md),
      .agent_step = "Call {}.",
      .user_step = "Have the customer call {}.",
      .done_tool = "Ends the work on the ticket.",
      .user = std::string(world::generated::user_guidelines(false)),
      .user_with_tools = std::string(world::generated::user_guidelines(true)),
  };
  return texts;
}

Result<PromptTexts> read_prompt_texts(const world::DataFiles& files) {
  PromptTexts texts = own_prompt_texts();
  for (const Result<void>& read :
       {read_instructions(files, texts),
        read_guidelines(files, "simulation_guidelines.md", texts.user),
        read_guidelines(files, "simulation_guidelines_tools.md", texts.user_with_tools)}) {
    if (!read) return tl::unexpected(read.error());
  }
  return texts;
}

}  // namespace unmask::play
