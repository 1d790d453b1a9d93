#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "unmask/base/error.h"
#include "unmask/llm/chat.h"
#include "unmask/local/gguf_file.h"

namespace unmask::local {

using Token = std::int32_t;

/// Why a model in the process gives no answer.
enum class ModelFault : std::uint8_t {
  context_overflow,  ///< more tokens than its context holds
  not_a_number,      ///< logits that are no numbers: a damaged file, an overflow in the arithmetic
  stopped,           ///< by stop()
  failed,            ///< anything else
};

struct ModelError {
  ModelFault fault = ModelFault::failed;
  std::string message;

  bool operator==(const ModelError&) const = default;
};

template <typename T>
using ModelResult = tl::expected<T, ModelError>;

[[nodiscard]] inline tl::unexpected<ModelError> model_failure(ModelFault fault,
                                                              std::string message) {
  return tl::unexpected<ModelError>(ModelError{fault, std::move(message)});
}

/// A token of a tree that stands behind a text. Place 0 is the end of the text, place i + 1 the end
/// of the tree's token i.
struct TreeToken {
  Token token = 0;
  std::size_t after = 0;  ///< the place that it follows, of a token before it in the tree

  bool operator==(const TreeToken&) const = default;
};

/// What is shown of a tree: logits of what follows each place, valid during the call.
using VisitPlace = std::function<void(std::size_t place, std::span<const float> logits)>;

/// A language model in this process. One thread at a time, but for stop().
///
/// The same tokens give the same logits, bit for bit, whatever was asked before: a prompt is
/// evaluated in blocks of fixed size, and of an earlier one only whole blocks are used again.
class LanguageModel {
 public:
  LanguageModel() = default;
  LanguageModel(const LanguageModel&) = delete;
  LanguageModel& operator=(const LanguageModel&) = delete;
  virtual ~LanguageModel() = default;

  /// Tokens that fit, prompt and answer together.
  [[nodiscard]] virtual std::size_t context_tokens() const = 0;
  /// Logits are so many.
  [[nodiscard]] virtual std::size_t vocabulary_tokens() const = 0;

  /// Tokens of a text. `is_prompt`: tokens of control such as `<|im_start|>` are recognised, and
  /// the token that begins a text is put in front if the model wants one; else all is plain text.
  [[nodiscard]] virtual ModelResult<std::vector<Token>> tokens_of(std::string_view text,
                                                                  bool is_prompt) const = 0;
  /// Bytes of a token, which need not be whole characters; tokens of control have none.
  [[nodiscard]] virtual std::string text_of(Token token) const = 0;
  /// Whether a token ends an answer.
  [[nodiscard]] virtual bool ends_answer(Token token) const = 0;
  /// The text that asks for the next message of the assistant, by the model's chat template; in
  /// plain words ("User: ...") where it has none. Roles are system, user and assistant.
  [[nodiscard]] virtual ModelResult<std::string> prompt_of(
      std::span<const llm::ChatMessage> messages) const = 0;
  /// Texts that end an answer besides its tokens: where prompt_of has no template to mark ends
  /// with.
  [[nodiscard]] virtual std::vector<std::string> answer_ends() const = 0;

  /// Logits of what follows `tokens`, valid until the next call. `tokens` must not be empty.
  [[nodiscard]] virtual ModelResult<std::span<const float>> evaluate(
      std::span<const Token> tokens) = 0;
  /// The same after one more token. Precondition: evaluate() has succeeded.
  [[nodiscard]] virtual ModelResult<std::span<const float>> append(Token token) = 0;
  /// Logits of what follows each of `tokens` from position `first` on, given the tokens up to it:
  /// `visit(i, logits)` for i = first, first + 1 ... Computed in one pass; against evaluate() they
  /// may differ in the last bits, so compare like with like.
  [[nodiscard]] virtual ModelResult<void> evaluate_each(
      std::span<const Token> tokens, std::size_t first,
      const std::function<void(std::size_t, std::span<const float>)>& visit) = 0;

  /// Logits of what follows `beginning` (not empty) and each token of a tree behind it, parents
  /// before what follows them. Common beginnings are evaluated once, and what an earlier call left
  /// behind is used again; the logits are the same, bit for bit, whatever was asked before. Against
  /// evaluate() and evaluate_each() they may differ in the last bits. `goes_on` may be empty; when
  /// it says no, asked between blocks, this ends as stopped.
  [[nodiscard]] virtual ModelResult<void> evaluate_tree(std::span<const Token> beginning,
                                                        std::span<const TreeToken> tree,
                                                        const VisitPlace& visit,
                                                        const std::function<bool()>& goes_on) = 0;

  /// Makes the call that is under way, and all that follow, end with ModelFault::stopped. From any
  /// thread.
  virtual void stop() = 0;
};

struct ModelSettings {
  std::filesystem::path file;
  std::size_t context_tokens = 0;  ///< 0: see context_of
  int threads = 1;
};

/// Whether this build holds llama.cpp (UNMASK_LLAMA).
[[nodiscard]] bool has_llama();

/// What to do about a build that does not.
inline constexpr std::string_view kWithoutLlama =
    "this unmask was built without llama.cpp: run scripts/get-llama and build with cmake --preset "
    "llama (docs/local-models.md), or serve the model with llama-server and give its base_url";

/// Loads a GGUF file. Errors: those of read_gguf; bad_input for a file that llama.cpp can't load or
/// that holds weights which are no numbers; invalid_argument in a build without llama.cpp, or for a
/// context beyond the model's.
[[nodiscard]] Result<std::unique_ptr<LanguageModel>> open_model(const ModelSettings& settings);

/// Writes `from` with its weights in another type: `f16`, `q8_0`, `q5_1`, `q5_0`, `q4_1`, `q4_0`,
/// `q6_k`, `q5_k_m`, `q4_k_m`, `q3_k_s`, `q2_k`. `sim4`, `sim3` and `sim2` round the layers'
/// matrices to a grid of so many bits (round_to_grid()) and store them as f16, with the file's
/// mark (kSimulatedBitsKey); they need memory for the whole file. Weights that are quantized
/// already are quantized again. Where a row's width does not fit a type's blocks, llama.cpp takes
/// another one: what came out is for read_gguf to say. Errors: those of read_gguf,
/// invalid_argument, outside.
[[nodiscard]] Result<void> quantize(const std::filesystem::path& from,
                                    const std::filesystem::path& to, std::string_view type,
                                    int threads);

}  // namespace unmask::local
