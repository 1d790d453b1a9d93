// Audits two logs and prints the verdict: what a program that uses the library looks like.

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "unmask/audit/audit.h"
#include "unmask/audit/verdict.h"
#include "unmask/study/study_reader.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: consumer REFERENCE ARM\n");
    return 2;
  }
  unmask::CellSource cell;
  for (const auto& [name, path] : {std::pair("reference", argv[1]), std::pair("arm", argv[2])}) {
    unmask::ArmSource arm;
    arm.name = name;
    arm.paths = {path};
    cell.arms.push_back(std::move(arm));
  }
  cell.reference = "reference";
  const auto study = unmask::read_study({cell}, {});
  if (!study) {
    std::fprintf(stderr, "%s\n", study.error().message.c_str());
    return 1;
  }
  unmask::AuditSettings settings;
  settings.bootstrap = 200;
  const auto findings = unmask::audit_study(study->cells, settings);
  if (!findings || findings->cells.empty() || findings->cells[0].comparisons.empty()) return 1;
  std::printf("%s\n", std::string(name_of(findings->cells[0].comparisons[0].verdict)).c_str());
  return 0;
}
