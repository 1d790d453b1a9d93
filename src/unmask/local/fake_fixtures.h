#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/rng.h"
#include "unmask/llm/chat.h"
#include "unmask/local/language_model.h"
#include "unmask/local/plain_prompt.h"
#include "unmask/local/token_tree.h"

namespace unmask::local::fixtures {

/// Says a text that the test gives, byte by byte, whatever it was asked: tokens are bytes, 256 ends
/// an answer. Position by position the next byte of the text has the logit 5 and all others 0.
class FakeModel final : public LanguageModel {
 public:
  explicit FakeModel(std::string says) : says_(std::move(says)) {}

  std::size_t context = 1000;
  std::size_t nan_at = std::numeric_limits<std::size_t>::max();  ///< place in the answer
  std::atomic<bool> stopped = false;                             ///< stop() comes from any thread

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
  [[nodiscard]] ModelResult<void> evaluate_tree(std::span<const Token> beginning,
                                                std::span<const TreeToken> tree,
                                                const VisitPlace& visit,
                                                const std::function<bool()>& goes_on) override {
    return evaluate_branches(*this, beginning, tree, visit, goes_on);
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

/// Logits are draws that the whole sequence before them decides. Tokens are bytes and, from 256 on,
/// `merges`, the longest that fits first.
class DrawingModel final : public LanguageModel {
 public:
  explicit DrawingModel(std::vector<std::string> merges = {}) : merges_(std::move(merges)) {}

  std::size_t context = 1000;
  Token nan_behind = -1;                                           ///< no numbers behind this token
  std::size_t stops_at = std::numeric_limits<std::size_t>::max();  ///< of sequences evaluated
  std::size_t sequences = 0;                                       ///< evaluated so far
  std::uint64_t seed = 1;                                          ///< of the draws

  [[nodiscard]] std::size_t context_tokens() const override { return context; }
  [[nodiscard]] std::size_t vocabulary_tokens() const override { return 256 + merges_.size(); }
  [[nodiscard]] ModelResult<std::vector<Token>> tokens_of(std::string_view text,
                                                          bool /*is_prompt*/) const override {
    std::vector<Token> tokens;
    while (!text.empty()) {
      Token best = static_cast<unsigned char>(text.front());
      std::size_t length = 1;
      for (std::size_t i = 0; i < merges_.size(); ++i) {
        if (merges_[i].size() > length && text.starts_with(merges_[i])) {
          best = static_cast<Token>(256 + i);
          length = merges_[i].size();
        }
      }
      tokens.push_back(best);
      text.remove_prefix(length);
    }
    return tokens;
  }
  [[nodiscard]] std::string text_of(Token token) const override {
    return token < 256 ? std::string(1, static_cast<char>(token))
                       : merges_[static_cast<std::size_t>(token) - 256];
  }
  [[nodiscard]] bool ends_answer(Token /*token*/) const override { return false; }
  [[nodiscard]] ModelResult<std::string> prompt_of(
      std::span<const llm::ChatMessage> messages) const override {
    return plain_prompt(messages);
  }
  [[nodiscard]] std::vector<std::string> answer_ends() const override { return {}; }
  [[nodiscard]] ModelResult<std::span<const float>> evaluate(
      std::span<const Token> tokens) override {
    before_.assign(tokens.begin(), tokens.end());
    return next();
  }
  [[nodiscard]] ModelResult<std::span<const float>> append(Token token) override {
    before_.push_back(token);
    return next();
  }
  [[nodiscard]] ModelResult<void> evaluate_each(
      std::span<const Token> tokens, std::size_t first,
      const std::function<void(std::size_t, std::span<const float>)>& visit) override {
    if (++sequences > stops_at) return model_failure(ModelFault::stopped, "stopped");
    for (std::size_t i = first; i < tokens.size(); ++i) {
      before_.assign(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      visit(i, next());
    }
    return {};
  }
  [[nodiscard]] ModelResult<void> evaluate_tree(std::span<const Token> beginning,
                                                std::span<const TreeToken> tree,
                                                const VisitPlace& visit,
                                                const std::function<bool()>& goes_on) override {
    return evaluate_branches(*this, beginning, tree, visit, goes_on);
  }
  void stop() override { stops_at = 0; }

 private:
  std::span<const float> next() {
    std::uint64_t key = seed;
    for (const Token token : before_) {
      key = (key ^ static_cast<std::uint64_t>(token)) * 0x100000001B3;
    }
    Rng random(key, "drawing_model");
    logits_.clear();
    for (std::size_t i = 0; i < vocabulary_tokens(); ++i) {
      logits_.push_back(static_cast<float>(3.0 * random.normal()));
    }
    if (before_.back() == nan_behind) logits_[17] = std::numeric_limits<float>::quiet_NaN();
    return logits_;
  }

  std::vector<std::string> merges_;
  std::vector<Token> before_;
  std::vector<float> logits_;
};

}  // namespace unmask::local::fixtures
