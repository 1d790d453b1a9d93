// Calibration: do the audit's intervals hold the truth, and do its tests err, as often as they say?
// Simulated studies with clustered errors and a known truth go through the audit as any other.
//   build/release/bench/calibration [--studies N] [--coverage N] [--threads N] [--widen]
// Exit status 1 if a figure lies outside its bound; docs/statistics/calibration.md has the results.

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "calibration_cells.h"
#include "calibration_coverage.h"
#include "calibration_sizes.h"
#include <CLI/CLI.hpp>

#include "unmask/base/rng.h"
#include "unmask/power/replicates.h"

namespace unmask::calibration {
namespace {

// Coverage and sizes need no fine p-values; 9,999 sign vectors resolve the 5 % of the largest
// family (some 60 tests) into eight steps.
constexpr std::uint32_t kSignFlips = 9'999;

/// What a figure must lie in, ends included.
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
};

// Four standard errors of a share at each end: a short run then fails by chance in fewer than one
// of 10,000 figures.
Bound widened(const Bound& bound, std::size_t observations) {
  const auto slack = [&](double share) {
    return 4.0 * std::sqrt(share * (1.0 - share) / static_cast<double>(observations));
  };
  return {bound.low - slack(bound.low), bound.high + slack(bound.high)};
}

class Report {
 public:
  explicit Report(const Options& options) : options_(options) {}

  [[nodiscard]] bool failed() const { return outside_ > 0; }
  [[nodiscard]] std::size_t checked() const { return checked_; }
  [[nodiscard]] std::size_t outside() const { return outside_; }

  /// ` ` if `share` keeps its bound, `!` if not.
  char check(double share, std::size_t observations, const Bound& bound) {
    const Bound applied = options_.widen ? widened(bound, observations) : bound;
    ++checked_;
    const bool inside = share >= applied.low && share <= applied.high;
    if (!inside) ++outside_;
    return inside ? ' ' : '!';
  }

