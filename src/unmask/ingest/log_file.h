#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "unmask/base/error.h"
#include "unmask/ingest/byte_stream.h"

namespace unmask {

/// Standard input's name on the command line.
inline constexpr std::string_view kStandardInput = "-";

/// A file that can be read several times from its beginning. What can't be reread (standard input,
/// a pipe) is first copied to a temporary file without a name.
class LogFile {
 public:
  /// Errors: bad_input if there is no such file or it is a folder, outside if it can't be read;
  /// both with the remedy.
  static Result<LogFile> open(const std::string& path);

  /// As the user gave it; `standard input` for `-`.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::uint64_t bytes_on_disk() const { return bytes_; }
  [[nodiscard]] Compression compression() const { return compression_; }

  /// Both ends of one pass over the file.
  class Pass {
   public:
    /// The unpacked bytes.
    Result<std::size_t> read(std::span<char> buffer) { return unpacked_->read(buffer); }
    /// Bytes on disk read so far.
    [[nodiscard]] std::uint64_t bytes_read() const { return packed_->bytes(); }
    /// Digest of the bytes on disk; reads whatever is left of them.
    Result<std::string> sha256();

   private:
    friend class LogFile;
    std::unique_ptr<DigestStream> packed_;
    std::unique_ptr<ByteStream> unpacked_;
  };
  /// A new pass from the first byte. The file stays open while a pass lives.
  [[nodiscard]] Pass start() const;

  /// Bytes on disk from `offset` on, up to `buffer.size()`; 0 = the end. Errors: outside.
  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> buffer) const;

  /// Up to `limit` first unpacked bytes. Damage beyond what could be unpacked is no error here.
  [[nodiscard]] Result<std::string> first_bytes(std::size_t limit) const;

 private:
  class Descriptor;
  class Stream;

  std::string name_;
  std::shared_ptr<Descriptor> descriptor_;
  std::uint64_t bytes_ = 0;
  Compression compression_ = Compression::none;
};

}  // namespace unmask
