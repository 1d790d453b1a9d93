#include "unmask/run/endpoint_health.h"

#include "unmask/llm/chat.h"

namespace unmask::run {

void EndpointHealth::answered() {
  in_row_ = 0;
  refused_in_row_ = 0;
  pause_ = 0;
  trying_ = false;
  if (state_ == State::paused) state_ = State::open;
}

EndpointHealth::Verdict EndpointHealth::failed(const llm::ChatError& error, bool was_trial,
                                               Time now) {
  last_error_ = error.message;
  if (was_trial) trying_ = false;
  if (state_ == State::lost) return Verdict::end_episode;
  switch (error.fault) {
    case llm::ChatFault::context_overflow:
    case llm::ChatFault::undecodable:
      answered();
      return Verdict::end_episode;
    case llm::ChatFault::refused:
      // No wait makes a wrong key or model's name right; but somebody is there.
      if (++refused_in_row_ >= settings_->failures_in_row) {
        lose();
      } else {
        in_row_ = 0;
        pause_ = 0;
        state_ = State::open;
      }
      return Verdict::end_episode;
    case llm::ChatFault::cancelled:
      return Verdict::keep_episode;
    case llm::ChatFault::connection:
    case llm::ChatFault::timed_out:
    case llm::ChatFault::server:
      break;
  }
  if (state_ == State::paused) {
    if (!was_trial) return Verdict::keep_episode;
    if (++pause_ >= settings_->pauses.size()) {
      lose();
      return Verdict::end_episode;
    }
    trial_at_ = now + settings_->pauses[pause_];
    return Verdict::keep_episode;
  }
  if (++in_row_ < settings_->failures_in_row) return Verdict::end_episode;
  if (settings_->pauses.empty()) {
    lose();
    return Verdict::end_episode;
  }
  state_ = State::paused;
  pause_ = 0;
  trial_at_ = now + settings_->pauses.front();
  return Verdict::keep_episode;
}

bool EndpointHealth::is_trial_due(Time now) const {
  return state_ == State::paused && !trying_ && now >= trial_at_;
}

}  // namespace unmask::run
