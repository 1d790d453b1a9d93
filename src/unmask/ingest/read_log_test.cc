#include "unmask/ingest/read_log.h"

#include <cstdlib>
#include <iostream>

#include <gtest/gtest.h>

namespace unmask {
TEST(Scratch, Reads) {
  Diagnostics d;
  const char* path = std::getenv("LOG");
  if (path == nullptr) GTEST_SKIP();
  auto log = load_log(std::string(path), d);
  if (!log) {
    std::cout << log.error().message << "\n";
    return;
  }
  std::size_t calls = 0, failed = 0;
  double reward = 0;
  for (auto& e : log->episodes) {
    for (auto& c : e.calls) {
      ++calls;
      failed += c.failed;
    }
    reward += e.reward.value_or(0);
  }
  const auto& h = log->header;
  std::cout << h.format << " " << h.domain << " " << h.identity.model << " eps "
            << log->episodes.size() << " tasks " << h.tasks.size() << " calls " << calls
            << " failed " << failed << " reward " << reward << "\n"
            << h.harness.version << ": " << h.harness.evidence << "\n";
  for (auto& [k, v] : h.identity.sampling) std::cout << "  " << k << "=" << v << "\n";
  for (auto& [k, v] : h.missing_fields) std::cout << "  missing " << k << " " << v << "\n";
  for (auto& x : d.kept())
    std::cout << "  " << x.code << " | " << x.file << " | " << x.episode << " | " << x.sentence
              << "\n";
}
}  // namespace unmask
