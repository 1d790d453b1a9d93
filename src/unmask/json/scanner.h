#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/json/container_end.h"

namespace unmask::json {

/// One step down into a document: the member `key` of an object or the element `index` of an array.
struct Step {
  std::string key;        ///< decoded; empty for an array's element
  std::size_t index = 0;  ///< number of the member or element within its container, from 0
  bool is_element = false;

  bool operator==(const Step&) const = default;
};

/// Where a value stands.
struct Place {
  std::size_t document = 0;  ///< number of the top-level value, from 0 (JSON lines have many)
  std::vector<Step> path;    ///< empty for a top-level value itself

  [[nodiscard]] std::size_t depth() const { return path.size(); }
  bool operator==(const Place&) const = default;
};

/// `simulations[3].messages`; `document 2, x` in a file of several documents; `the top` for a root.
[[nodiscard]] std::string to_string(const Place& place);

/// What a PieceSink wants of a value.
enum class Take : std::uint8_t {
  whole,   ///< its raw text, as one piece
  inside,  ///< its members or elements one by one (a scalar is taken whole)
  skip,    ///< nothing
  rest,    ///< whole, and so all that follow in its container (or as documents), unasked
};

/// What a Scanner talks to.
class PieceSink {
 public:
  virtual ~PieceSink() = default;
  /// A value begins at `offset`; `first` is its first byte.
  virtual Take begin(const Place& place, char first, std::uint64_t offset) = 0;
  /// The raw text of a value taken whole; `text` is valid during the call. False stops the scan.
  virtual bool piece(const Place& place, std::string_view text, std::uint64_t offset) = 0;
  /// The container at `place`, taken inside, is complete.
  virtual void end(const Place& place);
};

/// How a scan ended.
enum class ScanEnd : std::uint8_t {
  complete,
  empty,      ///< nothing but white space
  truncated,  ///< the text ends within a value
  malformed,  ///< a byte that can't stand where it does
  too_large,  ///< a key beyond the limit of a piece
  stopped,    ///< the sink asked to stop
};

struct ScanReport {
  ScanEnd end = ScanEnd::complete;
  std::uint64_t offset = 0;        ///< malformed: the byte; else where reading ended
  std::uint64_t began = 0;         ///< truncated or too large: first byte of the incomplete value
  std::string place;               ///< path of the value concerned
  std::string message;             ///< what is wrong, for a person; empty if complete
  std::uint64_t broken_lines = 0;  ///< JSON lines: lines that hold no value and were passed over
  std::uint64_t first_broken_line = 0;  ///< offset of the first of these
  std::uint64_t large_pieces = 0;       ///< values beyond the limit, which were passed over
  std::uint64_t first_large = 0;        ///< offset of the first of these
  std::string first_large_place;

  bool operator==(const ScanReport&) const = default;
};

/// Cuts a JSON text of any size into pieces while its bytes arrive in chunks. Only the values that
/// the sink takes whole are kept, one at a time, so memory is bounded by the largest of them. The
/// inside of a piece is not checked: that is the parser's business. Several top-level values one
/// after another are one scan. A UTF-8 byte order mark is passed over. A value beyond the limit is
/// passed over too, and counted.
///
/// JSON lines: where the first value is a container taken whole that fills the first line, a line
/// that breaks off or begins no value (a program that died while it wrote, its error message) is
/// passed over, and the next line is a value again. A line break alone ends no value, since later
/// ones may be spread over lines: the next line must begin as the first one did.
class Scanner {
 public:
  /// Largest piece that will be kept, in bytes. Episodes are a thousand times smaller; without a
  /// limit a few megabytes of gzip would take all memory.
  static constexpr std::uint64_t kMaxPieceBytes = std::uint64_t{256} << 20U;

  explicit Scanner(PieceSink& sink, std::uint64_t max_piece_bytes = kMaxPieceBytes);

  /// False: no more bytes are wanted (stopped, malformed or a key too large).
  bool feed(std::string_view chunk);
  /// Ends the text; the report says how far it was usable. Everything before it was delivered.
  [[nodiscard]] ScanReport finish();

 private:
  enum class State : std::uint8_t {
    value,
    after_value,
    key,
    in_key,
    colon,
    capture,
    skip_line,
    over
  };
  enum class Capture : std::uint8_t { container, string, scalar };
  struct Frame {
    bool is_object = false;
    std::uint64_t offset = 0;
    bool rest = false;  ///< its values are taken whole, unasked
  };

  void begin_value(char first);
  void capture(std::string_view chunk);
  [[nodiscard]] bool fits(std::size_t bytes);
  [[nodiscard]] std::size_t next_line(std::string_view chunk, std::size_t from);
  void break_line(std::uint64_t offset);
  void skip_line(std::string_view chunk);
  void deliver(std::string_view text);
  void structural(char byte);
  void in_key(char byte);
  void value_ended();
  void close_frame();
  void malformed(char byte, std::string_view expected);
  void stop(ScanEnd end, std::string message);

  PieceSink& sink_;
  std::uint64_t max_piece_bytes_;
  State state_ = State::value;
  Place place_;
  std::vector<Frame> frames_;
  bool rest_of_documents_ = false;
  bool first_in_container_ = false;  ///< a closing bracket may follow
  std::string key_;                  ///< raw text of the key being read
  bool key_escaped_ = false;
  bool key_has_escapes_ = false;

  Capture capture_ = Capture::container;
  bool keep_ = false;  ///< the value is taken, not skipped
  bool string_escaped_ = false;
  ContainerEnd container_end_;
  std::string buffer_;  ///< the value's bytes from earlier chunks
  std::uint64_t value_offset_ = 0;

  /// Whether the text is JSON lines: decided by the first line.
  enum class Lines : std::uint8_t { open, first_value, behind_first_value, yes, no };
  Lines lines_ = Lines::open;
  char first_of_line_ = '\0';  ///< what a line begins with: that of the first
  bool line_ended_ = false;    ///< the byte before the chunk was a line break
  std::size_t next_line_ = 0;  ///< found in the current chunk; npos: none

  std::uint64_t offset_ = 0;  ///< of the next byte
  std::size_t at_ = 0;        ///< position in the current chunk
  ScanReport report_;
};

}  // namespace unmask::json
