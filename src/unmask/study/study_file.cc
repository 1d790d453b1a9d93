#include "unmask/study/study_file.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <ios>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <toml++/toml.h>

#include "unmask/audit/audit.h"
#include "unmask/base/error.h"
#include "unmask/base/joined.h"
#include "unmask/ingest/missing_path.h"
#include "unmask/study/study_reader.h"

namespace unmask {
namespace {

// By which a study without logs is known.
constexpr std::array<std::string_view, 4> kRunKeys = {"endpoint", "user", "tasks", "agent"};

// One file being read; the first problem ends it. Messages carry the line.
class Reader {
 public:
  Reader(std::string path, StudyUse use)
      : path_(std::move(path)), folder_(std::filesystem::path(path_).parent_path()), use_(use) {}

  Result<std::vector<CellSource>> read(std::string_view text) {
    if (const std::size_t first = text.find_first_not_of(" \t\r\n");
        first != std::string_view::npos && text[first] == '{') {
      return fail(ErrorCode::bad_input,
                  path_ +
                      ": is JSON, perhaps a log; a study file is TOML with a [[cell]] for each "
                      "model and domain (logs are given without --study, as NAME=PATH)");
    }
    toml::table document;
    try {
      document = toml::parse(text, path_);
    } catch (const toml::parse_error& error) {
      return fail(ErrorCode::bad_input, path_ + ":" + std::to_string(error.source().begin.line) +
                                            ": not TOML: " + std::string(error.description()));
    }
    check_keys(document, {"study", "cell"}, "the study");
    const toml::node* cells = document.get("cell");
    if (cells == nullptr || !cells->is_array() || cells->as_array()->empty()) {
      problem(document, "no [[cell]]; give at least one cell with its arms");
    } else {
      for (const toml::node& cell : *cells->as_array()) read_cell(cell);
    }
    if (error_) return tl::unexpected(std::move(*error_));
    return std::move(cells_);
  }

 private:
  void problem(const toml::node& node, const std::string& what) {
    if (error_) return;
    error_ = Error{ErrorCode::bad_input,
                   path_ + ":" + std::to_string(node.source().begin.line) + ": " + what};
  }

  void check_keys(const toml::table& table, std::initializer_list<std::string_view> known,
                  const std::string& where) {
    if (use_ == StudyUse::run) return;
    for (const auto& [key, value] : table) {
      if (std::ranges::find(known, key.str()) != known.end()) continue;
      if (std::ranges::find(kRunKeys, key.str()) != kRunKeys.end()) {
        problem(value, "'" + std::string(key.str()) +
                           "' belongs to a study that is to be run: unmask run it, then audit the "
                           "folder that it writes");
      }
      problem(value, "unknown key '" + std::string(key.str()) + "' in " + where +
                         "; known are: " + joined(known, ", "));
    }
  }

  std::string text(const toml::table& table, std::string_view key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return {};
    if (!node->is_string()) {
      problem(*node, std::string(key) + " must be a string");
      return {};
    }
    return node->as_string()->get();
  }

  bool flag(const toml::table& table, std::string_view key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return false;
    if (!node->is_boolean()) {
      problem(*node, std::string(key) + " must be true or false");
      return false;
    }
    return node->as_boolean()->get();
  }

  [[nodiscard]] std::string resolved(const std::string& file) const {
    const std::filesystem::path path(file);
    return path.is_absolute() || folder_.empty() ? file : (folder_ / path).string();
  }

  std::vector<std::string> files(const toml::table& arm, const std::string& key) {
    if (use_ == StudyUse::run) return {};
    const toml::node* node = arm.get(key);
    if (node == nullptr) {
      // First calls alone are a study, too.
      if (key == "single_turn" || arm.contains("single_turn")) return {};
      problem(arm, "the arm has no files; give files = [\"log.json\"]");
      return {};
    }
    if (node->is_string()) return {resolved(node->as_string()->get())};
    std::vector<std::string> paths;
    if (node->is_array()) {
      for (const toml::node& each : *node->as_array()) {
        if (each.is_string()) paths.push_back(resolved(each.as_string()->get()));
      }
    }
    if (paths.empty() || paths.size() != node->as_array()->size()) {
      problem(*node, key + " must be a path or a list of paths");
    }
    return paths;
  }

