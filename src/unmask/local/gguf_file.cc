#include "unmask/local/gguf_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <ios>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "unmask/base/error.h"

namespace unmask::local {
namespace {

// Numbers are read as they lie in memory.
static_assert(std::endian::native == std::endian::little);

/// A type of tensors: its number in the file, how many weights make a block, and a block's bytes.
struct KnownType {
  std::uint32_t number;
  std::string_view name;
  std::uint64_t block_weights;
  std::uint64_t block_bytes;
};

/// As llama.cpp's ggml-common.h lays them out.
constexpr std::array kTypes = {
    KnownType{0, "f32", 1, 4},         KnownType{1, "f16", 1, 2},
    KnownType{2, "q4_0", 32, 18},      KnownType{3, "q4_1", 32, 20},
    KnownType{6, "q5_0", 32, 22},      KnownType{7, "q5_1", 32, 24},
    KnownType{8, "q8_0", 32, 34},      KnownType{9, "q8_1", 32, 36},
    KnownType{10, "q2_k", 256, 84},    KnownType{11, "q3_k", 256, 110},
    KnownType{12, "q4_k", 256, 144},   KnownType{13, "q5_k", 256, 176},
    KnownType{14, "q6_k", 256, 210},   KnownType{15, "q8_k", 256, 292},
    KnownType{16, "iq2_xxs", 256, 66}, KnownType{17, "iq2_xs", 256, 74},
    KnownType{18, "iq3_xxs", 256, 98}, KnownType{19, "iq1_s", 256, 50},
    KnownType{20, "iq4_nl", 32, 18},   KnownType{21, "iq3_s", 256, 110},
    KnownType{22, "iq2_s", 256, 82},   KnownType{23, "iq4_xs", 256, 136},
    KnownType{24, "i8", 1, 1},         KnownType{25, "i16", 1, 2},
    KnownType{26, "i32", 1, 4},        KnownType{27, "i64", 1, 8},
    KnownType{28, "f64", 1, 8},        KnownType{29, "iq1_m", 256, 56},
    KnownType{30, "bf16", 1, 2},       KnownType{34, "tq1_0", 256, 54},
    KnownType{35, "tq2_0", 256, 66},   KnownType{39, "mxfp4", 32, 17},
    KnownType{40, "nvfp4", 64, 36},    KnownType{41, "q1_0", 128, 18},
    KnownType{42, "q2_0", 64, 18},
};

/// Types of metadata values.
enum class ValueType : std::uint32_t {
  u8,
  i8,
  u16,
  i16,
  u32,
  i32,
  f32,
  boolean,
  string,
  array,
  u64,
  i64,
  f64,
};

/// Bytes of a value; 0 for texts, lists and what is not known.
std::uint64_t bytes_of(ValueType type) {
  switch (type) {
    case ValueType::u8:
    case ValueType::i8:
    case ValueType::boolean:
      return 1;
    case ValueType::u16:
    case ValueType::i16:
      return 2;
    case ValueType::u32:
    case ValueType::i32:
    case ValueType::f32:
      return 4;
    case ValueType::u64:
    case ValueType::i64:
    case ValueType::f64:
      return 8;
    case ValueType::string:
    case ValueType::array:
      break;
  }
  return 0;
}

constexpr std::uint32_t kMostDimensions = 4;
constexpr std::uint64_t kLongestKey = 65'535;
constexpr std::uint64_t kLongestText = 64ULL << 20U;

class Reader {
 public:
  explicit Reader(const std::filesystem::path& path) : path_(path.string()) {
    std::error_code error;
    size_ = std::filesystem::file_size(path, error);
    if (error) {
      error_ = Error{ErrorCode::outside, path_ + ": can't be read: " + error.message()};
      return;
    }
    stream_.open(path, std::ios::binary);
    if (!stream_) error_ = Error{ErrorCode::outside, path_ + ": can't be opened"};
  }

  Result<GgufFile> read() {
    if (!error_) read_all();
    if (error_) return tl::unexpected(std::move(*error_));
    return std::move(file_);
  }

 private:
  void bad(const std::string& what) {
    if (!error_) error_ = Error{ErrorCode::bad_input, path_ + ": " + what};
  }

  void take(char* out, std::uint64_t bytes) {
    if (error_) return;
    if (bytes > size_ - at_) {
      return bad("cut short or damaged at byte " + std::to_string(at_) + " of " +
                 std::to_string(size_) + "; fetch the file again");
    }
    stream_.read(out, static_cast<std::streamsize>(bytes));
    if (!stream_) {
      error_ = Error{ErrorCode::outside, path_ + ": can't be read at byte " + std::to_string(at_)};
    }
    at_ += bytes;
  }

  void skip(std::uint64_t bytes) {
    if (error_) return;
    if (bytes > size_ - at_) {
      return bad("cut short or damaged at byte " + std::to_string(at_) + " of " +
                 std::to_string(size_) + "; fetch the file again");
    }
    at_ += bytes;
    stream_.seekg(static_cast<std::streamoff>(at_));
  }

