#include "unmask/json/container_end.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#elif defined(__SSE2__)
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

/// Where a container stands between two blocks.
struct Standing {
  std::uint64_t depth = 0;
  std::uint64_t in_string = 0;
  std::uint64_t escaped = 0;
};

/// Takes a block into account. False, and nothing changed, if the container may end in it. `inside`
/// has the bits of bytes within strings, opening quotes included.
inline bool pass_block(const BlockMasks& masks, std::uint64_t inside, std::uint64_t escaped,
                       std::uint64_t carry, Standing& at) {
  const auto closes = static_cast<std::uint64_t>(std::popcount(masks.closes & ~(inside | escaped)));
  if (closes >= at.depth) return false;
  at.depth += static_cast<std::uint64_t>(std::popcount(masks.opens & ~(inside | escaped))) - closes;
  at.in_string = (inside >> 63U) != 0 ? ~std::uint64_t{0} : 0;
  at.escaped = carry;
  return true;
}

/// Passes over whole blocks while the container can't end in them; how many bytes.
std::size_t pass_blocks(const char* bytes, std::size_t size, Standing& at) {
  std::size_t passed = 0;
  for (; size - passed >= kBlock; passed += kBlock) {
    const BlockMasks masks = classify(bytes + passed);
    std::uint64_t carry = at.escaped;
    const std::uint64_t escaped = find_escaped(masks.backslashes, carry);
    const std::uint64_t inside = prefix_xor(masks.quotes & ~escaped) ^ at.in_string;
    if (!pass_block(masks, inside, escaped, carry, at)) break;
  }
  return passed;
}

#if defined(__x86_64__) && defined(__GNUC__)

/// The same for processors with AVX2: two loads a block instead of four.
__attribute__((target("avx2,popcnt,pclmul"))) std::size_t pass_blocks_avx2(const char* bytes,
                                                                           std::size_t size,
                                                                           Standing& at) {
  const __m256i quote = _mm256_set1_epi8('"');
  const __m256i backslash = _mm256_set1_epi8('\\');
  const __m256i lower = _mm256_set1_epi8(0x20);
  const __m256i open = _mm256_set1_epi8('{');
  const __m256i close = _mm256_set1_epi8('}');
  const __m128i all_ones = _mm_set1_epi8(-1);
  std::size_t passed = 0;
  for (; size - passed >= kBlock; passed += kBlock) {
    BlockMasks masks;
    for (unsigned part = 0; part < 2; ++part) {
      const unsigned shift = part * 32U;
      __m256i block;
      std::memcpy(&block, bytes + passed + shift, sizeof block);
      const __m256i folded = _mm256_or_si256(block, lower);
      const __m256i is_quote = _mm256_cmpeq_epi8(block, quote);
      const __m256i is_backslash = _mm256_cmpeq_epi8(block, backslash);
      const __m256i is_open = _mm256_cmpeq_epi8(folded, open);
      const __m256i is_close = _mm256_cmpeq_epi8(folded, close);
      masks.quotes |= std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(is_quote))}
                      << shift;
      masks.backslashes |=
          std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(is_backslash))} << shift;
      masks.opens |= std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(is_open))}
                     << shift;
      masks.closes |= std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(is_close))}
                      << shift;
    }
    std::uint64_t carry = at.escaped;
    const std::uint64_t escaped = find_escaped(masks.backslashes, carry);
    // A carry-less product with all ones is the prefix XOR.
    const __m128i quotes = _mm_set_epi64x(0, std::bit_cast<long long>(masks.quotes & ~escaped));
    const auto prefix =
        std::bit_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_clmulepi64_si128(quotes, all_ones, 0)));
    if (!pass_block(masks, prefix ^ at.in_string, escaped, carry, at)) break;
  }
  return passed;
}

std::size_t pass_blocks_fast(const char* bytes, std::size_t size, Standing& at) {
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0 &&
                               __builtin_cpu_supports("popcnt") != 0 &&
                               __builtin_cpu_supports("pclmul") != 0;
  return has_avx2 ? pass_blocks_avx2(bytes, size, at) : pass_blocks(bytes, size, at);
}

#else

std::size_t pass_blocks_fast(const char* bytes, std::size_t size, Standing& at) {
  return pass_blocks(bytes, size, at);
}

#endif

}  // namespace

std::size_t ContainerEnd::consume(std::string_view chunk) {
  std::size_t at = 0;
  while (!done_ && chunk.size() - at >= kBlock) {
    Standing standing{depth_, in_string_, escaped_};
    at += pass_blocks_fast(chunk.data() + at, chunk.size() - at, standing);
    depth_ = standing.depth;
    in_string_ = standing.in_string;
    escaped_ = standing.escaped;
    if (chunk.size() - at < kBlock) break;
    // The end may be in this block: one byte at a time, which also starts a container.
    for (const std::size_t stop = at + kBlock; at < stop;) {
      if (consume_byte(chunk[at++])) return at;
    }
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
