#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "unmask/net/http_message.h"

namespace unmask::net {

/// Reads one HTTP/1.1 response while its bytes arrive. Informational responses (1xx) before it are
/// passed over.
class ResponseReader {
 public:
  enum class State : std::uint8_t { more, done, malformed, too_large };

  /// `max_body_bytes`: a larger body is refused, by its announced length already.
  /// `to_head`: the request was a HEAD, whose response has no body.
  explicit ResponseReader(std::uint64_t max_body_bytes, bool to_head = false);
  ~ResponseReader();
  ResponseReader(const ResponseReader&) = delete;
  ResponseReader& operator=(const ResponseReader&) = delete;

  /// The next bytes. Not to be called again after another answer than `more`.
  [[nodiscard]] State feed(std::string_view bytes);
  /// The peer closed: `done` for a body that lasts until then, else `more`: it was cut off.
  [[nodiscard]] State close();

  /// Any byte came.
  [[nodiscard]] bool began() const;
  /// After `done`: the connection may serve another request.
  [[nodiscard]] bool reusable() const;
  /// 0 while the header isn't complete.
  [[nodiscard]] int status() const;
  /// What came, times left 0. Leaves the reader empty.
  [[nodiscard]] HttpResponse take();
  /// What is wrong, after `malformed`.
  [[nodiscard]] std::string problem() const;

 private:
  struct Parse;
  std::unique_ptr<Parse> parse_;
};

}  // namespace unmask::net
