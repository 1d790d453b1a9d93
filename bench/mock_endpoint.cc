// A chat endpoint for bench/run: every answer is the same call, after a pause.
//
//   mock_endpoint LATENCY_MS
//
// Prints its port in a line, and serves until its standard input ends.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <unistd.h>

#include "unmask/net/chaos_fixtures.h"

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: mock_endpoint LATENCY_MS\n");
    return 2;
  }
  const std::chrono::milliseconds latency(std::strtol(arguments[1], nullptr, 10));
  const std::string body =
      R"({"choices":[{"message":{"content":null,"tool_calls":[{"id":"call_1","type":"function",)"
      R"("function":{"name":"get_customer_by_phone","arguments":"{\"phone_number\": \"555\"}"}}]},)"
      R"("finish_reason":"tool_calls"}],"usage":{"prompt_tokens":5000,"completion_tokens":40}})";
  const unmask::net::Script script{unmask::net::pause_for(latency),
                                   unmask::net::send_bytes(unmask::net::response_text(200, body))};
  const unmask::net::ChaosServer server([&script](const unmask::net::Received&) { return script; });
  std::printf("%d\n", server.port());
  std::fflush(stdout);
  char byte = 0;
  while (read(STDIN_FILENO, &byte, 1) > 0) {
  }
  return 0;
}
