#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <ggml.h>
#include <gguf.h>
#include <llama.h>

#include "unmask/base/error.h"
#include "unmask/local/gguf_file.h"
#include "unmask/local/grid.h"
#include "unmask/local/language_model.h"
#include "unmask/local/llama_log.h"

namespace unmask::local {
namespace {

struct KnownFileType {
  std::string_view name;
  llama_ftype type;
  std::uint32_t grid_bits = 0;  ///< of a simulated precision
};

constexpr std::array kFileTypes = {
    KnownFileType{"f32", LLAMA_FTYPE_ALL_F32},
    KnownFileType{"f16", LLAMA_FTYPE_MOSTLY_F16},
    KnownFileType{"bf16", LLAMA_FTYPE_MOSTLY_BF16},
    KnownFileType{"q8_0", LLAMA_FTYPE_MOSTLY_Q8_0},
    KnownFileType{"q6_k", LLAMA_FTYPE_MOSTLY_Q6_K},
    KnownFileType{"q5_1", LLAMA_FTYPE_MOSTLY_Q5_1},
    KnownFileType{"q5_0", LLAMA_FTYPE_MOSTLY_Q5_0},
    KnownFileType{"q5_k_m", LLAMA_FTYPE_MOSTLY_Q5_K_M},
    KnownFileType{"q4_1", LLAMA_FTYPE_MOSTLY_Q4_1},
    KnownFileType{"q4_0", LLAMA_FTYPE_MOSTLY_Q4_0},
    KnownFileType{"q4_k_m", LLAMA_FTYPE_MOSTLY_Q4_K_M},
    KnownFileType{"q3_k_m", LLAMA_FTYPE_MOSTLY_Q3_K_M},
    KnownFileType{"q3_k_s", LLAMA_FTYPE_MOSTLY_Q3_K_S},
    KnownFileType{"q2_k", LLAMA_FTYPE_MOSTLY_Q2_K},
    KnownFileType{"sim4", LLAMA_FTYPE_MOSTLY_F16, 4},
    KnownFileType{"sim3", LLAMA_FTYPE_MOSTLY_F16, 3},
    KnownFileType{"sim2", LLAMA_FTYPE_MOSTLY_F16, 2},
};

struct FreeGguf {
  void operator()(gguf_context* file) const { gguf_free(file); }
};
struct FreeTensors {
  void operator()(ggml_context* tensors) const { ggml_free(tensors); }
};
using GgufPointer = std::unique_ptr<gguf_context, FreeGguf>;
using TensorsPointer = std::unique_ptr<ggml_context, FreeTensors>;

/// Whether quantizers make a tensor coarse: the matrices of the layers, not the embeddings.
bool is_of_a_layer(const ggml_tensor& tensor) {
  return std::string_view(tensor.name).starts_with("blk.") && ggml_n_dims(&tensor) > 1;
}

void round_tensor(const ggml_tensor& tensor, std::uint32_t bits) {
  const auto width = static_cast<std::size_t>(tensor.ne[0]);
  const std::span weights(static_cast<ggml_fp16_t*>(tensor.data),
                          static_cast<std::size_t>(ggml_nelements(&tensor)));
  std::vector<float> row(width);
  for (std::size_t at = 0; at < weights.size(); at += width) {
    ggml_fp16_to_fp32_row(weights.subspan(at).data(), row.data(), tensor.ne[0]);
    round_to_grid(row, bits);
    ggml_fp32_to_fp16_row(row.data(), weights.subspan(at).data(), tensor.ne[0]);
  }
}

/// Rounds the weights of a file of f16 in place. Why it can't, if it can't.
std::optional<std::string> round_file(const std::filesystem::path& path, std::uint32_t bits) {
  ggml_context* loaded = nullptr;
  const GgufPointer from(gguf_init_from_file(path.c_str(), {.no_alloc = false, .ctx = &loaded}));
  const TensorsPointer tensors(loaded);
  if (from == nullptr || tensors == nullptr) return "can't be read again" + llama_log::reason();
  const GgufPointer to(gguf_init_empty());
  gguf_set_kv(to.get(), from.get());
  gguf_set_val_u32(to.get(), std::string(kSimulatedBitsKey).c_str(), bits);
  for (std::int64_t i = 0; i < gguf_get_n_tensors(from.get()); ++i) {
    ggml_tensor* tensor = ggml_get_tensor(tensors.get(), gguf_get_tensor_name(from.get(), i));
    if (tensor->type == GGML_TYPE_F16 && is_of_a_layer(*tensor)) round_tensor(*tensor, bits);
    gguf_add_tensor(to.get(), tensor);
  }
  if (!gguf_write_to_file(to.get(), path.c_str(), false)) return "can't be written";
  return std::nullopt;
}

/// Why the file can't be made, if it can't.
std::optional<std::string> write_as(const std::filesystem::path& from,
                                    const std::filesystem::path& to, const KnownFileType& type,
                                    int threads) {
  llama_log::begin();
  llama_model_quantize_params parameters = llama_model_quantize_default_params();
  parameters.ftype = type.type;
  parameters.nthread = threads;
  parameters.allow_requantize = true;
  try {
    if (llama_model_quantize(from.c_str(), to.c_str(), &parameters) != 0) {
      return "can't be written" + llama_log::reason();
    }
    return type.grid_bits == 0 ? std::nullopt : round_file(to, type.grid_bits);
  } catch (const std::exception& error) {
    return std::string("can't be written: ") + error.what();
  }
}

}  // namespace

Result<void> quantize(const std::filesystem::path& from, const std::filesystem::path& to,
                      std::string_view type, int threads) {
  const auto* const known = std::ranges::find(kFileTypes, type, &KnownFileType::name);
  if (known == kFileTypes.end()) {
    std::string names;
    for (const KnownFileType& each : kFileTypes) {
      names += (names.empty() ? "" : ", ") + std::string(each.name);
    }
    return fail(ErrorCode::invalid_argument,
                "'" + std::string(type) + "' is no type of weights; there are: " + names);
  }
  if (const Result<GgufFile> file = read_gguf(from); !file) return tl::unexpected(file.error());
  std::error_code none;
  if (std::filesystem::equivalent(from, to, none)) {
    return fail(ErrorCode::invalid_argument,
                to.string() + ": is the file that is read; give another name");
  }
  std::filesystem::path unfinished = to;
  unfinished += ".new";
  std::optional<std::string> why = write_as(from, unfinished, *known, threads);
  if (!why) {
    std::error_code error;
    std::filesystem::rename(unfinished, to, error);
    if (!error) return {};
    why = "can't be written: " + error.message();
  }
  std::filesystem::remove(unfinished, none);
  return fail(ErrorCode::outside, to.string() + ": " + *why);
}

}  // namespace unmask::local
