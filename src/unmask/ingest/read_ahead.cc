#include "unmask/ingest/read_ahead.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "unmask/ingest/log_file.h"
#include "unmask/json/scanner.h"

namespace unmask {

namespace {

using json::Place;
using json::Take;

/// Fits a core's own cache, so that hashing and scanning find what reading left there.
constexpr std::size_t kChunk = std::size_t{1} << 19U;

/// One call of a PieceSink, or of the progress, on its way to the other thread.
struct Event {
  enum class Kind : std::uint8_t { begin, piece, end, progress };
  Kind kind = Kind::end;
  Place place;
  std::string text;
  std::uint64_t offset = 0;  ///< or bytes done
  char first = 0;
};

/// Events in order, bounded by the bytes of their texts. They change threads in batches: waking a
/// thread costs more than a small piece.
class EventQueue {
 public:
  /// Waits for room. False: nobody takes events any more.
  bool push(Event event) {
    std::unique_lock lock(mutex_);
    const std::uint64_t bytes = event.text.size();
    const auto has_room = [&] { return closed_ || bytes_ == 0 || bytes_ + bytes <= kAheadBytes; };
    if (!has_room()) {
      urgent_ = true;  // however little there is to take
      changed_.notify_all();
      changed_.wait(lock, has_room);
    }
    if (closed_) return false;
    bytes_ += bytes;
    urgent_ |= event.kind == Event::Kind::begin;
    events_.push_back(std::move(event));
    if (worth_taking()) changed_.notify_all();
    return true;
  }

  /// A `begin`, which is answered. `skip` if nobody takes events any more.
  Take ask(Event event) {
    if (!push(std::move(event))) return Take::skip;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || answer_.has_value(); });
    return std::exchange(answer_, {}).value_or(Take::skip);
  }

  /// All events there are, once they are worth it; none after `finish`, when all were taken.
  std::deque<Event> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return worth_taking(); });
    bytes_ = 0;
    urgent_ = false;
    changed_.notify_all();
    return std::exchange(events_, {});
  }

  /// No event comes any more. Takes no memory, so that it can't fail.
  void finish() {
    const std::scoped_lock lock(mutex_);
    finished_ = true;
    changed_.notify_all();
  }

  void answer(Take take) {
    const std::scoped_lock lock(mutex_);
    answer_ = take;
    changed_.notify_all();
  }

  /// Memory of a piece that was used, for a coming one.
  void recycle(std::string text) {
    constexpr std::size_t kSpares = 128;
    constexpr std::size_t kLargestSpare = std::size_t{1} << 18U;
    const std::scoped_lock lock(mutex_);
    if (spares_.size() < kSpares && text.capacity() <= kLargestSpare) {
      spares_.push_back(std::move(text));
    }
  }
  std::string spare() {
    const std::scoped_lock lock(mutex_);
    if (spares_.empty()) return {};
    std::string text = std::move(spares_.back());
    spares_.pop_back();
    return text;
  }

  void close() {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  [[nodiscard]] bool worth_taking() const {
    constexpr std::size_t kEvents = 64;
    return urgent_ || finished_ || bytes_ >= kAheadBytes / 8 || events_.size() >= kEvents;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Event> events_;
  std::uint64_t bytes_ = 0;
  std::optional<Take> answer_;
  std::vector<std::string> spares_;
  bool urgent_ = false;  ///< a `begin`, for whose answer the scanner waits, or no room
  bool finished_ = false;
  bool closed_ = false;
};

/// The sink that the scanner's thread talks to.
class Forwarder final : public json::PieceSink {
 public:
  explicit Forwarder(EventQueue& queue) : queue_(queue) {}

  Take begin(const Place& place, char first, std::uint64_t offset) override {
    return queue_.ask({Event::Kind::begin, place, {}, offset, first});
  }
  bool piece(const Place& place, std::string_view text, std::uint64_t offset) override {
    std::string copy = queue_.spare();
    copy.assign(text);
    return queue_.push({Event::Kind::piece, place, std::move(copy), offset, 0});
  }
  void end(const Place& place) override { queue_.push({Event::Kind::end, place, {}, 0, 0}); }

 private:
  EventQueue& queue_;
};

/// The reading thread; ends with its owner.
class Reader {
 public:
  explicit Reader(const LogFile& file) : thread_([this, &file] { run(file); }) {}
  ~Reader() {
    queue_.close();
    if (thread_.joinable()) thread_.join();
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  EventQueue& queue() { return queue_; }
  FileScan result() {
    queue_.close();
    thread_.join();
    if (bug_) std::rethrow_exception(bug_);
    return std::move(scan_);
  }

 private:
  void run(const LogFile& file) {
    try {
      Forwarder forwarder(queue_);
      scan_ = scan_here(file, forwarder, [this](std::uint64_t done) {
        return queue_.push({Event::Kind::progress, {}, {}, done, 0});
      });
    } catch (...) {  // an exception that left a thread would end the program
      bug_ = std::current_exception();
    }
    queue_.finish();
  }

  EventQueue queue_;
  FileScan scan_;
  std::exception_ptr bug_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace

FileScan scan_here(const LogFile& file, json::PieceSink& pieces, const ScanProgress& progress) {
  FileScan scan;
  json::Scanner scanner(pieces);
  LogFile::Pass pass = file.start();
  std::vector<char> buffer(kChunk);
  bool stopped = false;
  while (!stopped) {
    const auto got = pass.read(buffer);
    if (!got) {
      scan.error = got.error();
      break;
    }
    if (*got == 0) break;
    scan.unpacked += *got;
    if (!scanner.feed(std::string_view(buffer.data(), *got))) break;
    stopped = !progress(pass.bytes_read());
  }
  scan.report = scanner.finish();
  if (stopped) scan.report.end = json::ScanEnd::stopped;
  if (scan.report.end != json::ScanEnd::stopped) scan.sha256 = pass.sha256();
  return scan;
}

FileScan scan_ahead(const LogFile& file, json::PieceSink& pieces, const ScanProgress& progress) {
  Reader reader(file);
  EventQueue& queue = reader.queue();
  bool stopped = false;
  while (!stopped) {
    std::deque<Event> events = queue.take();
    if (events.empty()) return reader.result();
    for (; !events.empty() && !stopped; events.pop_front()) {
      Event& event = events.front();
      switch (event.kind) {
        case Event::Kind::begin:
          queue.answer(pieces.begin(event.place, event.first, event.offset));
          break;
        case Event::Kind::piece:
          stopped = !pieces.piece(event.place, event.text, event.offset);
          queue.recycle(std::move(event.text));
          break;
        case Event::Kind::end:
          pieces.end(event.place);
          break;
        case Event::Kind::progress:
          stopped = !progress(event.offset);
          break;
      }
    }
  }
  FileScan scan = reader.result();
  scan.report.end = json::ScanEnd::stopped;
  return scan;
}

}  // namespace unmask