  template <typename Number>
  Number number() {
    std::array<char, sizeof(Number)> bytes{};
    take(bytes.data(), bytes.size());
    return std::bit_cast<Number>(bytes);
  }

  std::string text(std::uint64_t longest) {
    const auto length = number<std::uint64_t>();
    if (error_) return {};
    if (length > longest) {
      bad("damaged at byte " + std::to_string(at_) + ": a text of " + std::to_string(length) +
          " bytes; fetch the file again");
      return {};
    }
    // Not more is made room for than the file can fill.
    std::string out(static_cast<std::size_t>(std::min(length, size_ - at_)), '\0');
    if (out.size() < length) {
      skip(length);
      return {};
    }
    take(out.data(), out.size());
    return out;
  }

  void skip_text() { skip(number<std::uint64_t>()); }

  /// The length of a list whose values are passed over.
  std::uint64_t skip_list() {
    const auto type = static_cast<ValueType>(number<std::uint32_t>());
    const auto length = number<std::uint64_t>();
    if (error_) return 0;
    if (type == ValueType::string) {
      for (std::uint64_t i = 0; i < length && !error_; ++i) skip_text();
      return length;
    }
    const std::uint64_t bytes = bytes_of(type);
    if (bytes == 0 || length > std::numeric_limits<std::uint64_t>::max() / bytes) {
      bad("damaged at byte " + std::to_string(at_) + ": a list of unknown values");
      return 0;
    }
    skip(length * bytes);
    return length;
  }

  /// A whole number of any width; nullopt for other values, which are passed over.
  std::optional<std::uint64_t> whole(ValueType type) {
    switch (type) {
      case ValueType::u32:
        return number<std::uint32_t>();
      case ValueType::i32: {
        const auto value = number<std::int32_t>();
        return value < 0 ? std::nullopt : std::optional<std::uint64_t>(value);
      }
      case ValueType::u64:
        return number<std::uint64_t>();
      default:
        skip_value(type);
        return std::nullopt;
    }
  }

  void skip_value(ValueType type) {
    if (type == ValueType::string) return skip_text();
    if (type == ValueType::array) {
      skip_list();
      return;
    }
    const std::uint64_t bytes = bytes_of(type);
    if (bytes == 0) return bad("damaged at byte " + std::to_string(at_) + ": an unknown value");
    skip(bytes);
  }

  void read_metadata() {
    const std::string key = text(kLongestKey);
    const auto type = static_cast<ValueType>(number<std::uint32_t>());
    if (error_) return;
    const bool is_text = type == ValueType::string;
    if (key == "general.architecture" && is_text) {
      file_.architecture = text(kLongestText);
    } else if (key == "general.name" && is_text) {
      file_.name = text(kLongestText);
    } else if (key == "tokenizer.chat_template" && is_text) {
      file_.chat_template = text(kLongestText);
    } else if (key == "tokenizer.ggml.tokens" && type == ValueType::array) {
      file_.vocabulary_tokens = skip_list();
    } else if (key.ends_with(".context_length")) {
      contexts_.emplace_back(key, whole(type).value_or(0));
    } else if (key == "general.alignment") {
      alignment_ = whole(type).value_or(0);
    } else if (key == kSimulatedBitsKey) {
      // No grid of ours has more; what a foreign hand wrote is not believed.
      const std::uint64_t bits = whole(type).value_or(0);
      file_.simulated_bits = bits <= 8 ? static_cast<std::uint32_t>(bits) : 0;
    } else {
      skip_value(type);
    }
  }

  void read_tensor() {
    const std::string name = text(kLongestKey);
    const auto dimensions = number<std::uint32_t>();
    if (error_) return;
    if (dimensions > kMostDimensions) {
      return bad("damaged: tensor '" + name + "' has " + std::to_string(dimensions) +
                 " dimensions; fetch the file again");
    }
    std::uint64_t weights = 1;
    std::uint64_t row = 1;
    for (std::uint32_t i = 0; i < dimensions; ++i) {
      const auto length = number<std::uint64_t>();
      if (error_) return;
      if (length == 0 || weights > kMostWeights / length) {
        return bad("damaged: tensor '" + name + "' has no possible size; fetch the file again");
      }
      if (i == 0) row = length;
      weights *= length;
    }
    const auto number_of_type = number<std::uint32_t>();
    const auto offset = number<std::uint64_t>();
    if (error_) return;
    const auto* const type = std::ranges::find(kTypes, number_of_type, &KnownType::number);
    if (type == kTypes.end()) {
      return bad("tensor '" + name + "' has a type that is not known (" +
                 std::to_string(number_of_type) + "); the file is damaged or newer than unmask");
    }
    if (row % type->block_weights != 0) {
      return bad("damaged: rows of tensor '" + name + "' do not fit its type " +
                 std::string(type->name));
    }
    const std::uint64_t bytes = weights / type->block_weights * type->block_bytes;
    ends_.push_back({offset, bytes});
    auto sum = std::ranges::find(file_.types, type->name, &TensorType::name);
    if (sum == file_.types.end()) {
      sum = file_.types.insert(sum, TensorType{.name = std::string(type->name)});
    }
    ++sum->tensors;
    sum->weights += weights;
    sum->bytes += bytes;
  }

