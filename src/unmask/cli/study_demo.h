#pragma once

#include <string>

#include "unmask/cli/study_options.h"

namespace CLI {
class App;
}

namespace unmask::cli {

/// `unmask study demo`: plays the paper's grid with simulated agents, audits it, and sets the
/// paper's figures beside the simulated ones.
class StudyDemo {
 public:
  void add(CLI::App& study);
  [[nodiscard]] bool is_asked_for() const;
  int run();

 private:
  CLI::App* app_ = nullptr;
  std::string folder_ = "unmask-demo";
  std::string tau2_data_;
  bool print_study_ = false;
  StudyOptions audit_;
};

}  // namespace unmask::cli
