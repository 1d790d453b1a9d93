#pragma once

#include <string>

namespace unmask::world {

/// The text that `append(std::string& out)` appends to an empty one. It is put together in a buffer
/// that the thread keeps, so that the result takes one allocation of its size. `append` must not
/// call this function.
template <typename Append>
[[nodiscard]] std::string built_text(Append append) {
  thread_local std::string buffer;
  buffer.clear();
  append(buffer);
  return buffer;
}

}  // namespace unmask::world
