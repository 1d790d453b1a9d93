#pragma once

#include <cstdint>
#include <string>

namespace unmask::local::fixtures {

/// A model of random weights: llama's architecture, a vocabulary of bytes.
struct TinyModel {
  std::uint64_t seed = 1;
  std::uint32_t context_tokens = 256;
  std::string chat_template =
      "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + "
      "message['content'] + '<|im_end|>' + '\n'}}{% endfor %}"
      "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";
  float scale = 0.3F;          ///< standard deviation of the weights
  float last_norm = 1.0F;      ///< factor of what goes into the output
  bool output_is_nan = false;  ///< a weight of the output's that is no number
  bool known_type = true;      ///< false: a tensor has a type that nobody knows
};

/// The bytes of its GGUF file, all weights f32.
[[nodiscard]] std::string gguf_bytes(const TinyModel& model);

}  // namespace unmask::local::fixtures