  void check_ends() {
    if (alignment_ == 0 || !std::has_single_bit(alignment_) || alignment_ > (1ULL << 20U)) {
      return bad("damaged: its alignment is " + std::to_string(alignment_));
    }
    const std::uint64_t begin = (at_ + alignment_ - 1) / alignment_ * alignment_;
    for (const Extent& tensor : ends_) {
      if (begin > size_ || tensor.offset > size_ - begin ||
          tensor.bytes > size_ - begin - tensor.offset) {
        return bad("cut short: " + std::to_string(size_) +
                   " bytes are there and more are listed; fetch the file again");
      }
    }
  }

  void read_all() {
    std::array<char, 4> magic{};
    if (size_ >= magic.size()) take(magic.data(), magic.size());
    if (!error_ && std::string_view(magic.data(), magic.size()) != "GGUF") {
      return bad("no GGUF file; give a model's .gguf");
    }
    const auto version = number<std::uint32_t>();
    if (!error_ && (version < 2 || version > 3)) {
      return bad("GGUF version " + std::to_string(version) +
                 " is not known (2 and 3 are); convert the model again");
    }
    const auto tensors = number<std::uint64_t>();
    const auto values = number<std::uint64_t>();
    for (std::uint64_t i = 0; i < values && !error_; ++i) read_metadata();
    for (std::uint64_t i = 0; i < tensors && !error_; ++i) read_tensor();
    if (error_) return;
    check_ends();
    for (const auto& [key, length] : contexts_) {
      if (key == file_.architecture + ".context_length") file_.context_tokens = length;
    }
    std::ranges::stable_sort(file_.types, std::ranges::greater(), &TensorType::weights);
  }

  static constexpr std::uint64_t kMostWeights = 1ULL << 50U;

  struct Extent {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
  };

  struct Context {
    std::string key;
    std::uint64_t tokens = 0;
    Context(std::string of, std::uint64_t length) : key(std::move(of)), tokens(length) {}
  };

  std::string path_;
  std::ifstream stream_;
  std::uint64_t size_ = 0;
  std::uint64_t at_ = 0;
  std::uint64_t alignment_ = 32;
  std::vector<Context> contexts_;
  std::vector<Extent> ends_;  ///< where the tensors lie, from the data's beginning
  GgufFile file_;
  std::optional<Error> error_;
};

/// `number` / 10^decimals in decimal.
std::string fixed(std::int64_t number, std::size_t decimals) {
  std::string text = std::to_string(number);
  if (text.size() <= decimals) text.insert(0, decimals + 1 - text.size(), '0');
  text.insert(text.size() - decimals, ".");
  return text;
}

std::string simulated_name(const GgufFile& file) {
  return "simulated " + std::to_string(file.simulated_bits) + "-bit";
}

}  // namespace

std::uint64_t GgufFile::weights() const {
  std::uint64_t sum = 0;
  for (const TensorType& type : types) sum += type.weights;
  return sum;
}

std::uint64_t GgufFile::bytes() const {
  std::uint64_t sum = 0;
  for (const TensorType& type : types) sum += type.bytes;
  return sum;
}

double GgufFile::bits_per_weight() const {
  const std::uint64_t all = weights();
  return all == 0 ? 0.0 : 8.0 * static_cast<double>(bytes()) / static_cast<double>(all);
}

Result<GgufFile> read_gguf(const std::filesystem::path& path) { return Reader(path).read(); }

std::string precision_text(const GgufFile& file) {
  const std::uint64_t all = file.weights();
  if (all == 0) return "no weights";
  std::string shares;
  for (const TensorType& type : file.types) {
    const auto percent =
        std::lround(100.0 * static_cast<double>(type.weights) / static_cast<double>(all));
    if (percent == 0) continue;
    if (!shares.empty()) shares += ", ";
    shares += type.name + ' ' + std::to_string(percent) + " %";
  }
  const std::string grid =
      file.simulated_bits == 0 ? std::string() : simulated_name(file) + ", stored in ";
  return grid + fixed(std::llround(100.0 * file.bits_per_weight()), 2) + " bits a weight (" +
         shares + ')';
}

std::uint64_t context_of(const GgufFile& file, std::uint64_t wanted) {
  constexpr std::uint64_t kMost = 8192;  // where nobody asks for more
  if (wanted > 0) return wanted;
  return file.context_tokens == 0 ? kMost : std::min(file.context_tokens, kMost);
}

std::string main_type(const GgufFile& file) {
  if (file.types.empty()) return {};
  return file.simulated_bits == 0 ? file.types.front().name : simulated_name(file);
}

}  // namespace unmask::local
