#include "unmask/local/plain_prompt.h"

#include <span>
#include <string>
#include <vector>

#include "unmask/llm/chat.h"

namespace unmask::local {

std::string plain_prompt(std::span<const llm::ChatMessage> messages) {
  std::string prompt;
  for (const llm::ChatMessage& message : messages) {
    if (message.role == llm::ChatRole::assistant) prompt += "Assistant: ";
    if (message.role == llm::ChatRole::user || message.role == llm::ChatRole::tool) {
      prompt += "User: ";
    }
    prompt += message.content.value_or("") + "\n\n";
  }
  return prompt + "Assistant:";
}

std::vector<std::string> plain_ends() { return {"\nUser:", "\nAssistant:"}; }

}  // namespace unmask::local
