#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/llm/chat.h"
#include "unmask/local/language_model.h"
#include "unmask/local/plain_prompt.h"

namespace unmask::local::fixtures {

/// Says a text that the test gives, byte by byte, whatever it was asked: tokens are bytes, 256 ends
/// an answer. Position by position the next byte of the text has the logit 5 and all others 0.
class FakeModel final : public LanguageModel {
 public:
  explicit FakeModel(std::string says) : says_(std::move(says)) {}

  std::size_t context = 1000;
  std::size_t nan_at = std::numeric_limits<std::size_t>::max();  ///< place in the answer
  std::atomic<bool> stopped = false;  ///< stop() comes from any thread

  [[nodiscard]] std::size_t context_tokens() const override { return context; }
  [[nodiscard]] std::size_t vocabulary_tokens() const override { return 257; }
  [[nodiscard]] ModelResult<std::vector<Token>> tokens_of(std::string_view text,
                                                          bool /*is_prompt*/) const override {
    std::vector<Token> tokens;
    for (const char byte : text) tokens.push_back(static_cast<unsigned char>(byte));
    return tokens;
  }
  [[nodiscard]] std::string text_of(Token token) const override {
    return token < 256 ? std::string(1, static_cast<char>(token)) : std::string();
  }
  [[nodiscard]] bool ends_answer(Token token) const override { return token == 256; }
  [[nodiscard]] ModelResult<std::string> prompt_of(
      std::span<const llm::ChatMessage> messages) const override {
    return plain_prompt(messages);
  }
  [[nodiscard]] std::vector<std::string> answer_ends() const override { return plain_ends(); }
  [[nodiscard]] ModelResult<std::span<const float>> evaluate(
      std::span<const Token> /*tokens*/) override {
    at_ = 0;
    return next();
  }
  [[nodiscard]] ModelResult<std::span<const float>> append(Token /*token*/) override {
    ++at_;
    return next();
  }
  [[nodiscard]] ModelResult<void> evaluate_each(
      std::span<const Token> tokens, std::size_t first,
      const std::function<void(std::size_t, std::span<const float>)>& visit) override {
    for (std::size_t i = first; i < tokens.size(); ++i) {
      at_ = i;
      const ModelResult<std::span<const float>> logits = next();
      if (!logits) return tl::unexpected(logits.error());
      visit(i, *logits);
    }
    return {};
  }
  void stop() override { stopped = true; }

 private:
  ModelResult<std::span<const float>> next() {
    if (stopped) return model_failure(ModelFault::stopped, "stopped");
    logits_.assign(vocabulary_tokens(), 0.0F);
    const std::size_t token = at_ < says_.size() ? static_cast<unsigned char>(says_[at_]) : 256U;
    logits_[token] = 5.0F;
    if (at_ == nan_at) logits_[17] = std::numeric_limits<float>::quiet_NaN();
    return std::span<const float>(logits_);
  }

  std::string says_;
  std::size_t at_ = 0;
  std::vector<float> logits_;
};

}  // namespace unmask::local::fixtures
