#include "unmask/output/output_file.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "unmask/base/check.h"
#include "unmask/base/error.h"

namespace unmask {
namespace {

constexpr std::size_t kBufferBytes = 1U << 16U;
constexpr int kGzipWindowBits = 15 + 16;  // zlib: the largest window, gzip framing
constexpr int kDefaultMemoryLevel = 8;    // zlib's own default
constexpr int kZstdLevel = 9;             // packs logs as small as gzip's best, in less time

std::string reason(int error_number) {
  return std::error_code(error_number, std::generic_category()).message();
}

}  // namespace

struct OutputFile::State {
  std::filesystem::path path;
  std::filesystem::path partial;
  std::FILE* file = nullptr;
  bool compress = false;  // gzip
  ZSTD_CCtx* zstd = nullptr;
  bool is_device = false;  // no regular file: written to, never renamed or removed
  z_stream stream{};
  std::vector<unsigned char> buffer = std::vector<unsigned char>(kBufferBytes);
  int write_error = 0;  // errno of the first failed write

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (compress) deflateEnd(&stream);
    ZSTD_freeCCtx(zstd);
    if (file != nullptr) {
      std::fclose(file);
      std::error_code ignored;
      if (!is_device) std::filesystem::remove(partial, ignored);
    }
  }

  void put(const void* bytes, std::size_t size) {
    if (write_error != 0 || size == 0) return;
    errno = 0;
    if (std::fwrite(bytes, 1, size, file) != size) write_error = errno != 0 ? errno : EIO;
  }

  void deflate_some(std::string_view bytes, int flush) {
    UNMASK_CHECK(bytes.size() <= std::numeric_limits<uInt>::max());
    // zlib takes a pointer to non-const for historical reasons; it does not write through it.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream.next_out = buffer.data();
      stream.avail_out = static_cast<uInt>(buffer.size());
      const int status = deflate(&stream, flush);
      UNMASK_CHECK(status != Z_STREAM_ERROR);
      put(buffer.data(), buffer.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  }

  void zstd_some(std::string_view bytes, ZSTD_EndDirective directive) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    while (true) {
      ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
      const std::size_t left = ZSTD_compressStream2(zstd, &out, &in, directive);
      UNMASK_CHECK(ZSTD_isError(left) == 0);
      put(buffer.data(), out.pos);
      if (directive == ZSTD_e_end ? left == 0 : in.pos == in.size) return;
    }
  }
};

OutputFile::OutputFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
OutputFile::OutputFile(OutputFile&&) noexcept = default;
OutputFile::~OutputFile() = default;

Packing packing_of(const std::filesystem::path& path) {
  if (path.extension() == ".gz") return Packing::gzip;
  return path.extension() == ".zst" ? Packing::zstd : Packing::none;
}

Result<OutputFile> OutputFile::create(std::filesystem::path path, Packing packing) {
  auto state = std::make_unique<State>();
  std::error_code error;
  const std::filesystem::file_status existing = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(existing)) {
    return fail(ErrorCode::outside, path.string() + ": is a folder; give a file");
  }
  if (std::filesystem::exists(existing)) {
    if (auto target = std::filesystem::canonical(path, error); !error) path = std::move(target);
  }
  state->path = std::move(path);
  state->partial = state->path;
  state->is_device =
      std::filesystem::exists(existing) && !std::filesystem::is_regular_file(existing);
  // Two processes that write the same target must not share what is not yet whole.
  if (!state->is_device) state->partial += ".partial." + std::to_string(::getpid());
  errno = 0;
  state->file = std::fopen(state->partial.c_str(), "wb");
  if (state->file == nullptr) {
    return fail(ErrorCode::outside, "can't create " + state->partial.string() + ": " +
                                        reason(errno) +
                                        ". Choose a folder that exists and that you may write to.");
  }
  if (packing == Packing::gzip) {
    const int started = deflateInit2(&state->stream, Z_BEST_COMPRESSION, Z_DEFLATED,
                                     kGzipWindowBits, kDefaultMemoryLevel, Z_DEFAULT_STRATEGY);
    UNMASK_CHECK(started == Z_OK);
    state->compress = true;
  } else if (packing == Packing::zstd) {
    state->zstd = ZSTD_createCCtx();
    UNMASK_CHECK(state->zstd != nullptr);
    ZSTD_CCtx_setParameter(state->zstd, ZSTD_c_compressionLevel, kZstdLevel);
    ZSTD_CCtx_setParameter(state->zstd, ZSTD_c_checksumFlag, 1);
  }
  return OutputFile(std::move(state));
}

void OutputFile::write(std::string_view bytes) {
  if (state_->compress) {
    state_->deflate_some(bytes, Z_NO_FLUSH);
  } else if (state_->zstd != nullptr) {
    state_->zstd_some(bytes, ZSTD_e_continue);
  } else {
    state_->put(bytes.data(), bytes.size());
  }
}

Result<void> OutputFile::commit() {
  State& state = *state_;
  UNMASK_CHECK(state.file != nullptr);
  if (state.compress) state.deflate_some({}, Z_FINISH);
  if (state.zstd != nullptr) state.zstd_some({}, ZSTD_e_end);
  errno = 0;
  if (std::fflush(state.file) != 0 && state.write_error == 0) state.write_error = errno;
  if (state.write_error != 0) {
    return fail(ErrorCode::outside, "can't write " + state.path.string() + ": " +
                                        reason(state.write_error) +
                                        ". Nothing was left under that name.");
  }
  errno = 0;
  std::FILE* file = std::exchange(state.file, nullptr);
  const bool closed = std::fclose(file) == 0;
  const int close_error = errno;
  std::error_code renamed;
  if (closed && !state.is_device) std::filesystem::rename(state.partial, state.path, renamed);
  if (!closed || renamed) {
    std::error_code ignored;
    if (!state.is_device) std::filesystem::remove(state.partial, ignored);
    return fail(ErrorCode::outside, "can't write " + state.path.string() + ": " +
                                        (closed ? renamed.message() : reason(close_error)) + ".");
  }
  return {};
}

}  // namespace unmask
