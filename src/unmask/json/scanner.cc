#include "unmask/json/scanner.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "unmask/json/text.h"

namespace unmask::json {

namespace {

bool is_space(char byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }

bool begins_value(char byte) {
  switch (byte) {
    case '{':
    case '[':
    case '"':
    case '-':
    case 't':
    case 'f':
    case 'n':
    case 'N':  // NaN, as Python writes it
    case 'I':  // Infinity
      return true;
    default:
      return byte >= '0' && byte <= '9';
  }
}

bool ends_scalar(char byte) {
  return is_space(byte) || byte == ',' || byte == ']' || byte == '}' || byte == ':';
}

}  // namespace

std::string to_string(const Place& place) {
  // Nobody reads a thousand steps.
  constexpr std::size_t kShown = 16;
  std::string text;
  for (std::size_t i = 0; i < place.path.size(); ++i) {
    if (i == kShown) {
      text += "... (" + std::to_string(place.path.size()) + " deep)";
      break;
    }
    const Step& step = place.path[i];
    if (step.is_element) {
      text += '[' + std::to_string(step.index) + ']';
    } else {
      if (!text.empty()) text += '.';
      text += step.key;
    }
  }
  if (place.document > 0) {
    const std::string document = "document " + std::to_string(place.document + 1);
    return text.empty() ? document : document + ", " + text;
  }
  return text.empty() ? "the top" : text;
}

void PieceSink::end(const Place& /*place*/) {}

Scanner::Scanner(PieceSink& sink, std::uint64_t max_piece_bytes)
    : sink_(sink), max_piece_bytes_(max_piece_bytes) {}

bool Scanner::feed(std::string_view chunk) {
  const std::uint64_t chunk_offset = offset_;
  at_ = 0;
  next_line_ = 0;
  while (at_ < chunk.size() && state_ != State::over) {
    offset_ = chunk_offset + at_;
    if (state_ == State::capture) {
      capture(chunk);
    } else if (state_ == State::in_key) {
      in_key(chunk[at_++]);
    } else if (state_ == State::skip_line) {
      skip_line(chunk);
    } else {
      structural(chunk[at_]);
      // A value's first byte belongs to the capture that it began.
      if (state_ != State::capture) ++at_;
    }
  }
  if (state_ != State::over) offset_ = chunk_offset + chunk.size();
  if (!chunk.empty()) line_ended_ = chunk.back() == '\n';
  return state_ != State::over;
}

void Scanner::structural(char byte) {
  if (lines_ == Lines::behind_first_value && byte != '\r' && byte != ' ' && byte != '\t') {
    lines_ = byte == '\n' ? Lines::yes : Lines::no;
  }
  if (is_space(byte)) return;
  switch (state_) {
    case State::value:
      if (first_in_container_ && byte == ']') return close_frame();
      if (lines_ == Lines::yes && frames_.empty() && !begins_value(byte)) {
        state_ = State::skip_line;
        return break_line(offset_);
      }
      if (!begins_value(byte)) {
        constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
        if (offset_ < kByteOrderMark.size() && byte == kByteOrderMark[offset_]) return;
        return malformed(byte, "a value");
      }
      return begin_value(byte);
    case State::after_value: {
      const bool is_object = frames_.back().is_object;
      if (byte == ',') {
        state_ = is_object ? State::key : State::value;
        first_in_container_ = false;
        Step& step = place_.path.back();
        ++step.index;
        return;
      }
      if (byte == (is_object ? '}' : ']')) return close_frame();
      return malformed(byte, is_object ? "',' or '}'" : "',' or ']'");
    }
    case State::key:
      if (byte == '"') {
        key_.clear();
        key_has_escapes_ = false;
        state_ = State::in_key;
        return;
      }
      if (first_in_container_ && byte == '}') return close_frame();
      return malformed(byte, "a key in double quotes");
    case State::colon:
      if (byte != ':') return malformed(byte, "':'");
      state_ = State::value;
      first_in_container_ = false;
      return;
    case State::in_key:
    case State::capture:
    case State::skip_line:
    case State::over:
      return;
  }
}

/// Where, from `from` on, a line begins as the first one did; npos if not in this chunk. Searched
/// once for all values that stand before it.
std::size_t Scanner::next_line(std::string_view chunk, std::size_t from) {
  if (from == 0 && line_ended_ && chunk[0] == first_of_line_) return 0;
  from = std::max<std::size_t>(from, 1);
  if (next_line_ < from) {
    const std::array<char, 2> beginning = {'\n', first_of_line_};
    const std::size_t found =
        chunk.find(std::string_view(beginning.data(), beginning.size()), from - 1);
    next_line_ = found == std::string_view::npos ? found : found + 1;
  }
  return next_line_;
}

void Scanner::break_line(std::uint64_t offset) {
  if (report_.broken_lines++ == 0) report_.first_broken_line = offset;
}

void Scanner::skip_line(std::string_view chunk) {
  const std::size_t end = chunk.find('\n', at_);
  if (end == std::string_view::npos) {
    at_ = chunk.size();
    return;
  }
  at_ = end + 1;
  value_ended();
}

void Scanner::in_key(char byte) {
  if (key_.size() >= max_piece_bytes_) {
    value_offset_ = offset_ - key_.size() - 1;
    return stop(ScanEnd::too_large, "a key of more than " + std::to_string(max_piece_bytes_) +
                                        " bytes, which can't be read");
  }
  if (key_escaped_) {
    key_escaped_ = false;
    key_ += byte;
  } else if (byte == '\\') {
    key_escaped_ = true;
    key_has_escapes_ = true;
    key_ += byte;
  } else if (byte == '"') {
    place_.path.back().key = key_has_escapes_ ? unescape(key_) : key_;
    state_ = State::colon;
  } else {
    key_ += byte;
  }
}

void Scanner::begin_value(char first) {
  value_offset_ = offset_;
  const bool is_container = first == '{' || first == '[';
  bool& rest = frames_.empty() ? rest_of_documents_ : frames_.back().rest;
  const Take take = rest ? Take::rest : sink_.begin(place_, first, offset_);
  rest = take == Take::rest;
  if (take == Take::inside && is_container) {
    frames_.push_back({first == '{', offset_});
    place_.path.push_back({{}, 0, first == '['});
    if (lines_ == Lines::open) lines_ = Lines::no;
    first_in_container_ = true;
    state_ = first == '{' ? State::key : State::value;
    return;
  }
  keep_ = take != Take::skip;
  if (lines_ == Lines::open) {
    lines_ = keep_ && is_container ? Lines::first_value : Lines::no;
    first_of_line_ = first;
  }
  buffer_.clear();
  state_ = State::capture;
  if (is_container) {
    capture_ = Capture::container;
    container_end_.start();
  } else if (first == '"') {
    capture_ = Capture::string;
    string_escaped_ = false;
  } else {
    capture_ = Capture::scalar;
  }
}

void Scanner::capture(std::string_view chunk) {
  const std::size_t from = at_;
  bool complete = false;
  switch (capture_) {
    case Capture::container: {
      std::size_t limit = std::string_view::npos;
      if (lines_ == Lines::yes && frames_.empty()) {
        // The value's own first byte begins no other line.
        limit = next_line(chunk, offset_ == value_offset_ ? at_ + 1 : at_);
      }
      at_ += container_end_.consume(chunk.substr(at_, limit - at_));
      complete = container_end_.done();
      if (!complete && at_ == limit) {
        if (keep_) break_line(value_offset_);
        buffer_.clear();
        return value_ended();
      }
      if (lines_ == Lines::first_value &&
          chunk.substr(from, at_ - from).find('\n') != std::string_view::npos) {
        lines_ = Lines::no;
      }
      break;
    }
    case Capture::string:
      if (offset_ == value_offset_) ++at_;  // the opening quote
      while (at_ < chunk.size() && !complete) {
        const char byte = chunk[at_++];
        if (string_escaped_) {
          string_escaped_ = false;
        } else if (byte == '\\') {
          string_escaped_ = true;
        } else {
          complete = byte == '"';
        }
      }
      break;
    case Capture::scalar:
      while (at_ < chunk.size() && !ends_scalar(chunk[at_])) ++at_;
      complete = at_ < chunk.size();
      break;
  }
  const std::string_view part = chunk.substr(from, at_ - from);
  offset_ += part.size();
  if (keep_) keep_ = fits(part.size());
  if (!complete) {
    if (keep_) buffer_ += part;
    return;
  }
  if (!keep_) return value_ended();
  if (buffer_.empty()) return deliver(part);
  buffer_ += part;
  deliver(buffer_);
}

/// Whether the value, with `bytes` more, stays within the limit. If not, it is counted and dropped.
bool Scanner::fits(std::size_t bytes) {
  if (buffer_.size() + bytes <= max_piece_bytes_) return true;
  if (report_.large_pieces++ == 0) {
    report_.first_large = value_offset_;
    report_.first_large_place = to_string(place_);
  }
  std::string().swap(buffer_);
  return false;
}

void Scanner::deliver(std::string_view text) {
  if (!sink_.piece(place_, text, value_offset_)) return stop(ScanEnd::stopped, {});
  value_ended();
}

void Scanner::value_ended() {
  if (frames_.empty()) {
    ++place_.document;
    state_ = State::value;
    first_in_container_ = false;
    if (lines_ == Lines::first_value) lines_ = Lines::behind_first_value;
  } else {
    state_ = State::after_value;
  }
}

void Scanner::close_frame() {
  place_.path.pop_back();
  frames_.pop_back();
  sink_.end(place_);
  value_ended();
}

void Scanner::malformed(char byte, std::string_view expected) {
  std::string message = "expected ";
  message += expected;
  message += ", found " + describe_byte(byte);
  stop(ScanEnd::malformed, std::move(message));
}

void Scanner::stop(ScanEnd end, std::string message) {
  report_.end = end;
  report_.offset = offset_;
  report_.began = value_offset_;
  report_.place = to_string(place_);
  report_.message = std::move(message);
  state_ = State::over;
}

ScanReport Scanner::finish() {
  if (state_ == State::capture && frames_.empty() && capture_ == Capture::scalar) {
    // Only the end of the text ends a top-level number or literal.
    if (keep_) {
      const std::string text = std::move(buffer_);
      deliver(text);
    } else {
      value_ended();
    }
  }
  if (state_ == State::over) return report_;
  if (state_ == State::skip_line) value_ended();
  report_.offset = offset_;
  if (state_ == State::value && frames_.empty()) {
    report_.end = place_.document == 0 ? ScanEnd::empty : ScanEnd::complete;
    if (report_.end == ScanEnd::empty) report_.message = "no JSON value";
  } else {
    report_.end = ScanEnd::truncated;
    report_.began = state_ == State::capture ? value_offset_ : frames_.back().offset;
    report_.place = to_string(place_);
    report_.message = "the text ends within a value";
  }
  state_ = State::over;
  return report_;
}

}  // namespace unmask::json
