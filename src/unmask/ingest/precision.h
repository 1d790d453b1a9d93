#pragma once

#include <string>
#include <string_view>

namespace unmask {

/// What a model's or file's name says of precision; a guess by nature.
struct PrecisionGuess {
  std::string
      precision;  ///< `int4`, `int8`, `fp8`, `fp4`, `bf16`, `fp16` ...; empty if it says nothing
  std::string method;  ///< `awq`, `gptq`, `gguf q4_k_m` ...; empty if it says nothing

  bool operator==(const PrecisionGuess&) const = default;
};

/// Reads marks such as `AWQ`, `GPTQ-Int4`, `w4a16`, `FP8`, `Q4_K_M`, `IQ3_XS`, `bnb-4bit`, `bf16`.
[[nodiscard]] PrecisionGuess guess_precision(std::string_view name);

/// `name` in lower case without provider prefix and precision marks: what the precisions of one
/// model have in common. `RedHatAI/Qwen3-8B-quantized.w4a16` -> `qwen3-8b`.
[[nodiscard]] std::string model_family(std::string_view name);

/// `8b`, `30b-a3b`, `0.6b`; empty if the name has none.
[[nodiscard]] std::string model_size(std::string_view name);

/// True if the name says mixture of experts (`30B-A3B`, `8x7B`, `MoE`).
[[nodiscard]] bool names_mixture_of_experts(std::string_view name);

/// The engine that a provider prefix stands for (`hosted_vllm/`, `ollama_chat/`); empty if none.
[[nodiscard]] std::string engine_of_model_name(std::string_view name);

}  // namespace unmask
