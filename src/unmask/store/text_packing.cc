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
constexpr int kLevel = 1;

}  // namespace

void TextPacking::FreeCompressor::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }
void TextPacking::FreeDecompressor::operator()(ZSTD_DCtx_s* context) const {
  ZSTD_freeDCtx(context);
}

TextPacking::TextPacking() : compressor_(ZSTD_createCCtx()), decompressor_(ZSTD_createDCtx()) {
  UNMASK_CHECK(compressor_ != nullptr && decompressor_ != nullptr);
}
TextPacking::~TextPacking() = default;
TextPacking::TextPacking(TextPacking&&) noexcept = default;
TextPacking& TextPacking::operator=(TextPacking&&) noexcept = default;

void TextPacking::bind(Statement& statement, int parameter, std::string_view text,
                       std::string& buffer) {
  if (text.size() >= kShortestPacked) {
    buffer.resize(ZSTD_compressBound(text.size()));
    const std::size_t size = ZSTD_compressCCtx(compressor_.get(), buffer.data(), buffer.size(),
                                               text.data(), text.size(), kLevel);
    UNMASK_CHECK(ZSTD_isError(size) == 0);
    if (size < text.size() - text.size() / 8) {
      statement.bind_blob(parameter, std::string_view(buffer).substr(0, size));
      return;
    }
  }
  statement.bind_unless_empty(parameter, text);
}

std::optional<std::string> TextPacking::read(const Statement& statement, int column) {
  const std::string_view bytes = statement.bytes(column);
  if (!statement.is_blob(column)) return std::string(bytes);
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  // A damaged file must not make us ask for exabytes: SQLite's own bound on a text is 1 GB.
  constexpr unsigned long long kLongest = 1ULL << 30U;
  if (size > kLongest) return std::nullopt;  // also ZSTD_CONTENTSIZE_UNKNOWN and _ERROR
  std::string text(static_cast<std::size_t>(size), '\0');
  const std::size_t written = ZSTD_decompressDCtx(decompressor_.get(), text.data(), text.size(),
                                                  bytes.data(), bytes.size());
  if (ZSTD_isError(written) != 0 || written != text.size()) return std::nullopt;
  return text;
}

}  // namespace unmask::store
