#include "unmask/store/text_packing.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <zstd.h>

#include "unmask/base/check.h"
#include "unmask/store/database.h"

namespace unmask::store {

namespace {

/// Below, a frame saves little and costs time.
constexpr std::size_t kShortestPacked = 400;
constexpr std::size_t kShortestWithDictionary = 60;
constexpr int kLevel = 1;
/// In front of a frame that needs the dictionary; no frame begins so.
constexpr char kWithDictionary = 1;

}  // namespace

void TextPacking::Free::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }
void TextPacking::Free::operator()(ZSTD_CDict_s* dictionary) const { ZSTD_freeCDict(dictionary); }
void TextPacking::Free::operator()(ZSTD_DCtx_s* context) const { ZSTD_freeDCtx(context); }
void TextPacking::Free::operator()(ZSTD_DDict_s* dictionary) const { ZSTD_freeDDict(dictionary); }

TextPacking::TextPacking() : packer_(ZSTD_createCCtx()), unpacker_(ZSTD_createDCtx()) {
  UNMASK_CHECK(packer_ != nullptr && unpacker_ != nullptr);
}
TextPacking::~TextPacking() = default;
TextPacking::TextPacking(TextPacking&&) noexcept = default;
TextPacking& TextPacking::operator=(TextPacking&&) noexcept = default;

void TextPacking::set_dictionary(std::string_view dictionary) {
  packing_dictionary_.reset(ZSTD_createCDict(dictionary.data(), dictionary.size(), kLevel));
  unpacking_dictionary_.reset(ZSTD_createDDict(dictionary.data(), dictionary.size()));
  UNMASK_CHECK(packing_dictionary_ != nullptr && unpacking_dictionary_ != nullptr);
}

void TextPacking::bind(Statement& statement, int parameter, std::string_view text,
                       std::string& buffer) {
  const bool with_dictionary = has_dictionary();
  if (text.size() >= (with_dictionary ? kShortestWithDictionary : kShortestPacked)) {
    const std::size_t offset = with_dictionary ? 1 : 0;
    buffer.resize(offset + ZSTD_compressBound(text.size()));
    char* const to = buffer.data() + offset;
    const std::size_t space = buffer.size() - offset;
    const std::size_t size =
        with_dictionary
            ? ZSTD_compress_usingCDict(packer_.get(), to, space, text.data(), text.size(),
                                       packing_dictionary_.get())
            : ZSTD_compressCCtx(packer_.get(), to, space, text.data(), text.size(), kLevel);
    UNMASK_CHECK(ZSTD_isError(size) == 0);
    if (size < text.size() - text.size() / 8) {
      if (with_dictionary) buffer[0] = kWithDictionary;
      statement.bind_blob(parameter, std::string_view(buffer).substr(0, offset + size));
      return;
    }
  }
  statement.bind_unless_empty(parameter, text);
}

bool TextPacking::needs_dictionary(const Statement& statement, int column) {
  return statement.is_blob(column) && statement.bytes(column).starts_with(kWithDictionary);
}

std::optional<std::string> TextPacking::read(const Statement& statement, int column) {
  std::string_view bytes = statement.bytes(column);
  if (!statement.is_blob(column)) return std::string(bytes);
  const bool with_dictionary = bytes.starts_with(kWithDictionary);
  if (with_dictionary) {
    if (!has_dictionary()) return std::nullopt;
    bytes.remove_prefix(1);
  }
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  // A damaged file must not make us ask for exabytes: SQLite's own bound on a text is 1 GB.
  constexpr unsigned long long kLongest = 1ULL << 30U;
  if (size > kLongest) return std::nullopt;  // also ZSTD_CONTENTSIZE_UNKNOWN and _ERROR
  std::string text(static_cast<std::size_t>(size), '\0');
  const std::size_t written =
      with_dictionary
          ? ZSTD_decompress_usingDDict(unpacker_.get(), text.data(), text.size(), bytes.data(),
                                       bytes.size(), unpacking_dictionary_.get())
          : ZSTD_decompressDCtx(unpacker_.get(), text.data(), text.size(), bytes.data(),
                                bytes.size());
  if (ZSTD_isError(written) != 0 || written != text.size()) return std::nullopt;
  return text;
}

}  // namespace unmask::store
