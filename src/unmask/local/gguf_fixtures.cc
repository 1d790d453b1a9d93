#include "unmask/local/gguf_fixtures.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/rng.h"

namespace unmask::local::fixtures {
namespace {

constexpr std::uint32_t kWidth = 64;
constexpr std::uint32_t kHeads = 4;
constexpr std::uint32_t kKeyHeads = 2;
constexpr std::uint32_t kInner = 128;
constexpr std::uint32_t kBlocks = 2;
constexpr std::size_t kAlignment = 32;

constexpr std::uint32_t kU32 = 4;
constexpr std::uint32_t kI32 = 5;
constexpr std::uint32_t kF32 = 6;
constexpr std::uint32_t kString = 8;
constexpr std::uint32_t kArray = 9;

class Writer {
 public:
  template <typename Number>
  void number(Number value) {
    const auto bytes = std::bit_cast<std::array<char, sizeof(Number)>>(value);
    out_.append(bytes.data(), bytes.size());
  }
  void text(std::string_view value) {
    number<std::uint64_t>(value.size());
    out_ += value;
  }
  void key(std::string_view name, std::uint32_t type) {
    ++values_;
    text(name);
    number(type);
  }
  void list(std::string_view name, std::uint32_t type, std::size_t length) {
    key(name, kArray);
    number(type);
    number<std::uint64_t>(length);
  }
  void whole(std::string_view name, std::uint32_t value) {
    key(name, kU32);
    number(value);
  }
  void real(std::string_view name, float value) {
    key(name, kF32);
    number(value);
  }
  void word(std::string_view name, std::string_view value) {
    key(name, kString);
    text(value);
  }
  [[nodiscard]] std::uint64_t values() const { return values_; }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
  std::uint64_t values_ = 0;
};

struct Tensor {
  std::string name;
  std::uint64_t width = 0;
  std::uint64_t rows = 0;  ///< 0: a vector
};

std::vector<std::string> vocabulary() {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::vector<std::string> tokens = {"<unk>", "<s>", "</s>"};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    tokens.push_back(std::string("<0x") + kDigits[byte / 16] + kDigits[byte % 16] + '>');
  }
  tokens.emplace_back("<|im_start|>");
  tokens.emplace_back("<|im_end|>");
  return tokens;
}

std::int32_t token_type(std::size_t token) {
  if (token == 0) return 2;                  // unknown
  return token >= 3 && token < 259 ? 6 : 3;  // a byte, or control
}

std::vector<Tensor> tensors(std::uint64_t tokens) {
  constexpr std::uint64_t kKeyWidth = std::uint64_t{kWidth} / kHeads * kKeyHeads;
  std::vector<Tensor> all = {{"token_embd.weight", kWidth, tokens}};
  for (std::uint32_t i = 0; i < kBlocks; ++i) {
    const std::string block = "blk." + std::to_string(i) + '.';
    all.push_back({block + "attn_norm.weight", kWidth, 0});
    all.push_back({block + "attn_q.weight", kWidth, kWidth});
    all.push_back({block + "attn_k.weight", kWidth, kKeyWidth});
    all.push_back({block + "attn_v.weight", kWidth, kKeyWidth});
    all.push_back({block + "attn_output.weight", kWidth, kWidth});
    all.push_back({block + "ffn_norm.weight", kWidth, 0});
    all.push_back({block + "ffn_gate.weight", kWidth, kInner});
    all.push_back({block + "ffn_up.weight", kWidth, kInner});
    all.push_back({block + "ffn_down.weight", kInner, kWidth});
  }
  all.push_back({"output_norm.weight", kWidth, 0});
  all.push_back({"output.weight", kWidth, tokens});
  return all;
}

Writer metadata(const TinyModel& model, const std::vector<std::string>& tokens) {
  Writer out;
  out.word("general.architecture", "llama");
  out.word("general.name", "tiny");
  out.whole("llama.context_length", model.context_tokens);
  out.whole("llama.embedding_length", kWidth);
  out.whole("llama.block_count", kBlocks);
  out.whole("llama.feed_forward_length", kInner);
  out.whole("llama.attention.head_count", kHeads);
  out.whole("llama.attention.head_count_kv", kKeyHeads);
  out.real("llama.attention.layer_norm_rms_epsilon", 1e-5F);
  out.whole("llama.rope.dimension_count", kWidth / kHeads);
  out.whole("llama.vocab_size", static_cast<std::uint32_t>(tokens.size()));
  out.word("tokenizer.ggml.model", "llama");
  out.list("tokenizer.ggml.tokens", kString, tokens.size());
  for (const std::string& token : tokens) out.text(token);
  out.list("tokenizer.ggml.scores", kF32, tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) out.number(0.0F);
  out.list("tokenizer.ggml.token_type", kI32, tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) out.number(token_type(i));
  out.whole("tokenizer.ggml.bos_token_id", 1);
  out.whole("tokenizer.ggml.eos_token_id", 2);
  out.whole("tokenizer.ggml.unknown_token_id", 0);
  if (!model.chat_template.empty()) out.word("tokenizer.chat_template", model.chat_template);
  return out;
}

}  // namespace

std::string gguf_bytes(const TinyModel& model) {
  const std::vector<std::string> tokens = vocabulary();
  const std::vector<Tensor> all = tensors(tokens.size());
  Writer values = metadata(model, tokens);

  Writer head;
  head.number(std::array<char, 4>{'G', 'G', 'U', 'F'});
  head.number<std::uint32_t>(3);
  head.number<std::uint64_t>(all.size());
  head.number(values.values());
  Writer list;
  std::uint64_t offset = 0;
  for (const Tensor& tensor : all) {
    list.text(tensor.name);
    list.number<std::uint32_t>(tensor.rows == 0 ? 1 : 2);
    list.number(tensor.width);
    if (tensor.rows > 0) list.number(tensor.rows);
    list.number<std::uint32_t>(model.known_type ? 0 : 4711);
    list.number(offset);
    offset += tensor.width * (tensor.rows == 0 ? 1 : tensor.rows) * sizeof(float);
  }
  std::string bytes = head.take() + values.take() + list.take();
  bytes.resize((bytes.size() + kAlignment - 1) / kAlignment * kAlignment, '\0');

  Rng random(model.seed, "tiny_model");
  Writer weights;
  for (const Tensor& tensor : all) {
    const std::uint64_t count = tensor.width * (tensor.rows == 0 ? 1 : tensor.rows);
    for (std::uint64_t i = 0; i < count; ++i) {
      float weight = static_cast<float>(random.normal()) * model.scale;
      if (tensor.rows == 0) weight = tensor.name == "output_norm.weight" ? model.last_norm : 1.0F;
      if (model.output_is_nan && tensor.name == "output.weight" && i == 7) {
        weight = std::numeric_limits<float>::quiet_NaN();
      }
      weights.number(weight);
    }
  }
  return bytes + weights.take();
}

}  // namespace unmask::local::fixtures
