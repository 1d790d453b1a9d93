#include "unmask/world/generate/indented_json.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace unmask::world::generated {
namespace {

constexpr std::size_t kWidth = 100;

class Indenter {
 public:
  explicit Indenter(std::string_view text) : text_(text) {}

  std::string run() {
    out_.reserve(text_.size() + text_.size() / 4);
    value(0, 0);
    out_ += '\n';
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool at(char c) const { return text_[at_] == c; }

  /// Past the string that begins at `from`.
  [[nodiscard]] std::size_t string_end(std::size_t from) const {
    std::size_t end = from + 1;
    while (text_[end] != '"') end += text_[end] == '\\' ? 2U : 1U;
    return end + 1;
  }

  /// Past the value that begins at `from`, or 0 if it needs more than `room` columns.
  [[nodiscard]] std::size_t short_end(std::size_t from, std::size_t room) const {
    std::size_t columns = 0;
    int depth = 0;
    for (std::size_t i = from; columns <= room;) {
      const char c = text_[i];
      const std::size_t next = c == '"' ? string_end(i) : i + 1;
      columns += next - i + (c == ',' || c == ':' ? 1 : 0);
      i = next;
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      if (depth == 0) return columns <= room ? i : 0;
    }
    return 0;
  }

  void copy_spaced(std::size_t end) {
    while (at_ < end) {
      const char c = text_[at_];
      const std::size_t next = c == '"' ? string_end(at_) : at_ + 1;
      out_.append(text_.substr(at_, next - at_));
      if (c == ',' || c == ':') out_ += ' ';
      at_ = next;
    }
  }

  /// The value at at_, written at `level`, with `used` columns of its line taken.
  void value(std::size_t level, std::size_t used) {
    if (!at('{') && !at('[')) {
      const std::size_t end = at('"') ? string_end(at_) : text_.find_first_of(",]}", at_);
      out_.append(text_.substr(at_, end - at_));
      at_ = end;
      return;
    }
    if (used < kWidth) {
      if (const std::size_t end = short_end(at_, kWidth - used)) return copy_spaced(end);
    }
    const bool is_object = at('{');
    out_ += text_[at_++];
    while (!at('}') && !at(']')) {
      line(level + 1);
      std::size_t taken = 2 * (level + 1);
      if (is_object) {
        const std::size_t end = string_end(at_);
        taken += end - at_ + 2;
        copy_spaced(end + 1);  // with its colon
      }
      value(level + 1, taken + 1);
      if (at(',')) out_ += text_[at_++];
    }
    line(level);
    out_ += text_[at_++];
  }

  void line(std::size_t level) {
    out_ += '\n';
    out_.append(2 * level, ' ');
  }

  std::string_view text_;
  std::string out_;
  std::size_t at_ = 0;
};

}  // namespace

std::string indented_json(std::string_view compact) { return Indenter(compact).run(); }

}  // namespace unmask::world::generated
