#include "unmask/report/text_report.h"

#include <cstdio>
#include <cstdlib>

#include <gtest/gtest.h>

#include "unmask/report/report_sample.h"

TEST(Look, AtIt) {
  const char* w = std::getenv("W");
  const char* s = std::getenv("S");
  const char* a = std::getenv("A");
  unmask::TextStyle style{.width = w ? std::atoi(w) : 80,
                          .color = std::getenv("C") != nullptr,
                          .unicode = a == nullptr,
                          .verbose = std::getenv("V") != nullptr};
  std::puts(text_report(s && *s == 's' ? unmask::sample::study_audit()
                        : s            ? unmask::sample::empty_audit()
                                       : unmask::sample::masked_audit(),
                        style)
                .c_str());
}
