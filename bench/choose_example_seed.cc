// How kExampleSeed was chosen: of the seeds 0 .. 99,999 the one whose headline cell comes nearest
// to the paper's figures. Prints the best seeds with their figures; about three minutes on one
// core.
//   build/release/bench/choose_example_seed [seeds]

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

#include "unmask/synthetic/example_study.h"
#include "unmask/synthetic/process.h"

namespace {

using unmask::ArmFacts;
using unmask::Channel;
using unmask::Party;
using namespace unmask::synthetic;

struct Figures {
  double hallucinated = 0.0;
  double agent_calls = 0.0;
  double score_2 = 0.0;   // points
  double score_10 = 0.0;  // points
  double recovery = 0.0;  // points: failed calls of the agent followed by a successful one
};

Figures figures_of(const ArmFacts& arm) {
  Figures f;
  double recovered = 0.0;
  double followed = 0.0;
  const double points = 100.0 / static_cast<double>(arm.episodes.size());
  for (const unmask::EpisodeFacts& episode : arm.episodes) {
    int errors = 0;
    bool after_failure = false;
    for (const unmask::CallFacts& call : episode.calls) {
      errors += call.failed ? 1 : 0;
      if (call.party == Party::user) continue;
      f.agent_calls += 1.0;
      if (call.failed && call.channel == Channel::tool_name) f.hallucinated += 1.0;
      if (after_failure) {
        followed += 1.0;
        recovered += call.failed ? 0.0 : 1.0;
      }
      after_failure = call.failed;
    }
    if (episode.success) f.score_10 += points;
    if (episode.success && errors < 2) f.score_2 += points;
  }
  f.recovery = 100.0 * recovered / followed;
  return f;
}

struct Candidate {
  std::uint64_t seed = 0;
  double distance = 0.0;
  std::array<Figures, 3> arms;  // bf16, fp8, int4
};

// Sum of squares of what the figures are off, each in units of what a reader would still call the
// same figure. fp8 has no figures in the paper: it should look like bf16.
double distance_to_paper(const std::array<Figures, 3>& arms) {
  const auto& [bf16, fp8, int4] = arms;
  struct Target {
    double value;
    double target;
    double tolerance;
  };
  const std::array<Target, 14> targets = {{
      {bf16.hallucinated, 649, 10},
      {int4.hallucinated, 1646, 20},
      {bf16.agent_calls, 3328, 130},
      {int4.agent_calls, 4298, 130},
      {bf16.score_10, 66.7, 0.25},
      {int4.score_10, 65.4, 0.25},
      {bf16.score_2 - int4.score_2, 16.7, 0.25},
      {bf16.recovery, 55, 1},
      {int4.recovery, 55, 1},
      {fp8.hallucinated, 649, 30},
      {fp8.agent_calls, 3328, 130},
      {fp8.score_10, 66.7, 0.8},
      {bf16.score_2 - fp8.score_2, 0, 0.8},
      {fp8.recovery, 55, 2},
  }};
  double sum = 0.0;
  for (const Target& t : targets) {
    const double off = (t.value - t.target) / t.tolerance;
    sum += off * off;
  }
  return sum;
}

void print(const Candidate& candidate) {
  std::printf("seed %llu  distance %.2f\n", static_cast<unsigned long long>(candidate.seed),
              candidate.distance);
  for (const Figures& f : candidate.arms) {
    std::printf("  hallucinated %4.0f of %4.0f calls  S(2) %.1f  S(10) %.1f  recovery %.1f %%\n",
                f.hallucinated, f.agent_calls, f.score_2, f.score_10, f.recovery);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t seeds = 100'000;
  if (argc > 1) {
    const std::string_view text = argv[1];
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), seeds);
    if (parsed.ec != std::errc() || seeds == 0) {
      std::fputs("usage: choose_example_seed [number of seeds, at least 1]\n", stderr);
      return 2;
    }
  }
  const StudyCell cell = headline_cell();
  std::vector<Candidate> candidates;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Candidate candidate{.seed = seed};
    for (std::size_t i = 0; i < candidate.arms.size(); ++i) {
      candidate.arms[i] = figures_of(simulate_arm(cell.process, cell.arms[i], seed));
    }
    candidate.distance = distance_to_paper(candidate.arms);
    candidates.push_back(candidate);
  }
  const std::size_t kept = std::min<std::size_t>(5, candidates.size());
  std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(kept),
                    candidates.end(),
                    [](const Candidate& a, const Candidate& b) { return a.distance < b.distance; });
  for (std::size_t i = 0; i < kept; ++i) print(candidates[i]);
  return 0;
}
