// unmask-gguf: what GGUF files are, and the same weights in other types. Built with UNMASK_LLAMA.

#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/cli/exit_code.h"
#include "unmask/local/gguf_file.h"
#include "unmask/local/language_model.h"

namespace unmask::cli {
namespace {

constexpr const char* kUsage =
    "usage: unmask-gguf show FILE...\n"
    "       unmask-gguf quantize FROM TO TYPE\n"
    "show      architecture, bits a weight, share of each type of tensors, context, chat template\n"
    "quantize  writes FROM with its weights in TYPE (f16, q8_0, q4_0, q3_k_s ...), then shows it.\n"
    "          Where a row's width is no multiple of a type's block (256 for the k types), "
    "llama.cpp\n"
    "          takes another type: the name of a file says nothing, its bits a weight do.\n"
    "          sim4, sim3, sim2: rounded to a grid of so many bits, stored as f16 and marked so\n";

int failed(const Error& error) {
  std::fprintf(stderr, "unmask-gguf: %s\n", error.message.c_str());
  switch (error.code) {
    case ErrorCode::invalid_argument:
      return kBadUsage;
    case ErrorCode::bad_input:
      return kBadInput;
    case ErrorCode::outside:
    case ErrorCode::interrupted:
      break;
  }
  return kOutside;
}

int show(const std::filesystem::path& path) {
  const Result<local::GgufFile> file = local::read_gguf(path);
  if (!file) return failed(file.error());
  std::printf("%s: %s, %llu weights, %s, context %llu, %s\n", path.filename().c_str(),
              file->architecture.c_str(), static_cast<unsigned long long>(file->weights()),
              local::precision_text(*file).c_str(),
              static_cast<unsigned long long>(file->context_tokens),
              file->chat_template.empty() ? "no chat template" : "chat template");
  return kDone;
}

int run(std::span<const std::string> arguments) {
  const std::string verb = arguments.empty() ? "" : arguments[0];
  if (verb == "show" && arguments.size() > 1) {
    int code = kDone;
    for (const std::string& file : arguments.subspan(1)) {
      if (const int status = show(file); status != kDone) code = status;
    }
    return code;
  }
  if (verb == "quantize" && arguments.size() == 4) {
    constexpr int kThreads = 1;
    const Result<void> done = local::quantize(arguments[1], arguments[2], arguments[3], kThreads);
    return done ? show(arguments[2]) : failed(done.error());
  }
  const bool is_help = verb == "--help" || verb == "-h";
  std::fputs(kUsage, is_help ? stdout : stderr);
  return is_help ? kDone : kBadUsage;
}

}  // namespace
}  // namespace unmask::cli

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  return unmask::cli::run(arguments);
}
