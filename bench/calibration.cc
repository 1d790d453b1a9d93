// Calibration: do the audit's intervals hold the truth, and do its tests err, as often as they say?
// Simulated studies with clustered errors and a known truth go through the audit as any other.
//   build/release/bench/calibration [--studies N] [--coverage N] [-j N] [--widen] [--json]
// Exit status 1 if a figure lies outside its bound; docs/statistics/calibration.md has the results.

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "calibration_cells.h"
#include "calibration_coverage.h"
#include "calibration_sizes.h"
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "unmask/base/rng.h"
#include "unmask/power/replicates.h"

namespace unmask::calibration {
namespace {

// Coverage and sizes need no fine p-values; 9,999 sign vectors resolve the 5 % of the largest
// family (some 60 tests) into eight steps.
constexpr std::uint32_t kSignFlips = 9'999;

/// What a share must lie in, ends included.
struct Bound {
  double low = 0.0;
  double high = 1.0;
};

// At 114 x 4.
constexpr Bound kRateCoverage = {0.91, 1.0};
constexpr Bound kScoreCoverage = {0.93, 0.97};
constexpr Bound kHeadlineMasked = {0.95, 1.0};
// At every size.
constexpr Bound kSize = {0.0, 0.065};
constexpr Bound kFamilyWise = {0.0, 0.065};
constexpr Bound kNullMaskedOrVisible = {0.0, 0.01};

struct Options {
  std::size_t studies = 1'000;
  std::size_t coverage = 2'000;
  unsigned threads = power::default_threads();
  bool widen = false;
  bool json = false;
};

/// A measured share.
struct Measured {
  std::string scenario, figure;
  Design design;
  std::optional<double> call_rate;
  double share = 0.0;
  std::size_t of = 0;
};

// Four standard errors of a share at each end: a short run then fails by chance in fewer than one
// of 10,000 figures.
Bound widened(const Bound& bound, std::size_t of) {
  const auto slack = [&](double share) {
    return 4.0 * std::sqrt(share * (1.0 - share) / static_cast<double>(of));
  };
  return {bound.low - slack(bound.low), bound.high + slack(bound.high)};
}

double percent(double share) { return 100.0 * share; }

std::string text_of(const Bound& bound) {
  char text[32];
  if (bound.high == 1.0) {
    std::snprintf(text, sizeof text, ">= %.0f", percent(bound.low));
  } else if (bound.low == 0.0) {
    std::snprintf(text, sizeof text, "<= %g", percent(bound.high));
  } else {
    std::snprintf(text, sizeof text, "%.0f-%.0f", percent(bound.low), percent(bound.high));
  }
  return text;
}

/// Collects every measured share, holds it against its bound and prints tables as they come.
class Report {
 public:
  explicit Report(const Options& options) : options_(options) {}

  /// Tables go to standard error where standard output is for JSON.
  [[nodiscard]] std::FILE* text() const { return options_.json ? stderr : stdout; }

  /// The mark to print behind the share: `!` if it is outside, else a space.
  char add(const Measured& measured, const Bound* bound) {
    Json entry = {{"scenario", measured.scenario},
                  {"figure", measured.figure},
                  {"tasks", measured.design.tasks},
                  {"trials", measured.design.trials},
                  {"call_rate", nullptr},
                  {"share", measured.share},
                  {"of", measured.of},
                  {"low", nullptr},
                  {"high", nullptr},
                  {"inside", nullptr}};
    if (measured.call_rate) entry["call_rate"] = *measured.call_rate;
    char mark = ' ';
    if (bound != nullptr) {
      const Bound applied = options_.widen ? widened(*bound, measured.of) : *bound;
      const bool inside = measured.share >= applied.low && measured.share <= applied.high;
      entry["low"] = applied.low;
      entry["high"] = applied.high;
      entry["inside"] = inside;
      ++bounded_;
      outside_ += !inside;
      if (!inside) mark = '!';
    }
    figures_.push_back(std::move(entry));
    return mark;
  }

