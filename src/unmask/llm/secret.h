#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace unmask::llm {

/// A key. It can't be printed, compared or turned into text by accident: who needs it says
/// `reveal`. Texts from outside go through `redact`, since servers echo what they were sent.
class Secret {
 public:
  /// Shorter ones are placeholders that servers without keys are given (`EMPTY`, `none`); to redact
  /// them would garble ordinary text.
  static constexpr std::size_t kShortestRedacted = 8;

  Secret() = default;
  explicit Secret(std::string text) : text_(std::move(text)) {}

  [[nodiscard]] bool empty() const { return text_.empty(); }
  /// Only for the request that needs it.
  [[nodiscard]] const std::string& reveal() const { return text_; }
  /// `text` with `[redacted]` wherever the secret stands, also where JSON escapes its slashes.
  [[nodiscard]] std::string redact(std::string text) const;

 private:
  std::string text_;
};

template <typename Stream>
Stream& operator<<(Stream& stream, const Secret& secret) = delete;

}  // namespace unmask::llm
