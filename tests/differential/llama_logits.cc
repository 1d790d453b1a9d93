// Our logits of a text, for llama_logits_test.py to compare.
//
//   llama_logits tiny FILE              writes a model of random weights
//   llama_logits MODEL TEXT_FILE OUT    prints the text's tokens as JSON, and writes logits as
//   32-bit floats:
//                                       of each position in one pass; of the end, as answers begin;
//                                       and of the last kTail positions, as a tree behind the
//                                       others

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/local/gguf_fixtures.h"
#include "unmask/local/language_model.h"

namespace unmask::local {
namespace {

constexpr std::size_t kTail = 20;

int failed(std::string_view what) {
  std::fprintf(stderr, "llama_logits: %s\n", std::string(what).c_str());
  return 1;
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

int write_logits(const std::filesystem::path& file, const std::string& text,
                 const std::filesystem::path& to) {
  const Result<std::unique_ptr<LanguageModel>> opened =
      open_model({.file = file, .context_tokens = 0});
  if (!opened) return failed(opened.error().message);
  LanguageModel& model = **opened;
  const ModelResult<std::vector<Token>> tokens = model.tokens_of(text, true);
  if (!tokens) return failed(tokens.error().message);
  if (tokens->size() <= kTail) return failed("the text is too short");
  std::ofstream out(to, std::ios::binary);
  const auto write = [&](std::size_t /*place*/, std::span<const float> logits) {
    const auto bytes = std::as_bytes(logits);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): what streams take
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
  };
  if (const ModelResult<void> done = model.evaluate_each(*tokens, 0, write); !done) {
    return failed(done.error().message);
  }
  const ModelResult<std::span<const float>> end = model.evaluate(*tokens);
  if (!end) return failed(end.error().message);
  write(0, *end);
  const std::span<const Token> beginning = std::span(*tokens).first(tokens->size() - kTail);
  std::vector<TreeToken> tree;
  for (std::size_t i = beginning.size(); i < tokens->size(); ++i) {
    tree.push_back({.token = (*tokens)[i], .after = tree.size()});
  }
  if (const ModelResult<void> done = model.evaluate_tree(beginning, tree, write, {}); !done) {
    return failed(done.error().message);
  }
  std::string list;
  for (const Token token : *tokens) list += (list.empty() ? "" : ", ") + std::to_string(token);
  std::printf("{\"tokens\": [%s], \"vocabulary\": %zu, \"tail\": %zu}\n", list.c_str(),
              model.vocabulary_tokens(), kTail);
  return out.flush() ? 0 : failed("can't write " + to.string());
}

int run(std::span<const std::string> arguments) {
  if (arguments.size() == 2 && arguments[0] == "tiny") {
    std::ofstream out(arguments[1], std::ios::binary);
    out << fixtures::gguf_bytes({.context_tokens = 512});
    return out.flush() ? 0 : failed("can't write " + arguments[1]);
  }
  if (arguments.size() != 3) return failed("usage: llama_logits MODEL TEXT_FILE OUT | tiny FILE");
  return write_logits(arguments[0], bytes_of(arguments[1]), arguments[2]);
}

}  // namespace
}  // namespace unmask::local

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  return unmask::local::run(arguments);
}
