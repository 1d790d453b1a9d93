#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "unmask/base/error.h"
#include "unmask/synthetic/example_study.h"

namespace unmask::synthetic {

/// Called after each log with how many of `total` are written; false stops the work.
using StudyProgress = std::function<bool(std::size_t done, std::size_t total)>;

/// Name of an arm's log in the study's folder: `gemma-like-dense_telecom_int4.json.gz`.
[[nodiscard]] std::string log_file_name(const StudyCell& cell, const ArmProcess& arm);

/// The `study.toml` of a study: cells with family, architecture, size, domain, and their arms with
/// files, precision and reference.
[[nodiscard]] std::string study_toml(const StudyProcess& study, std::uint64_t seed);

/// Simulates one arm and writes its gzipped log to `path`, whole or not at all.
/// Errors: outside (disk, permission).
[[nodiscard]] Result<void> write_arm_log(const StudyCell& cell, const ArmProcess& arm,
                                         std::uint64_t seed, const std::filesystem::path& path);

/// Writes a study into `folder` (made if it does not exist): a gzipped tau2-bench results file per
/// cell and arm, README.md, and study.toml last. Files of those names are replaced; each appears
/// whole or not at all. The same study and seed give the same bytes.
/// Errors: outside (disk, permission); interrupted, if `progress` said so.
[[nodiscard]] Result<void> write_study(const StudyProcess& study, std::uint64_t seed,
                                       const std::filesystem::path& folder,
                                       const StudyProgress& progress = {});

}  // namespace unmask::synthetic
