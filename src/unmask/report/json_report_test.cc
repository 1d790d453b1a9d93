#include "unmask/report/json_report.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

#include "unmask/report/card.h"
#include "unmask/report/csv_report.h"
#include "unmask/report/markdown_report.h"
#include "unmask/report/report_sample.h"

using namespace unmask;
TEST(LookJson, AtIt) {
  int i = 0;
  for (auto f : {sample::study_audit(), sample::empty_audit(), sample::masked_audit()}) {
    std::string n = "/tmp/look_" + std::to_string(i++);
    std::ofstream(n + ".json") << audit_json(f, {"0.1.0", ""});
    std::ofstream(n + ".csv") << audit_csv(f);
    std::ofstream(n + ".md") << audit_markdown(f);
  }
  auto f = sample::masked_audit();
  auto c = card_from(f, "gemma-4-dense", "int4");
  ASSERT_TRUE(c.has_value());
  std::string t = card_json(*c, {"0.1.0", ""});
  std::ofstream("/tmp/card.json") << t;
  std::ofstream("/tmp/card.md") << card_markdown(*c);
  for (auto v : check_card(t)) std::printf("%s: %s\n", v.path.c_str(), v.sentence.c_str());
  for (auto v : check_card("{}")) std::printf("%s: %s\n", v.path.c_str(), v.sentence.c_str());
}
