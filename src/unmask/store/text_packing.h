#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "unmask/store/database.h"

struct ZSTD_CCtx_s;
struct ZSTD_CDict_s;
struct ZSTD_DCtx_s;
struct ZSTD_DDict_s;

namespace unmask::store {

/// Bytes of messages that make up a dictionary.
inline constexpr std::size_t kDictionaryBytes = std::size_t{64} << 10U;

/// Texts in columns: as they are, or, where that is clearly smaller, packed by zstd. In the file
/// the first are of SQLite's type text, the second of type blob: a zstd frame, or a byte 1 and a
/// frame that needs the file's dictionary. A message alone is too short to be packed well; a
/// dictionary of other messages has what it repeats.
class TextPacking {
 public:
  TextPacking();
  ~TextPacking();
  TextPacking(TextPacking&&) noexcept;
  TextPacking& operator=(TextPacking&&) noexcept;
  TextPacking(const TextPacking&) = delete;
  TextPacking& operator=(const TextPacking&) = delete;

  /// Any bytes; from now on texts are packed with it.
  void set_dictionary(std::string_view dictionary);
  [[nodiscard]] bool has_dictionary() const { return packing_dictionary_ != nullptr; }

  /// Binds `text`, or null if it is empty. `text` and `buffer` must live until the statement has
  /// run; `buffer` is scratch, one for each parameter.
  void bind(Statement& statement, int parameter, std::string_view text, std::string& buffer);
  /// Whether read() will need the dictionary.
  [[nodiscard]] static bool needs_dictionary(const Statement& statement, int column);
  /// The text of a column; empty for null. nullopt if it is damaged, or the dictionary is missing.
  [[nodiscard]] std::optional<std::string> read(const Statement& statement, int column);

 private:
  struct Free {
    void operator()(ZSTD_CCtx_s* context) const;
    void operator()(ZSTD_CDict_s* dictionary) const;
    void operator()(ZSTD_DCtx_s* context) const;
    void operator()(ZSTD_DDict_s* dictionary) const;
  };
  std::unique_ptr<ZSTD_CCtx_s, Free> packer_;
  std::unique_ptr<ZSTD_DCtx_s, Free> unpacker_;
  std::unique_ptr<ZSTD_CDict_s, Free> packing_dictionary_;
  std::unique_ptr<ZSTD_DDict_s, Free> unpacking_dictionary_;
};

}  // namespace unmask::store
