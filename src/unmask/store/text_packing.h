#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "unmask/store/database.h"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace unmask::store {

/// Texts in columns: as they are, or, where that is clearly smaller, as a zstd frame. In the file
/// the first are of SQLite's type text, the second of type blob.
class TextPacking {
 public:
  TextPacking();
  ~TextPacking();
  TextPacking(TextPacking&&) noexcept;
  TextPacking& operator=(TextPacking&&) noexcept;
  TextPacking(const TextPacking&) = delete;
  TextPacking& operator=(const TextPacking&) = delete;

  /// Binds `text`, or null if it is empty. `text` and `buffer` must live until the statement has
  /// run; `buffer` is scratch, one for each parameter.
  void bind(Statement& statement, int parameter, std::string_view text, std::string& buffer);
  /// The text of a column; empty for null. nullopt if its frame is damaged.
  [[nodiscard]] std::optional<std::string> read(const Statement& statement, int column);

 private:
  struct FreeCompressor {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  struct FreeDecompressor {
    void operator()(ZSTD_DCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_CCtx_s, FreeCompressor> compressor_;
  std::unique_ptr<ZSTD_DCtx_s, FreeDecompressor> decompressor_;
};

}  // namespace unmask::store
