#include "unmask/world/gunzip.h"

#include <array>
#include <string>
#include <string_view>

#include <zlib.h>

#include "unmask/base/check.h"
#include "unmask/base/error.h"

namespace unmask::world {
namespace {

/// Ends a zlib stream whatever happens.
class Inflater {
 public:
  Inflater() {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    UNMASK_CHECK(inflateInit2(&stream_, kGzipOnly) == Z_OK);
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  [[nodiscard]] z_stream& stream() { return stream_; }

 private:
  z_stream stream_{};
};

}  // namespace

Result<std::string> gunzip(std::string_view packed, std::string_view file) {
  std::string bytes;
  std::array<Bytef, 1U << 16U> buffer{};
  std::string input(packed);  // zlib wants to be able to write
  Inflater inflater;
  z_stream& stream = inflater.stream();
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  int state = Z_OK;
  do {
    stream.next_out = buffer.data();
    stream.avail_out = static_cast<uInt>(buffer.size());
    state = inflate(&stream, Z_NO_FLUSH);
    if (state != Z_OK && state != Z_STREAM_END) {
      return fail(ErrorCode::bad_input, std::string(file) + ": damaged gzip data after " +
                                            std::to_string(bytes.size()) +
                                            " bytes; fetch the file again");
    }
    bytes.append(reinterpret_cast<const char*>(buffer.data()), buffer.size() - stream.avail_out);
    if (state == Z_STREAM_END && stream.avail_in > 0) {
      inflateReset(&stream);
      state = Z_OK;
    }
  } while (state != Z_STREAM_END);
  return bytes;
}

}  // namespace unmask::world