  int finish(double seconds) {
    std::fprintf(text(), "\n%zu of %zu figures outside their bounds; %.1f minutes on %u threads\n",
                 outside_, bounded_, seconds / 60.0, options_.threads);
    if (options_.json) {
      const Json document = {{"studies", options_.studies}, {"coverage", options_.coverage},
                             {"seed", kDefaultSeed},        {"sign_flips", kSignFlips},
                             {"minutes", seconds / 60.0},   {"threads", options_.threads},
                             {"figures", figures_}};
      std::fputs((document.dump(2) + "\n").c_str(), stdout);
    }
    return outside_ > 0 ? 1 : 0;
  }

 private:
  using Json = nlohmann::ordered_json;
  const Options& options_;
  Json figures_ = Json::array();
  std::size_t bounded_ = 0;
  std::size_t outside_ = 0;
};

const Bound* coverage_bound(Group group, const Design& design) {
  if (!design.full) return nullptr;
  switch (group) {
    case Group::rate:
      return &kRateCoverage;
    case Group::score:
      return &kScoreCoverage;
    case Group::unbounded:
      return nullptr;
  }
  return nullptr;
}

// One row a figure, one column a call rate.
void report_coverage(const Design& design, const std::vector<std::vector<Coverage>>& by_rate,
                     Report& report) {
  std::FILE* out = report.text();
  std::fprintf(out, "\ncoverage at %d x %d, %% of intervals (nominal 95) that hold the truth\n",
               design.tasks, design.trials);
  std::fprintf(out, "  %-36s", "call rate of the reference");
  for (const double rate : kCallRates) std::fprintf(out, "%7.0f %%", percent(rate));
  std::fprintf(out, "   bound\n");
  for (std::size_t row = 0; row < by_rate.front().size(); ++row) {
    const Coverage& first = by_rate.front()[row];
    const Bound* bound = coverage_bound(first.group, design);
    std::fprintf(out, "  %-36s", first.figure.c_str());
    std::size_t missing = 0;
    for (std::size_t column = 0; column < by_rate.size(); ++column) {
      const Coverage& cell = by_rate[column][row];
      const char mark = report.add({.scenario = "coverage",
                                    .figure = cell.figure,
                                    .design = design,
                                    .call_rate = kCallRates[column],
                                    .share = cell.share(),
                                    .of = cell.replicates},
                                   bound);
      std::fprintf(out, "%8.1f%c", percent(cell.share()), mark);
      missing += cell.missing;
    }
    std::fprintf(out, "   %s", bound == nullptr ? "" : text_of(*bound).c_str());
    if (missing > 0) std::fprintf(out, "  (%zu without an interval)", missing);
    std::fprintf(out, "\n");
  }
}

void report_verdicts(const char* whose, const Verdicts& verdicts, const Report& report) {
  std::size_t all = 0;
  for (const std::size_t count : verdicts) all += count;
  std::fprintf(report.text(), "  verdicts of %s, %%:\n   ", whose);
  for (std::size_t v = 0; v < kVerdictCount; ++v) {
    if (verdicts[v] == 0) continue;
    std::fprintf(report.text(), " %s %.2f", std::string(name_of(static_cast<Verdict>(v))).c_str(),
                 percent(static_cast<double>(verdicts[v]) / static_cast<double>(all)));
  }
  std::fprintf(report.text(), "\n");
}

// The error rates of one scenario at one size.
class ErrorTable {
 public:
  ErrorTable(std::string scenario, const Design& design, Report& report)
      : scenario_(std::move(scenario)), design_(design), report_(report) {
    std::fprintf(report_.text(), "\n%s at %d x %d, %%\n", scenario_.c_str(), design.tasks,
                 design.trials);
  }

  void line(const std::string& figure, const Count& count, const Bound* bound) {
    const char mark = report_.add({.scenario = scenario_,
                                   .figure = figure,
                                   .design = design_,
                                   .call_rate = {},
                                   .share = count.share(),
                                   .of = count.of},
                                  bound);
    std::fprintf(report_.text(), "  %-44s%8.2f%c  of %-7zu %s\n", figure.c_str(),
                 percent(count.share()), mark, count.of,
                 bound == nullptr ? "" : text_of(*bound).c_str());
  }

