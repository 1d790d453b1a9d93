#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "unmask/base/error.h"
#include "unmask/store/run.h"
#include "unmask/store/run_store.h"

/// A small run for the tests of this module.
namespace unmask::store::fixtures {

inline constexpr const char* kCell = "telecom-dense";

[[nodiscard]] RunInfo run_info();
[[nodiscard]] ArmInfo arm(const std::string& name);
[[nodiscard]] UnitKey key(const std::string& task, int trial = 0, const std::string& arm = "int4");
/// A turn that says its unit's seed and its own index, with a text of `bytes` letters.
[[nodiscard]] Turn turn(std::int64_t seed, std::size_t index, std::size_t bytes = 40);
[[nodiscard]] Outcome outcome(double reward = 1.0);
/// The value of a call that must succeed; a failure throws its message.
template <typename T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// A new store with the arms `bf16` and `int4` of kCell; a failure throws.
[[nodiscard]] RunStore store_at(const std::string& path, const StoreOptions& options = {});

}  // namespace unmask::store::fixtures
