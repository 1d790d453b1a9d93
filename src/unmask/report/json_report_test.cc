#include "unmask/report/json_report.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "unmask/report/report_sample.h"

TEST(LookJson, AtIt) {
  const char* s = std::getenv("S");
  std::puts(audit_json(s && *s=='s' ? unmask::sample::study_audit() : s ? unmask::sample::empty_audit() : unmask::sample::masked_audit(), {"0.1.0",""}).c_str());
}