  void null_arms(const Errors& errors) {
    for (std::size_t f = 0; f < kFamilies; ++f) {
      line(std::string("size of a test, ") + kFamilyNames[f], errors.size[f], &kSize);
    }
    for (std::size_t f = 0; f < kFamilies; ++f) {
      line(std::string("family-wise error, ") + kFamilyNames[f], errors.family_wise[f],
           &kFamilyWise);
    }
    line("studies with an error in any family", errors.any_family, nullptr);
    line("studies with a null arm called damaged", errors.any_damage, nullptr);
    line("null arms called masked or visible", errors.masked_or_visible, &kNullMaskedOrVisible);
    report_verdicts("null arms", errors.null_verdicts, report_);
  }

  // Cells differ in rate and clustering; a family's size is their average.
  void by_cell(const Errors& errors) {
    std::FILE* out = report_.text();
    std::fprintf(out, "  %-36s%10s%12s%16s\n", "size by cell", "scores", "widening",
                 "amplification");
    constexpr int kWidths[kFamilies] = {10, 12, 16};
    for (std::size_t cell = 0; cell < errors.cells.size(); ++cell) {
      std::fprintf(out, "    %-34s", errors.cells[cell].c_str());
      for (std::size_t f = 0; f < kFamilies; ++f) {
        const Count& count = errors.size_by_cell[cell][f];
        if (count.of == 0) {
          std::fprintf(out, "%*s", kWidths[f], "-");
        } else {
          std::fprintf(out, "%*.2f", kWidths[f], percent(count.share()));
        }
      }
      std::fprintf(out, "\n");
    }
  }

 private:
  std::string scenario_;
  Design design_;
  Report& report_;
};

int run(const Options& options) {
  const auto started = std::chrono::steady_clock::now();
  Report report(options);
  std::fprintf(report.text(),
               "%zu studies of ten cells x two arms, %zu replicates for coverage, seed %llu%s\n",
               options.studies, options.coverage, static_cast<unsigned long long>(kDefaultSeed),
               options.widen ? "; bounds widened by 4 standard errors" : "");
  for (const Design& design : kDesigns) {
    std::vector<std::vector<Coverage>> by_rate;
    for (const double rate : kCallRates) {
      by_rate.push_back(
          measure_coverage(rate, design, options.coverage, kDefaultSeed, options.threads));
    }
    report_coverage(design, by_rate, report);
    std::fflush(report.text());
  }
  for (const Design& design : kDesigns) {
    const Errors null =
        measure_errors(false, design, options.studies, kSignFlips, kDefaultSeed, options.threads);
    ErrorTable of_null("null arms only", design, report);
    of_null.null_arms(null);
    of_null.by_cell(null);
    std::fflush(report.text());

    const Errors mixed =
        measure_errors(true, design, options.studies, kSignFlips, kDefaultSeed, options.threads);
    ErrorTable of_mixed("19 null arms beside the headline pattern", design, report);
    of_mixed.null_arms(mixed);
    const Count masked{mixed.headline_verdicts[static_cast<std::size_t>(Verdict::masked_damage)],
                       options.studies};
    of_mixed.line("headline pattern called masked", masked,
                  design.full ? &kHeadlineMasked : nullptr);
    report_verdicts("the headline pattern", mixed.headline_verdicts, report);
    std::fflush(report.text());
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
  return report.finish(seconds.count());
}

}  // namespace
}  // namespace unmask::calibration

int main(int argc, char** argv) {
  unmask::calibration::Options options;
  CLI::App app("Measures coverage and error rates of the audit on simulated studies.");
  app.add_option("--studies", options.studies, "studies a size and scenario")
      ->check(CLI::Range(1U, 1'000'000U));
  app.add_option("--coverage", options.coverage, "replicates for coverage")
      ->check(CLI::Range(1U, 1'000'000U));
  app.add_option("-j,--threads", options.threads, "threads; the figures do not depend on it")
      ->check(CLI::Range(1U, 1'024U));
  app.add_flag("--widen", options.widen, "widen the bounds by 4 Monte Carlo standard errors");
  app.add_flag("--json", options.json, "JSON on standard output, tables on standard error");
  CLI11_PARSE(app, argc, argv);
  return unmask::calibration::run(options);
}
