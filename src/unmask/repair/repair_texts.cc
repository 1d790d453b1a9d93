#include "unmask/repair/repair_texts.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "repair_data.h"
#include <toml++/toml.h>

#include "unmask/base/check.h"

namespace unmask::repair {
namespace {

struct TextKey {
  std::string_view key;
  std::string RepairTexts::* member;
};

constexpr std::array<TextKey, 12> kTexts = {{
    {"version", &RepairTexts::version},
    {"rule", &RepairTexts::rule},
    {"unknown_name", &RepairTexts::unknown_name},
    {"near_name", &RepairTexts::near_name},
    {"unreadable", &RepairTexts::unreadable},
    {"bad_arguments", &RepairTexts::bad_arguments},
    {"refused", &RepairTexts::refused},
    {"offered", &RepairTexts::offered},
    {"parameters", &RepairTexts::parameters},
    {"failed", &RepairTexts::failed},
    {"held_back", &RepairTexts::held_back},
    {"again", &RepairTexts::again},
}};

tl::unexpected<Error> fail_at(std::string_view file, const toml::source_region& place,
                              const std::string& what) {
  return fail(ErrorCode::bad_input,
              std::string(file) + ", line " + std::to_string(place.begin.line) + ": " + what);
}

}  // namespace

Result<RepairTexts> read_repair_texts(std::string_view toml, std::string_view file) {
  toml::table root;
  try {
    root = toml::parse(toml, file);
  } catch (const toml::parse_error& error) {
    return fail_at(file, error.source(), std::string(error.description()));
  }
  RepairTexts texts;
  for (const auto& [key, node] : root) {
    const std::string_view name = key.str();
    const auto known = std::find_if(kTexts.begin(), kTexts.end(),
                                    [name](const TextKey& each) { return each.key == name; });
    if (known == kTexts.end()) {
      std::string names;
      for (const TextKey& each : kTexts) names.append(names.empty() ? "" : ", ").append(each.key);
      return fail_at(file, node.source(),
                     "`" + std::string(name) + "` is not known here; known are " + names);
    }
    const auto* text = node.as_string();
    if (text == nullptr || text->get().empty()) {
      return fail_at(file, node.source(),
                     "`" + std::string(name) + "` must be a text in quotes, not empty");
    }
    texts.*known->member = text->get();
  }
  for (const TextKey& each : kTexts) {
    if ((texts.*each.member).empty()) {
      return fail(ErrorCode::bad_input,
                  std::string(file) + ": `" + std::string(each.key) + "` is missing");
    }
  }
  return texts;
}

const RepairTexts& own_repair_texts() {
  static const RepairTexts texts = [] {
    Result<RepairTexts> read = read_repair_texts(data::repair_texts_toml, "repair_texts.toml");
    UNMASK_CHECK(read.has_value());
    return *std::move(read);
  }();
  return texts;
}

}  // namespace unmask::repair
