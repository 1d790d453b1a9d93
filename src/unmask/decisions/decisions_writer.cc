#include "unmask/decisions/decisions_writer.h"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unmask/base/check.h"
#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/decisions/decisions_file.h"
#include "unmask/episode/scored_decision.h"

namespace unmask::decisions {
namespace {

std::string reason(int error) { return std::generic_category().message(error); }

/// What the options of a decision look like in a file, without the decision's number.
std::string options_key(const ScoredDecision& decision) {
  ScoredDecision bare;
  bare.options = decision.options;
  return decision_line(0, bare, std::nullopt);
}

/// The decision alone, as it is in a file.
bool is_same(const ScoredDecision& left, const ScoredDecision& right) {
  return decision_line(0, left, std::nullopt) == decision_line(0, right, std::nullopt);
}

tl::unexpected<Error> other_file(const std::string& path, const std::string& what) {
  return fail(ErrorCode::invalid_argument,
              path + ": holds scores of " + what +
                  "; give another file with -o, or remove this one to begin anew");
}

}  // namespace

struct DecisionsWriter::State {
  std::string path;
  int descriptor = -1;
  DecisionsFile file;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (descriptor >= 0) close(descriptor);
  }

  [[nodiscard]] Result<void> write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor, text.data(), text.size());
      if (written < 0) {
        if (errno == EINTR) continue;
        return fail(ErrorCode::outside, path + ": can't be written: " + reason(errno) +
                                            "; what was scored before is kept, and the same "
                                            "command goes on");
      }
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
  }

  /// Takes over what stands in a file that is there already.
  [[nodiscard]] Result<void> take_over(const DecisionsHeader& header,
                                       std::span<const ScoredDecision> decisions,
                                       Diagnostics& diagnostics) {
    Diagnostics found;
    Result<DecisionsFile> read = read_decisions(path, found);
    if (!read) return tl::unexpected(read.error());
    if (found.count("unusable_line") > 0) {
      return fail(ErrorCode::bad_input, path + ": " + found.kept().front().sentence +
                                            "; a damaged file can't be gone on with: give another "
                                            "one with -o");
    }
    diagnostics.merge(found);
    const DecisionsHeader& old = read->header;
    if (old.kind != header.kind) return other_file(path, "another kind (" + old.kind + ")");
    if (old.contexts_sha256 != header.contexts_sha256 || old.decisions != header.decisions) {
      return other_file(path, "other contexts or options");
    }
    if (old.temperatures != header.temperatures) return other_file(path, "other temperatures");
    const std::size_t known = read->scored.decisions.size();
    if (known > decisions.size()) return other_file(path, "other contexts or options");
    for (std::size_t i = 0; i < known; ++i) {
      if (!is_same(read->scored.decisions[i], decisions[i])) {
        return other_file(path, "other contexts or options");
      }
    }
    if (ftruncate(descriptor, static_cast<off_t>(read->whole_bytes)) != 0) {
      return fail(ErrorCode::outside, path + ": can't be shortened: " + reason(errno));
    }
    file = std::move(*read);
    return {};
  }

  [[nodiscard]] Result<void> add_decisions(std::span<const ScoredDecision> decisions) {
    std::map<std::string, std::size_t, std::less<>> first;
    std::string text;
    for (std::size_t i = 0; i < decisions.size(); ++i) {
      const auto [place, is_new] = first.emplace(options_key(decisions[i]), i);
      if (i < file.scored.decisions.size()) continue;
      text += decision_line(i, decisions[i], is_new ? std::nullopt : std::optional(place->second));
      ScoredDecision& added = file.scored.decisions.emplace_back(decisions[i]);
      added.arms.assign(file.scored.arms.size(), ArmScores());
      for (ArmScores& scores : added.arms) scores.fault = kNotScored;
    }
    return write(text);
  }
};

DecisionsWriter::DecisionsWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
DecisionsWriter::~DecisionsWriter() = default;
DecisionsWriter::DecisionsWriter(DecisionsWriter&&) noexcept = default;
DecisionsWriter& DecisionsWriter::operator=(DecisionsWriter&&) noexcept = default;

Result<DecisionsWriter> DecisionsWriter::open(const std::string& path,
                                              const DecisionsHeader& header,
                                              std::span<const ScoredDecision> decisions,
                                              Diagnostics& diagnostics) {
  auto state = std::make_unique<State>();
  state->path = path;
  constexpr mode_t kMode = 0644;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): the system's call
  state->descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, kMode);
  if (state->descriptor < 0) {
    return fail(ErrorCode::outside, path + ": can't be opened for writing: " + reason(errno));
  }
  if (flock(state->descriptor, LOCK_EX | LOCK_NB) != 0) {
    return fail(ErrorCode::invalid_argument,
                path + ": another process is writing to it; wait for it, or give another file");
  }
  struct stat status{};
  if (fstat(state->descriptor, &status) != 0) {
    return fail(ErrorCode::outside, path + ": can't be looked at: " + reason(errno));
  }
  if (status.st_size > 0) {
    if (Result<void> taken = state->take_over(header, decisions, diagnostics); !taken) {
      return tl::unexpected(taken.error());
    }
  } else {
    state->file.header = header;
    if (Result<void> written = state->write(header_line(header)); !written) {
      return tl::unexpected(written.error());
    }
  }
  if (Result<void> added = state->add_decisions(decisions); !added) {
    return tl::unexpected(added.error());
  }
  return DecisionsWriter(std::move(state));
}

Result<std::size_t> DecisionsWriter::add_arm(const ScoredArm& arm) {
  std::vector<ScoredArm>& arms = state_->file.scored.arms;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    if (arms[i].name != arm.name) continue;
    if (arm_line(0, arms[i]) == arm_line(0, arm)) return i;
    return other_file(state_->path, "another model as " + arm.name + " (" + arms[i].model + ", " +
                                        arms[i].precision + "; now it is " + arm.model + ", " +
                                        arm.precision + ")");
  }
  if (Result<void> written = state_->write(arm_line(arms.size(), arm)); !written) {
    return tl::unexpected(written.error());
  }
  arms.push_back(arm);
  for (ScoredDecision& decision : state_->file.scored.decisions) {
    decision.arms.emplace_back().fault = kNotScored;
  }
  return arms.size() - 1;
}

bool DecisionsWriter::is_scored(std::size_t decision, std::size_t arm) const {
  return state_->file.scored.decisions.at(decision).arms.at(arm).fault != kNotScored;
}

Result<void> DecisionsWriter::add(ScoreLine score) {
  UNMASK_CHECK(!is_scored(score.decision, score.arm));
  score.scores = rounded(std::move(score.scores));
  if (Result<void> written = state_->write(score_line(score)); !written) return written;
  ++state_->file.scores;
  state_->file.scored.decisions[score.decision].arms[score.arm] = std::move(score.scores);
  return {};
}

Result<void> DecisionsWriter::flush() {
  // A pipe or a device has nothing to wait for.
  if (fsync(state_->descriptor) != 0 && errno != EINVAL && errno != EROFS) {
    return fail(ErrorCode::outside, state_->path + ": can't be written: " + reason(errno));
  }
  return {};
}

const ScoredDecisions& DecisionsWriter::scored() const { return state_->file.scored; }

}  // namespace unmask::decisions