  void read_cell(const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return problem(node, "a cell must be a table: [[cell]]");
    check_keys(*table, {"id", "family", "architecture", "size", "domain", "arm"}, "a cell");
    CellSource cell;
    cell.info = {.cell = text(*table, "id"),
                 .family = text(*table, "family"),
                 .architecture = text(*table, "architecture"),
                 .size = text(*table, "size"),
                 .domain = text(*table, "domain")};
    if (cell.info.cell.empty()) problem(*table, "the cell has no id; give id = \"family/domain\"");
    const auto twice = std::ranges::any_of(
        cells_, [&](const CellSource& other) { return other.info.cell == cell.info.cell; });
    if (twice)
      problem(*table, "the id '" + cell.info.cell + "' is there twice; give each cell its own");
    if (!cell.info.architecture.empty() && cell.info.architecture != "dense" &&
        cell.info.architecture != "moe") {
      problem(*table->get("architecture"), "architecture must be \"dense\" or \"moe\"");
    }
    const toml::node* arms = table->get("arm");
    if (arms == nullptr || !arms->is_array()) {
      problem(*table, "the cell has no arms; give [[cell.arm]]");
    } else {
      for (const toml::node& arm : *arms->as_array()) read_arm(arm, cell);
    }
    for (const ArmSource& arm : cell.arms) {
      if (arm.role != ArmRole::repaired) continue;
      const bool found = std::ranges::any_of(
          cell.arms, [&](const ArmSource& other) { return other.name == arm.unrepaired; });
      if (!found)
        problem(*table, "arm '" + arm.name + "' repairs '" + arm.unrepaired +
                            "', which the cell does not have");
    }
    cells_.push_back(std::move(cell));
  }

  void read_arm(const toml::node& node, CellSource& cell) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return problem(node, "an arm must be a table: [[cell.arm]]");
    check_keys(
        *table,
        {"name", "precision", "reference", "files", "single_turn", "null", "repairs", "mode"},
        "an arm");
    ArmSource arm;
    arm.name = text(*table, "name");
    arm.precision = text(*table, "precision");
    arm.paths = files(*table, "files");
    arm.single_turn = files(*table, "single_turn");
    arm.unrepaired = text(*table, "repairs");
    arm.mode = text(*table, "mode");
    const bool is_null = flag(*table, "null");
    const bool is_reference = flag(*table, "reference");
    if (arm.name.empty()) problem(*table, "the arm has no name; give name = \"int4\"");
    const auto twice = std::ranges::any_of(
        cell.arms, [&](const ArmSource& other) { return other.name == arm.name; });
    if (twice) problem(*table, "the arm '" + arm.name + "' is there twice in its cell");
    if (static_cast<int>(is_null) + static_cast<int>(is_reference) +
            static_cast<int>(!arm.unrepaired.empty()) >
        1) {
      problem(*table, "an arm is the reference, or null, or repairs another: not two of these");
    }
    if (is_null) arm.role = ArmRole::null;
    if (!arm.unrepaired.empty()) arm.role = ArmRole::repaired;
    if (is_reference) {
      if (!cell.reference.empty())
        problem(*table,
                "the cell has two references: '" + cell.reference + "' and '" + arm.name + "'");
      cell.reference = arm.name;
    }
    cell.arms.push_back(std::move(arm));
  }

  std::string path_;
  std::filesystem::path folder_;
  StudyUse use_ = StudyUse::audit;
  std::optional<Error> error_;
  std::vector<CellSource> cells_;
};

}  // namespace

Result<std::vector<CellSource>> parse_study_file(std::string_view text, const std::string& path,
                                                 StudyUse use) {
  return Reader(path, use).read(text);
}

Result<StudyText> read_study_text(const std::string& path) {
  std::error_code error;
  std::filesystem::path file = path;
  // A study's folder stands for the study in it.
  if (std::filesystem::is_directory(file, error)) file /= "study.toml";
  if (!std::filesystem::exists(file, error)) {
    return fail(ErrorCode::bad_input,
                file.string() + ": no such file" + missing_path_hint(file.string()));
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    return fail(ErrorCode::outside, file.string() +
                                        ": can't be opened; ask for read permission "
                                        "(chmod +r)");
  }
  return StudyText{file.string(), std::string{std::istreambuf_iterator<char>(stream),
                                              std::istreambuf_iterator<char>()}};
}

Result<std::vector<CellSource>> read_study_file(const std::string& path) {
  const Result<StudyText> study = read_study_text(path);
  if (!study) return tl::unexpected(study.error());
  return parse_study_file(study->text, study->path);
}

}  // namespace unmask
