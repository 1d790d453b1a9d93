#pragma once

#include <cstdint>
#include <string>

namespace unmask::world::telecom {

/// Where the ids of bills that an environment creates come from. The original draws them at random.
enum class BillIdStyle : std::uint8_t {
  counted,  ///< `B00000001`, `B00000002` ...: what reference vectors have
  drawn,    ///< `B` and 8 hexadecimal digits from a seeded stream
};

class BillIds {
 public:
  explicit BillIds(BillIdStyle style = BillIdStyle::counted, std::uint64_t seed = 0)
      : seed_(seed), style_(style) {}

  /// Later ids differ from those of the same source in another stream.
  void set_stream(std::uint64_t stream) { stream_ = stream; }
  [[nodiscard]] std::string next();

 private:
  std::uint64_t seed_ = 0;
  std::uint64_t stream_ = 0;
  std::uint32_t made_ = 0;
  BillIdStyle style_ = BillIdStyle::counted;
};

}  // namespace unmask::world::telecom
