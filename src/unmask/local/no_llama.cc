// The module in a build without llama.cpp.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "unmask/base/error.h"
#include "unmask/local/language_model.h"

namespace unmask::local {
namespace {

tl::unexpected<Error> not_built(const std::filesystem::path& file) {
  return fail(ErrorCode::invalid_argument, file.string() + ": " + std::string(kWithoutLlama));
}

}  // namespace

bool has_llama() { return false; }

Result<std::unique_ptr<LanguageModel>> open_model(const ModelSettings& settings) {
  return not_built(settings.file);
}

Result<void> quantize(const std::filesystem::path& from, const std::filesystem::path& /*to*/,
                      std::string_view /*type*/, int /*threads*/) {
  return not_built(from);
}

}  // namespace unmask::local
