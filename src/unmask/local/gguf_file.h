#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"

namespace unmask::local {

/// The tensors of a file that are stored in one type.
struct TensorType {
  std::string name;  ///< `q4_0`, `f32` ...
  std::uint64_t tensors = 0;
  std::uint64_t weights = 0;
  std::uint64_t bytes = 0;

  bool operator==(const TensorType&) const = default;
};

/// What a GGUF file says of itself, its weights apart.
struct GgufFile {
  std::string architecture;          ///< `llama`, `gemma3` ...
  std::string name;                  ///< of the model; empty if it has none
  std::uint64_t context_tokens = 0;  ///< that it was trained for; 0 if it doesn't say
  std::uint64_t vocabulary_tokens = 0;
  std::string chat_template;      ///< Jinja; empty if it has none
  std::vector<TensorType> types;  ///< most weights first
  /// Bits of the grid that weights were rounded to before they were stored in a finer type, where
  /// `unmask-gguf quantize` did that and wrote it down; 0 otherwise.
  std::uint32_t simulated_bits = 0;

  /// Sums over `types`.
  [[nodiscard]] std::uint64_t weights() const;
  [[nodiscard]] std::uint64_t bytes() const;
  /// Bits that a weight takes on average, scales included: the precision of the file. Its name and
  /// the type that it claims to be (`general.file_type`) count for nothing: where a width does not
  /// fit a type's blocks, quantizers take another type.
  [[nodiscard]] double bits_per_weight() const;

  bool operator==(const GgufFile&) const = default;
};

/// Reads the head of a GGUF file (versions 2 and 3, little-endian), and checks that all tensors
/// that it lists lie within the file. Errors: outside for a file that can't be read; bad_input,
/// with place and remedy, for one that is no GGUF, is cut short or is damaged there, or has a type
/// of tensors that is not known.
[[nodiscard]] Result<GgufFile> read_gguf(const std::filesystem::path& path);

/// Bits a weight with two decimals and the types with their shares: `5.14 bits a weight (q4_0 79 %,
/// q8_0 21 %)`. Types of less than half a per cent are left out. Of weights that were rounded to a
/// coarser grid: `simulated 3-bit, stored in 16.00 bits a weight (f16 100 %)`.
[[nodiscard]] std::string precision_text(const GgufFile& file);

/// Tokens of context that a model gets where `wanted` are asked for; 0 asks for those that it was
/// trained for, at most 8,192 of them.
[[nodiscard]] std::uint64_t context_of(const GgufFile& file, std::uint64_t wanted);

/// The file's key for GgufFile::simulated_bits.
inline constexpr std::string_view kSimulatedBitsKey = "unmask.simulated_bits";

/// The type that most weights have: `q4_0`; `simulated 3-bit` where they were rounded to a coarser
/// grid; empty for a file without weights.
[[nodiscard]] std::string main_type(const GgufFile& file);

}  // namespace unmask::local
