#include "unmask/net/response_reader.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "unmask/net/http_message.h"

namespace unmask::net {
namespace {

namespace http = boost::beast::http;

/// Gateways send long ones (policies, cookies).
constexpr std::uint32_t kMaxHeaderBytes = 256U << 10U;
constexpr std::size_t kLastChunkBytes = 5;
constexpr unsigned kFirstStatus = 100;
constexpr unsigned kFirstFinalStatus = 200;

}  // namespace

struct ResponseReader::Parse {
  std::uint64_t max_body_bytes;
  bool to_head;
  std::unique_ptr<http::response_parser<http::string_body>> parser;  ///< never null after start()
  std::string pending;  ///< bytes that the parser wants to see again with more behind them
  bool began = false;
  bool extra = false;  ///< bytes behind the response
  boost::system::error_code error;

  void start() {
    parser = std::make_unique<http::response_parser<http::string_body>>();
    parser->eager(true);
    parser->body_limit(max_body_bytes);
    parser->header_limit(kMaxHeaderBytes);
    if (to_head) parser->skip(true);
  }
};

ResponseReader::ResponseReader(std::uint64_t max_body_bytes, bool to_head)
    : parse_(new Parse{max_body_bytes, to_head, nullptr, {}, false, false, {}}) {
  parse_->start();
}

ResponseReader::~ResponseReader() = default;

ResponseReader::State ResponseReader::feed(std::string_view bytes) {
  Parse& parse = *parse_;
  parse.began = parse.began || !bytes.empty();
  if (!parse.pending.empty()) {
    parse.pending += bytes;
    // The parser waits for a chunk's head or the end, and takes it for granted that no less than
    // `0`, two line breaks come when it has seen the first of these.
    if (parse.parser->is_header_done() && parse.pending.size() < kLastChunkBytes)
      return State::more;
    bytes = parse.pending;
  }
  while (!bytes.empty()) {
    parse.error = {};
    const std::size_t used =
        parse.parser->put(boost::asio::const_buffer(bytes.data(), bytes.size()), parse.error);
    bytes.remove_prefix(used);
    if (parse.error == http::error::need_more) break;
    if (parse.error == http::error::body_limit) return State::too_large;
    if (parse.error) return State::malformed;
    if (parse.parser->is_header_done() && parse.parser->get().result_int() < kFirstStatus) {
      parse.error = http::error::bad_status;
      return State::malformed;
    }
    if (!parse.parser->is_done()) continue;
    if (parse.parser->get().result_int() < kFirstFinalStatus) {
      parse.start();
      continue;
    }
    parse.extra = !bytes.empty();
    return State::done;
  }
  parse.pending = std::string(bytes);
  return State::more;
}

ResponseReader::State ResponseReader::close() {
  Parse& parse = *parse_;
  if (!parse.parser->is_header_done() || !parse.parser->need_eof()) return State::more;
  parse.error = {};
  parse.parser->put_eof(parse.error);
  if (parse.error) return State::malformed;
  return State::done;
}

bool ResponseReader::began() const { return parse_->began; }

bool ResponseReader::reusable() const {
  return parse_->parser->is_done() && parse_->parser->keep_alive() && !parse_->extra;
}

int ResponseReader::status() const {
  if (!parse_->parser->is_header_done()) return 0;
  return static_cast<int>(parse_->parser->get().result_int());
}

HttpResponse ResponseReader::take() {
  HttpResponse response;
  response.status = status();
  auto message = parse_->parser->release();
  for (const auto& field : message) {
    response.headers.push_back({std::string(field.name_string()), std::string(field.value())});
  }
  response.body = std::move(message.body());
  return response;
}

std::string ResponseReader::problem() const { return parse_->error.message(); }

}  // namespace unmask::net
