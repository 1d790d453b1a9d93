#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/llm/chat.h"
#include "unmask/world/message.h"
#include "unmask/world/task.h"

namespace unmask::run {

/// The assertions in words that a task's reward depends on; null if there are none.
[[nodiscard]] const std::vector<std::string>* judged_assertions(const world::Task& task);

/// Asks a model whether assertions in words hold of a conversation. Its answer is what
/// play::read_judgement reads, perhaps within a code block (judgement_in).
[[nodiscard]] llm::ChatRequest judge_request(std::span<const std::string> assertions,
                                             std::span<const world::Message> messages);

/// The JSON object in a judge's answer: without a code block's fence or words around it. The answer
/// itself if there is none.
[[nodiscard]] std::string judgement_in(std::string_view answer);

}  // namespace unmask::run
