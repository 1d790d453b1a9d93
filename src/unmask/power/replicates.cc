#include "unmask/power/replicates.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "unmask/base/check.h"

namespace unmask::power {

bool run_replicates(std::size_t total, unsigned threads,
                    const std::function<void(std::size_t)>& work, const Progress& progress) {
  UNMASK_CHECK(threads >= 1);
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> done = 0;
  std::atomic<bool> stop = false;
  std::mutex mutex;
  std::exception_ptr failure;  // guarded by `mutex`

  // `report` is called after each replicate of this thread.
  const auto run = [&](const auto& report) {
    try {
      while (!stop) {
        const std::size_t index = next++;
        if (index >= total) return;
        work(index);
        report(++done);
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
      stop = true;
    }
  };
  bool stopped = false;
  {
    std::vector<std::jthread> others;
    const std::size_t useful = std::min<std::size_t>(threads, std::max<std::size_t>(total, 1));
    for (std::size_t i = 1; i < useful; ++i) {
      others.emplace_back([&] { run([](std::size_t) {}); });
    }
    run([&](std::size_t finished) {
      if (progress && !progress(finished, total)) stopped = stop = true;
    });
  }  // joins
  if (failure) std::rethrow_exception(failure);
  return !stopped;
}

unsigned default_threads() { return std::max(1U, std::thread::hardware_concurrency()); }

}  // namespace unmask::power