 private:
  const Options& options_;
  std::size_t checked_ = 0;
  std::size_t outside_ = 0;
};

double percent(double share) { return 100.0 * share; }

std::string bound_text(const Bound& bound) {
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

const Bound* coverage_bound(Group group, const Design& design) {
  if (!design.full) return nullptr;
  switch (group) {
    case Group::rate:
      return &kRateCoverage;
    case Group::score:
      return &kScoreCoverage;
    case Group::widening:
      return nullptr;
  }
  return nullptr;
}

void print_coverage(const Design& design, const std::vector<std::vector<Coverage>>& by_rate,
                    Report& report) {
  std::printf("\ncoverage at %d x %d, %% of intervals (nominal 95) that hold the truth\n",
              design.tasks, design.trials);
  std::printf("  %-36s", "call rate of the reference");
  for (const double rate : kCallRates) std::printf("%7.0f %%", percent(rate));
  std::printf("   bound\n");
  for (std::size_t row = 0; row < by_rate.front().size(); ++row) {
    const Coverage& first = by_rate.front()[row];
    const Bound* bound = coverage_bound(first.group, design);
    std::printf("  %-36s", first.figure.c_str());
    std::size_t missing = 0;
    for (const std::vector<Coverage>& column : by_rate) {
      const Coverage& cell = column[row];
      const char mark =
          bound == nullptr ? ' ' : report.check(cell.share(), cell.replicates, *bound);
      std::printf("%8.1f%c", percent(cell.share()), mark);
      missing += cell.missing;
    }
    std::printf("   %s", bound == nullptr ? "" : bound_text(*bound).c_str());
    if (missing > 0) std::printf("  (%zu without an interval)", missing);
    std::printf("\n");
  }
}

void print_line(const char* name, const Count& count, const Bound* bound, Report& report) {
  const char mark = bound == nullptr ? ' ' : report.check(count.share(), count.of, *bound);
  std::printf("  %-44s%8.2f%c  of %-7zu %s\n", name, percent(count.share()), mark, count.of,
              bound == nullptr ? "" : bound_text(*bound).c_str());
}

void print_verdicts(const char* whose, const Verdicts& verdicts) {
  std::size_t all = 0;
  for (const std::size_t count : verdicts) all += count;
  std::printf("  verdicts of %s, %%:", whose);
  const char* separator = " ";
  for (std::size_t v = 0; v < kVerdictCount; ++v) {
    if (verdicts[v] == 0) continue;
    std::printf("%s%s %.2f", separator, std::string(name_of(static_cast<Verdict>(v))).c_str(),
                percent(static_cast<double>(verdicts[v]) / static_cast<double>(all)));
    separator = ", ";
  }
  std::printf("\n");
}

void print_errors(const char* title, const Design& design, const Errors& errors, Report& report) {
  std::printf("\n%s at %d x %d, %%\n", title, design.tasks, design.trials);
  for (std::size_t f = 0; f < kFamilies; ++f) {
    print_line((std::string("size of a test, ") + kFamilyNames[f]).c_str(), errors.size[f], &kSize,
               report);
  }
  for (std::size_t f = 0; f < kFamilies; ++f) {
    print_line((std::string("family-wise error, ") + kFamilyNames[f]).c_str(),
               errors.family_wise[f], &kFamilyWise, report);
  }
  print_line("studies with an error in any family", errors.any_family, nullptr, report);
  print_line("studies with a null arm called damaged", errors.any_damage, nullptr, report);
  print_line("null arms called masked or visible", errors.masked_or_visible, &kNullMaskedOrVisible,
             report);
  print_verdicts("null arms", errors.null_verdicts);
}

void print_size_by_cell(const Errors& errors) {
  std::printf("  %-40s  scores  widening  amplification\n", "size by cell, %");
  for (std::size_t cell = 0; cell < errors.cells.size(); ++cell) {
    std::printf("    %-38s", errors.cells[cell].c_str());
    for (const Count& count : errors.size_by_cell[cell]) {
      if (count.of == 0) {
        std::printf("%8s", "-");
      } else {
        std::printf("%8.2f", percent(count.share()));
      }
    }
    std::printf("\n");
  }
}

int run(const Options& options) {
  const auto started = std::chrono::steady_clock::now();
  Report report(options);
  std::printf("%zu studies of ten cells x two arms, %zu replicates for coverage, seed %llu%s\n",
              options.studies, options.coverage, static_cast<unsigned long long>(kDefaultSeed),
              options.widen ? "; bounds widened by 4 standard errors" : "");
  for (const Design& design : kDesigns) {
    std::vector<std::vector<Coverage>> by_rate;
    for (const double rate : kCallRates) {
      by_rate.push_back(
          measure_coverage(rate, design, options.coverage, kDefaultSeed, options.threads));
    }
    print_coverage(design, by_rate, report);
    std::fflush(stdout);
  }
  for (const Design& design : kDesigns) {
    const Errors null =
        measure_errors(false, design, options.studies, kSignFlips, kDefaultSeed, options.threads);
    print_errors("studies of null arms only", design, null, report);
    print_size_by_cell(null);
    std::fflush(stdout);
    const Errors mixed =
        measure_errors(true, design, options.studies, kSignFlips, kDefaultSeed, options.threads);
    print_errors("19 null arms beside the headline pattern", design, mixed, report);
    const Count masked{mixed.headline_verdicts[static_cast<std::size_t>(Verdict::masked_damage)],
                       options.studies};
    print_line("headline pattern called masked", masked, design.full ? &kHeadlineMasked : nullptr,
               report);
    print_verdicts("the headline pattern", mixed.headline_verdicts);
    std::fflush(stdout);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
  std::printf("\n%zu of %zu figures outside their bounds; %.1f minutes on %u threads\n",
              report.outside(), report.checked(), seconds.count() / 60.0, options.threads);
  return report.failed() ? 1 : 0;
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
  app.add_option("--threads,-j", options.threads, "threads; the figures do not depend on it")
      ->check(CLI::Range(1U, 1'024U));
  app.add_flag("--widen", options.widen, "widen the bounds by 4 Monte Carlo standard errors");
  CLI11_PARSE(app, argc, argv);
  return unmask::calibration::run(options);
}
