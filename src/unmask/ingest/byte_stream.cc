#include "unmask/ingest/byte_stream.h"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include <zlib.h>
#include <zstd.h>

namespace unmask {

namespace {

constexpr std::size_t kPackedBuffer = std::size_t{1} << 18U;

/// Hands on the bytes as they are.
class PlainStream final : public ByteStream {
 public:
  explicit PlainStream(ByteStream& inner) : inner_(inner) {}
  Result<std::size_t> read(std::span<char> buffer) override { return inner_.read(buffer); }

 private:
  ByteStream& inner_;
};

/// Packed input, refilled when used up.
class PackedInput {
 public:
  explicit PackedInput(ByteStream& inner) : inner_(inner), buffer_(kPackedBuffer) {}

  /// False at the end.
  Result<bool> refill() {
    const auto got = inner_.read(buffer_);
    if (!got) return tl::unexpected(got.error());
    unused_ = std::span<char>(buffer_).first(*got);
    return *got > 0;
  }
  [[nodiscard]] std::span<char> unused() const { return unused_; }
  void use(std::size_t bytes) { unused_ = unused_.subspan(bytes); }

 private:
  ByteStream& inner_;
  std::vector<char> buffer_;
  std::span<char> unused_;
};

tl::unexpected<Error> damaged(const std::string& name, const char* kind, const std::string& why) {
  return fail(ErrorCode::bad_input, name + ": the " + kind + " data are damaged (" + why +
                                        "); copy or download the file again");
}

class GzipStream final : public ByteStream {
 public:
  GzipStream(ByteStream& packed, std::string name) : input_(packed), name_(std::move(name)) {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (inflateInit2(&zlib_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~GzipStream() override { inflateEnd(&zlib_); }
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;

  Result<std::size_t> read(std::span<char> buffer) override {
    std::size_t produced = 0;
    while (produced == 0 && !buffer.empty()) {
      if (input_.unused().empty()) {
        const auto more = input_.refill();
        if (!more) return tl::unexpected(more.error());
        if (!*more) {
          if (in_member_) return damaged(name_, "gzip", "they end too early");
          return std::size_t{0};
        }
      }
      if (!in_member_) {
        // Zero bytes after the last member are padding, as gzip itself takes them.
        if (members_ > 0 && input_.unused()[0] == '\0') {
          input_.use(1);
          continue;
        }
        inflateReset(&zlib_);
        in_member_ = true;
      }
      const std::span<char> unused = input_.unused();
      zlib_.next_in = reinterpret_cast<Bytef*>(unused.data());
      zlib_.avail_in = static_cast<uInt>(unused.size());
      const auto room = static_cast<uInt>(std::min<std::size_t>(buffer.size(), 1U << 30U));
      zlib_.next_out = reinterpret_cast<Bytef*>(buffer.data());
      zlib_.avail_out = room;
      const int status = inflate(&zlib_, Z_NO_FLUSH);
      input_.use(unused.size() - zlib_.avail_in);
      produced = room - zlib_.avail_out;
      if (status == Z_STREAM_END) {
        in_member_ = false;
        ++members_;
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        if (produced > 0) return produced;
        return damaged(name_, "gzip", zlib_.msg != nullptr ? zlib_.msg : "unknown reason");
      }
    }
    return produced;
  }

 private:
  PackedInput input_;
  std::string name_;
  z_stream zlib_{};
  bool in_member_ = false;
  std::size_t members_ = 0;
};

class ZstdStream final : public ByteStream {
 public:
  ZstdStream(ByteStream& packed, std::string name)
      : input_(packed), name_(std::move(name)), zstd_(ZSTD_createDStream()) {
    if (zstd_ == nullptr) throw std::bad_alloc();
    // Long-range matching of large logs (`zstd --long=31`).
    ZSTD_DCtx_setParameter(zstd_, ZSTD_d_windowLogMax, 31);
  }
  ~ZstdStream() override { ZSTD_freeDStream(zstd_); }
  ZstdStream(const ZstdStream&) = delete;
  ZstdStream& operator=(const ZstdStream&) = delete;

  Result<std::size_t> read(std::span<char> buffer) override {
    ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
    while (out.pos == 0 && !buffer.empty()) {
      if (input_.unused().empty()) {
        const auto more = input_.refill();
        if (!more) return tl::unexpected(more.error());
        if (!*more) {
          if (in_frame_) return damaged(name_, "zstd", "they end too early");
          return std::size_t{0};
        }
      }
      ZSTD_inBuffer in{input_.unused().data(), input_.unused().size(), 0};
      const std::size_t status = ZSTD_decompressStream(zstd_, &out, &in);
      input_.use(in.pos);
      if (ZSTD_isError(status) != 0U) return damaged(name_, "zstd", ZSTD_getErrorName(status));
      in_frame_ = status != 0;
    }
    return out.pos;
  }

 private:
  PackedInput input_;
  std::string name_;
  ZSTD_DStream* zstd_;
  bool in_frame_ = false;
};

}  // namespace

std::string_view name_of(Compression compression) {
  switch (compression) {
    case Compression::none:
      return "none";
    case Compression::gzip:
      return "gzip";
    case Compression::zstd:
      return "zstd";
  }
  return "none";
}

Compression compression_of(std::string_view first_bytes) {
  if (first_bytes.starts_with("\x1F\x8B")) return Compression::gzip;
  if (first_bytes.starts_with("\x28\xB5\x2F\xFD")) return Compression::zstd;
  return Compression::none;
}

Result<std::size_t> DigestStream::read(std::span<char> buffer) {
  auto got = inner_->read(buffer);
  if (got) {
    digest_.update(std::string_view(buffer.data(), *got));
    bytes_ += *got;
  }
  return got;
}

std::unique_ptr<ByteStream> unpack(ByteStream& packed, Compression compression, std::string name) {
  switch (compression) {
    case Compression::none:
      return std::make_unique<PlainStream>(packed);
    case Compression::gzip:
      return std::make_unique<GzipStream>(packed, std::move(name));
    case Compression::zstd:
      return std::make_unique<ZstdStream>(packed, std::move(name));
  }
  return std::make_unique<PlainStream>(packed);
}

}  // namespace unmask
