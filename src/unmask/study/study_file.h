#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/study/study_reader.h"

namespace unmask {

/// Reads a study.toml:
///
///     [study]
///     name = "paper grid"
///     [[cell]]
///     id = "gemma/telecom"        # required, unique
///     family = "gemma"            # optional, for findings over cells: family, architecture
///     ("dense" architecture = "dense"      # or "moe"), size ("27B"), domain
///     [[cell.arm]]
///     name = "bf16"               # required, unique in its cell
///     files = ["bf16.json"]       # or one string; paths are relative to the study file
///     precision = "bf16"
///     reference = true            # at most one a cell; default: the highest precision
///     null = true                 # the reference once more, with other seeds
///     repairs = "int4"            # this arm repairs that one ...
///     mode = "reflex"             # ... in this way
///
/// Errors: bad_input with file, line and remedy (not TOML, a missing or unknown key, a wrong type,
/// a name given twice, a repaired arm that is not there).
[[nodiscard]] Result<std::vector<CellSource>> read_study_file(const std::string& path);

/// What a study file is read for.
enum class StudyUse : std::uint8_t {
  audit,  ///< logs that are there: each arm names its files
  run,    ///< logs to be made: arms have no files; keys that only a run knows are passed over
};

/// The same from text; `path` names it and resolves relative files.
[[nodiscard]] Result<std::vector<CellSource>> parse_study_file(std::string_view text,
                                                               const std::string& path,
                                                               StudyUse use = StudyUse::audit);

/// The text of the study file `path`, or of the `study.toml` in that folder. Errors: bad_input if
/// there is none, outside if it can't be read.
struct StudyText {
  std::string path;  ///< of the file itself
  std::string text;
};
[[nodiscard]] Result<StudyText> read_study_text(const std::string& path);

}  // namespace unmask
