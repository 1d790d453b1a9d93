#include "unmask/json/container_end.h"

#include <bit>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace unmask::json {

namespace {

constexpr std::size_t kBlock = 64;

/// One bit a byte of a 64-byte block.
struct BlockMasks {
  std::uint64_t quotes = 0;
  std::uint64_t backslashes = 0;
  std::uint64_t opens = 0;
  std::uint64_t closes = 0;
};

#if defined(__SSE2__)

std::uint64_t bits(__m128i matches) {
  return static_cast<std::uint32_t>(_mm_movemask_epi8(matches));
}

BlockMasks classify(const char* block) {
  BlockMasks masks;
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i lower = _mm_set1_epi8(0x20);
  const __m128i open = _mm_set1_epi8('{');
  const __m128i close = _mm_set1_epi8('}');
  for (unsigned part = 0; part < 4; ++part) {
    __m128i bytes;
    std::memcpy(&bytes, block + (part * 16U), sizeof bytes);
    // `[` and `{`, `]` and `}` differ in bit 0x20 only.
    const __m128i folded = _mm_or_si128(bytes, lower);
    const unsigned shift = part * 16U;
    masks.quotes |= bits(_mm_cmpeq_epi8(bytes, quote)) << shift;
    masks.backslashes |= bits(_mm_cmpeq_epi8(bytes, backslash)) << shift;
    masks.opens |= bits(_mm_cmpeq_epi8(folded, open)) << shift;
    masks.closes |= bits(_mm_cmpeq_epi8(folded, close)) << shift;
  }
  return masks;
}

#else

BlockMasks classify(const char* block) {
  BlockMasks masks;
  for (unsigned i = 0; i < kBlock; ++i) {
    const char byte = block[i];
    masks.quotes |= static_cast<std::uint64_t>(byte == '"') << i;
    masks.backslashes |= static_cast<std::uint64_t>(byte == '\\') << i;
    masks.opens |= static_cast<std::uint64_t>(byte == '{' || byte == '[') << i;
    masks.closes |= static_cast<std::uint64_t>(byte == '}' || byte == ']') << i;
  }
  return masks;
}

#endif

/// Bit i = XOR of bits 0..i: turns quotes into "inside a string, opening quote included".
std::uint64_t prefix_xor(std::uint64_t bitmask) {
  for (unsigned shift = 1; shift < 64; shift <<= 1U) bitmask ^= bitmask << shift;
  return bitmask;
}

/// Bytes escaped by a backslash: those after an odd run of them (Langdale and Lemire 2019,
/// simdjson). `carry` is 1 if the first byte is escaped, and becomes 1 if the byte after the block
/// is.
std::uint64_t find_escaped(std::uint64_t backslashes, std::uint64_t& carry) {
  if (backslashes == 0) {
    const std::uint64_t escaped = carry;
    carry = 0;
    return escaped;
  }
  constexpr std::uint64_t kEvenBits = 0x5555555555555555ULL;
  const std::uint64_t starts_unescaped = backslashes & ~carry;
  const std::uint64_t follows_escape = (starts_unescaped << 1U) | carry;
  const std::uint64_t odd_starts = starts_unescaped & ~kEvenBits & ~follows_escape;
  const std::uint64_t runs = odd_starts + starts_unescaped;
  carry = runs < odd_starts ? 1U : 0U;
  const std::uint64_t invert = runs << 1U;
  return (kEvenBits ^ invert) & follows_escape;
}

}  // namespace

std::size_t ContainerEnd::consume(std::string_view chunk) {
  std::size_t at = 0;
  while (!done_ && chunk.size() - at >= kBlock) {
    BlockMasks masks = classify(chunk.data() + at);
    std::uint64_t carry = escaped_;
    const std::uint64_t escaped = find_escaped(masks.backslashes, carry);
    const std::uint64_t inside = prefix_xor(masks.quotes & ~escaped) ^ in_string_;
    masks.opens &= ~(inside | escaped);
    masks.closes &= ~(inside | escaped);
    const auto closes = static_cast<std::uint64_t>(std::popcount(masks.closes));
    if (closes >= depth_) {
      // The end may be in this block: one byte at a time, which also starts a container.
      const std::size_t stop = at + kBlock;
      while (at < stop) {
        if (consume_byte(chunk[at++])) return at;
      }
      continue;
    }
    depth_ += static_cast<std::uint64_t>(std::popcount(masks.opens)) - closes;
    in_string_ = (inside >> 63U) != 0 ? ~std::uint64_t{0} : 0;
    escaped_ = carry;
    at += kBlock;
  }
  while (!done_ && at < chunk.size()) consume_byte(chunk[at++]);
  return at;
}

bool ContainerEnd::consume_byte(char byte) {
  if (escaped_ != 0) {
    escaped_ = 0;
    return false;
  }
  if (byte == '\\') {
    escaped_ = 1;
    return false;
  }
  if (byte == '"') {
    in_string_ = ~in_string_;
    return false;
  }
  if (in_string_ != 0) return false;
  if (byte == '{' || byte == '[') {
    ++depth_;
  } else if (byte == '}' || byte == ']') {
    if (--depth_ == 0) done_ = true;
  }
  return done_;
}

}  // namespace unmask::json
