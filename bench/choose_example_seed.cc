// How kExampleSeed was chosen: of the seeds 0 .. 399,999 the one whose headline cell comes nearest
// to the paper's figures. Prints the best seeds with their figures; about six minutes on one
// core.
//   build/release/bench/choose_example_seed [seeds]

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string_view>
#include <system_error>
#include <vector>

#include "unmask/episode/channel.h"
#include "unmask/episode/facts.h"
#include "unmask/synthetic/example_study.h"
#include "unmask/synthetic/process.h"

namespace {

using unmask::ArmFacts;
using unmask::Channel;
using unmask::Party;
using namespace unmask::synthetic;

constexpr std::size_t kKept = 5;

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
  Figures bf16, int4, fp8;
};

// How far `value` is from `target`, in units of what a reader would still call the same figure.
double off(double value, double target, double tolerance) {
  const double units = (value - target) / tolerance;
  return units * units;
}

double distance_of_bf16(const Figures& bf16) {
  return off(bf16.hallucinated, 649, 10) + off(bf16.agent_calls, 3328, 130) +
         off(bf16.score_10, 66.7, 0.25) + off(bf16.recovery, 55, 1);
}

double distance_of_int4(const Figures& bf16, const Figures& int4) {
  return off(int4.hallucinated, 1646, 20) + off(int4.agent_calls, 4298, 130) +
         off(int4.score_10, 65.4, 0.25) + off(bf16.score_2 - int4.score_2, 16.7, 0.25) +
         off(int4.recovery, 55, 1);
}

// The paper has no figures of this arm in this cell: it should look like bf16, by wider bounds.
double distance_of_fp8(const Figures& bf16, const Figures& fp8) {
  return off(fp8.hallucinated, 649, 30) + off(fp8.agent_calls, 3328, 130) +
         off(fp8.score_10, 66.7, 0.8) + off(bf16.score_2 - fp8.score_2, 0, 0.8) +
         off(fp8.recovery, 55, 2);
}

// Distance of the cell's arms under `seed`; stops simulating as soon as it exceeds `limit`.
Candidate judge(const StudyCell& cell, std::uint64_t seed, double limit) {
  Candidate c{.seed = seed};
  c.bf16 = figures_of(simulate_arm(cell.process, cell.arms[0], seed));
  c.distance = distance_of_bf16(c.bf16);
  if (c.distance > limit) return c;
  c.int4 = figures_of(simulate_arm(cell.process, cell.arms[2], seed));
  c.distance += distance_of_int4(c.bf16, c.int4);
  if (c.distance > limit) return c;
  c.fp8 = figures_of(simulate_arm(cell.process, cell.arms[1], seed));
  c.distance += distance_of_fp8(c.bf16, c.fp8);
  return c;
}

void print(const Candidate& candidate) {
  std::printf("seed %llu  distance %.2f\n", static_cast<unsigned long long>(candidate.seed),
              candidate.distance);
  for (const Figures* f : {&candidate.bf16, &candidate.fp8, &candidate.int4}) {
    std::printf("  hallucinated %4.0f of %4.0f calls  S(2) %.1f  S(10) %.1f  recovery %.1f %%\n",
                f->hallucinated, f->agent_calls, f->score_2, f->score_10, f->recovery);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t seeds = 400'000;
  if (argc > 1) {
    const std::string_view text = argv[1];
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), seeds);
    if (parsed.ec != std::errc() || seeds == 0) {
      std::fputs("usage: choose_example_seed [number of seeds, at least 1]\n", stderr);
      return 2;
    }
  }
  const StudyCell cell = headline_cell();
  std::vector<Candidate> best;  // nearest first
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const double limit =
        best.size() < kKept ? std::numeric_limits<double>::infinity() : best.back().distance;
    const Candidate candidate = judge(cell, seed, limit);
    if (candidate.distance >= limit) continue;
    if (best.size() == kKept) best.pop_back();
    const auto place = std::ranges::find_if(
        best, [&](const Candidate& other) { return other.distance > candidate.distance; });
    best.insert(place, candidate);
  }
  for (const Candidate& candidate : best) print(candidate);
  return 0;
}
