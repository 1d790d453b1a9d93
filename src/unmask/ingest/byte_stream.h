#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "unmask/base/error.h"
#include "unmask/base/sha256.h"

namespace unmask {

/// Bytes that are read once, front to back.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  /// Reads up to `buffer.size()` bytes; 0 = the end. Errors: outside (disk), bad_input (damaged
  /// compression); what was read before an error stays good.
  virtual Result<std::size_t> read(std::span<char> buffer) = 0;
};

/// How a file's bytes are packed, told by its first bytes, never by its name.
enum class Compression : std::uint8_t { none, gzip, zstd };

[[nodiscard]] std::string_view name_of(Compression compression);
[[nodiscard]] Compression compression_of(std::string_view first_bytes);

/// A stream that hands on another's bytes and keeps their digest and number.
class DigestStream final : public ByteStream {
 public:
  explicit DigestStream(std::unique_ptr<ByteStream> inner) : inner_(std::move(inner)) {}

  Result<std::size_t> read(std::span<char> buffer) override;
  /// Bytes so far.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// Of all bytes so far; the stream takes no more reads afterwards.
  [[nodiscard]] std::string sha256() { return digest_.hex_digest(); }

 private:
  std::unique_ptr<ByteStream> inner_;
  Sha256 digest_;
  std::uint64_t bytes_ = 0;
};

/// Unpacks `packed` on the way. Several gzip members or zstd frames in a row are one stream. `name`
/// is used in error messages. `packed` must outlive the stream.
[[nodiscard]] std::unique_ptr<ByteStream> unpack(ByteStream& packed, Compression compression,
                                                 std::string name);

}  // namespace unmask
