#include "unmask/synthetic/study_folder.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "unmask/base/error.h"
#include "unmask/base/toml_text.h"
#include "unmask/episode/facts.h"
#include "unmask/output/output_file.h"
#include "unmask/synthetic/example_study.h"
#include "unmask/synthetic/process.h"
#include "unmask/synthetic/tau2_log.h"

namespace unmask::synthetic {
namespace {

void add_pair(std::string& out, std::string_view indent, std::string_view key,
              std::string_view value) {
  out.append(indent).append(key).append(" = ").append(value).append("\n");
}

std::string readme(const StudyProcess& study, std::uint64_t seed) {
  std::string out =
      "# A simulated study\n\n"
      "Everything in this folder is simulated. unmask's generating process drew it from a random "
      "seed; no language model, no customer and no benchmark took part, and all texts and figures "
      "are made up. It shows what an audit looks like, and nothing about any real model.\n\n"
      "`study.toml` names the cells and their arms. Each `.json.gz` file is one arm's log in the "
      "results format of tau2-bench, gzipped. Seed: ";
  out += std::to_string(seed);
  out +=
      ".\n\nRun `unmask audit --study study.toml` in this folder. What the audit should find, "
      "because the "
      "process was set up that way:\n\n| cell | tasks x trials | truth |\n|---|---|---|\n";
  for (const StudyCell& cell : study.cells) {
    out.append("| ").append(cell.process.cell).append(" | ");
    out.append(std::to_string(cell.process.tasks)).append(" x ");
    out.append(std::to_string(cell.process.trials)).append(" | ");
    out.append(cell.truth).append(" |\n");
  }
  out +=
      "\nfp8 never differs from bf16 but by chance. A difference that chance made may still look "
      "like one: that is what the audit's intervals and corrections are for.\n";
  return out;
}

Result<void> write_text_file(const std::filesystem::path& path, std::string_view text) {
  Result<OutputFile> file = OutputFile::create(path, Packing::none);
  if (!file) return tl::unexpected<Error>(file.error());
  file->write(text);
  return file->commit();
}

}  // namespace

std::string log_file_name(const StudyCell& cell, const ArmProcess& arm) {
  return cell.process.model + "_" + cell.process.domain + "_" + arm.name + ".json.gz";
}

std::string study_toml(const StudyProcess& study, std::uint64_t seed) {
  std::string out = "# Simulated: see README.md. Seed " + std::to_string(seed) + ".\n[study]\n";
  add_pair(out, "", "name", toml_string(study.name));
  for (const StudyCell& cell : study.cells) {
    out += "\n[[cell]]\n";
    add_pair(out, "", "id", toml_string(cell.process.cell));
    add_pair(out, "", "family", toml_string(cell.family));
    add_pair(out, "", "architecture", toml_string(cell.architecture));
    add_pair(out, "", "size", toml_string(cell.size));
    add_pair(out, "", "domain", toml_string(cell.process.domain));
    for (std::size_t i = 0; i < cell.arms.size(); ++i) {
      const ArmProcess& arm = cell.arms[i];
      out += "  [[cell.arm]]\n";
      add_pair(out, "  ", "name", toml_string(arm.name));
      add_pair(out, "  ", "precision", toml_string(arm.precision));
      if (i == 0) add_pair(out, "  ", "reference", "true");
      add_pair(out, "  ", "files",
               std::string("[").append(toml_string(log_file_name(cell, arm))).append("]"));
    }
  }
  return out;
}

Result<void> write_arm_log(const StudyCell& cell, const ArmProcess& arm, std::uint64_t seed,
                           const std::filesystem::path& path) {
  Result<OutputFile> file = OutputFile::create(path, Packing::gzip);
  if (!file) return tl::unexpected<Error>(file.error());
  const ArmFacts facts = simulate_arm(cell.process, arm, seed);
  write_tau2_log(cell.process, facts, seed, [&](std::string_view text) { file->write(text); });
  return file->commit();
}

Result<void> write_study(const StudyProcess& study, std::uint64_t seed,
                         const std::filesystem::path& folder, const StudyProgress& progress) {
  std::error_code made;
  std::filesystem::create_directories(folder, made);
  if (made) {
    return fail(ErrorCode::outside, "can't make the folder " + folder.string() + ": " +
                                        made.message() + ". Choose another one with -o.");
  }
  std::size_t total = 0;
  for (const StudyCell& cell : study.cells) total += cell.arms.size();
  std::size_t done = 0;
  for (const StudyCell& cell : study.cells) {
    for (const ArmProcess& arm : cell.arms) {
      Result<void> written = write_arm_log(cell, arm, seed, folder / log_file_name(cell, arm));
      if (!written) return written;
      ++done;
      if (progress && !progress(done, total)) {
        return fail(ErrorCode::interrupted, "interrupted after " + std::to_string(done) + " of " +
                                                std::to_string(total) + " logs; those in " +
                                                folder.string() +
                                                " are complete, study.toml is not "
                                                "written yet.");
      }
    }
  }
  if (Result<void> written = write_text_file(folder / "README.md", readme(study, seed)); !written) {
    return written;
  }
  return write_text_file(folder / "study.toml", study_toml(study, seed));
}

}  // namespace unmask::synthetic
