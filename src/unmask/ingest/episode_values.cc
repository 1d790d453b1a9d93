#include "unmask/ingest/episode_values.h"

#include <cmath>
#include <optional>

#include "unmask/ingest/json_values.h"
#include "unmask/ingest/secrets.h"
#include "unmask/json/write.h"

namespace unmask {

namespace {

/// Largest distance from 0 or 1 at which a reward still is that number.
constexpr double kRewardTolerance = 1e-6;
constexpr std::size_t kLongestNote = 500;

}  // namespace

void take_reward(const json::Value& value, Episode& episode, const Remarks& remarks) {
  std::optional<double> reward = number_or_text(value);
  if (const auto truth = value.boolean()) reward = *truth ? 1.0 : 0.0;
  if (!reward) {
    remarks.loss("wrong_type", "the reward is " + std::string(name_of(value.kind())) +
                                   " instead of a number; the episode is left out of scores");
    return;
  }
  if (!std::isfinite(*reward)) {
    episode.reward_was_nan = true;
    remarks.loss("nan_reward",
                 "the reward is NaN or infinite; the episode is left out of scores (evaluate the "
                 "run again to get a number)");
    return;
  }
  episode.reward = reward;
  if (*reward < -kRewardTolerance || *reward > 1.0 + kRewardTolerance) {
    remarks.loss("reward_out_of_range", "the reward is " + json::to_json(value) +
                                            ", outside of 0 to 1; only 1 counts as success");
  } else if (std::fabs(*reward) > kRewardTolerance && std::fabs(*reward - 1.0) > kRewardTolerance) {
    remarks.loss("fractional_reward",
                 "the reward is " + json::to_json(value) + "; only 1 counts as success");
  }
}

std::string crash_note(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  std::string note = without_secrets(text);
  if (note.size() > kLongestNote) {
    note.resize(kLongestNote);
    // Not within a multi-byte character.
    while (!note.empty() && (static_cast<unsigned char>(note.back()) & 0xC0U) == 0x80U) {
      note.pop_back();
    }
    if (!note.empty() && (static_cast<unsigned char>(note.back()) & 0x80U) != 0) note.pop_back();
    note += "...";
  }
  return note;
}

}  // namespace unmask
