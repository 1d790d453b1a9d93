#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/json/repair.h"
#include "unmask/json/value.h"

namespace unmask::json {

/// A parsed document.
struct Parsed {
  Value root;
  Repairs repairs;  ///< none if the text was sound
};

/// Parses JSON texts that are in memory. One per thread, reused: values of a document die when the
/// next one is parsed.
class Parser {
 public:
  Parser();
  ~Parser();
  Parser(Parser&&) noexcept;
  Parser& operator=(Parser&&) noexcept;
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  /// `offset` is where `text` begins in its file, for error messages. What real logs get wrong is
  /// repaired and reported. Errors: bad_input, with place and byte, for a text that is no JSON
  /// value.
  Result<Parsed> parse(std::string_view text, std::uint64_t offset = 0);

  /// Keys that stood twice in an object from which they were read, since the last `parse`; sorted,
  /// each once. The last of the values was used.
  [[nodiscard]] std::vector<std::string> duplicate_keys() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace unmask::json
