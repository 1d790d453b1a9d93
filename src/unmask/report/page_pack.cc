#include "unmask/report/page_pack.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <zlib.h>

#include "unmask/base/check.h"

namespace unmask {
namespace {

constexpr int kGzipWindowBits = 15 + 16;  // zlib: the largest window, gzip framing
constexpr int kMemoryLevel = 9;           // a page is written once and sent around often

std::string gzip(std::string_view text) {
  UNMASK_CHECK(text.size() < std::numeric_limits<uInt>::max());
  z_stream stream{};
  UNMASK_CHECK(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindowBits, kMemoryLevel,
                            Z_DEFAULT_STRATEGY) == Z_OK);
  std::string packed(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  // zlib reads its input and does not write to it.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int status = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  UNMASK_CHECK(status == Z_STREAM_END);
  return packed;
}

}  // namespace

std::string base64(std::string_view bytes) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = bytes.size() - i < 3 ? bytes.size() - i : 3;
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      group = group << 8U | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    }
    for (std::size_t digit = 0; digit < 4; ++digit) {
      text += digit <= count ? kDigits[group >> (18U - 6U * digit) & 63U] : '=';
    }
  }
  return text;
}

std::string packed_for_page(std::string_view text) { return base64(gzip(text)); }

}  // namespace unmask
