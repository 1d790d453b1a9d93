#pragma once

#include <cstddef>
#include <functional>

namespace unmask::power {

/// Called on the calling thread as replicates are done. Returns false to stop early.
using Progress = std::function<bool(std::size_t done, std::size_t total)>;

/// Runs work(0) .. work(total - 1) on `threads` >= 1 threads, the calling one among them, in no
/// order. `work` must depend on its index alone and write to a place of its own, so that the result
/// does not depend on the number of threads. Returns false if `progress` asked to stop; some
/// replicates are missing then. The first exception of any thread stops the others and is thrown.
[[nodiscard]] bool run_replicates(std::size_t total, unsigned threads,
                                  const std::function<void(std::size_t)>& work,
                                  const Progress& progress = {});

/// As many threads as the machine has cores, at least 1.
[[nodiscard]] unsigned default_threads();

}  // namespace unmask::power
