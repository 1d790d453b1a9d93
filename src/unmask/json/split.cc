#include "unmask/json/split.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/json/text.h"

namespace unmask::json {

namespace {

bool is_space(char byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }

/// Reads a text from the front; what isn't there leaves it failed.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) { skip_space(); }

  [[nodiscard]] bool at_end() const { return at_ == text_.size(); }
  [[nodiscard]] char peek() const { return at_end() ? '\0' : text_[at_]; }

  /// Takes `byte` and the space behind it.
  bool take(char byte) {
    if (peek() != byte) return false;
    ++at_;
    skip_space();
    return true;
  }

  /// A string with its quotes; empty if there is none.
  std::string_view take_string() {
    const std::size_t from = at_;
    if (!skip_string()) return {};
    return finish(from);
  }

  /// Any value; empty if there is none.
  std::string_view take_value() {
    const std::size_t from = at_;
    const char first = peek();
    if (first == '"') return take_string();
    if (first == '{' || first == '[') {
      if (!skip_container()) return {};
      return finish(from);
    }
    while (!at_end() && !is_space(text_[at_]) && text_[at_] != ',' && text_[at_] != ']' &&
           text_[at_] != '}' && text_[at_] != ':' && text_[at_] != '"') {
      ++at_;
    }
    return finish(from);
  }

 private:
  std::string_view finish(std::size_t from) {
    const std::string_view taken = text_.substr(from, at_ - from);
    skip_space();
    return taken;
  }

  void skip_space() {
    while (!at_end() && is_space(text_[at_])) ++at_;
  }

  bool skip_string() {
    if (peek() != '"') return false;
    ++at_;
    std::size_t quote = text_.find('"', at_);
    while (quote != std::string_view::npos) {
      const std::size_t escape = text_.substr(at_, quote - at_).find('\\');
      if (escape == std::string_view::npos) {
        at_ = quote + 1;
        return true;
      }
      at_ += escape + 2;
      if (at_ > quote) quote = text_.find('"', at_);
    }
    at_ = text_.size();
    return false;
  }

  bool skip_container() {
    std::string open;  // brackets that are to be closed
    while (!at_end()) {
      const char byte = text_[at_];
      if (byte == '"') {
        if (!skip_string()) return false;
        continue;
      }
      ++at_;
      if (byte == '{' || byte == '[') {
        open += byte == '{' ? '}' : ']';
      } else if (byte == '}' || byte == ']') {
        if (open.back() != byte) return false;
        open.pop_back();
        if (open.empty()) return true;
      }
    }
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::vector<RawMember>> split_object(std::string_view text) {
  Cursor cursor(text);
  if (!cursor.take('{')) return std::nullopt;
  std::vector<RawMember> members;
  while (!cursor.take('}')) {
    if (!members.empty() && !cursor.take(',')) return std::nullopt;
    const std::string_view key = cursor.take_string();
    if (key.empty() || !cursor.take(':')) return std::nullopt;
    const std::string_view value = cursor.take_value();
    if (value.empty()) return std::nullopt;
    members.push_back({unescape(key.substr(1, key.size() - 2)), value});
  }
  if (!cursor.at_end()) return std::nullopt;
  return members;
}

std::optional<std::vector<std::string_view>> split_array(std::string_view text) {
  Cursor cursor(text);
  if (!cursor.take('[')) return std::nullopt;
  std::vector<std::string_view> elements;
  while (!cursor.take(']')) {
    if (!elements.empty() && !cursor.take(',')) return std::nullopt;
    const std::string_view value = cursor.take_value();
    if (value.empty()) return std::nullopt;
    elements.push_back(value);
  }
  if (!cursor.at_end()) return std::nullopt;
  return elements;
}

}  // namespace unmask::json
