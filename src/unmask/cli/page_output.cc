#include "unmask/cli/page_output.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "unmask/audit/findings.h"
#include "unmask/base/error.h"
#include "unmask/cli/report_places.h"
#include "unmask/cli/terminal.h"
#include "unmask/episode/episode.h"
#include "unmask/ingest/read_episodes.h"
#include "unmask/margins/findings.h"
#include "unmask/report/page_blocks.h"
#include "unmask/report/page_report.h"
#include "unmask/report/page_rows.h"
#include "unmask/report/page_selection.h"
#include "unmask/report/page_template.h"
#include "unmask/study/study_reader.h"

namespace unmask::cli {
namespace {

// A selected episode of the study.
struct Wanted {
  EpisodeRef ref;
  std::size_t cell = 0, arm = 0, episode = 0;
};

std::vector<Wanted> wanted_episodes(const StudyRead& study, const PerEpisode<bool>& selected) {
  std::vector<Wanted> all;
  for (std::size_t c = 0; c < study.cells.size(); ++c) {
    for (std::size_t a = 0; a < study.cells[c].arms.size(); ++a) {
      const auto& episodes = study.cells[c].arms[a].facts.episodes;
      for (std::size_t e = 0; e < episodes.size(); ++e) {
        if (selected[c][a][e])
          all.push_back({.ref = episodes[e].ref, .cell = c, .arm = a, .episode = e});
      }
    }
  }
  std::ranges::stable_sort(all, {}, [](const Wanted& wanted) { return wanted.ref.file; });
  return all;
}

// Fills blocks and places; goes through each input's files once.
class BlockFiller {
 public:
  BlockFiller(const StudyRead& study, const PerEpisode<bool>& selected, bool quiet)
      : study_(study),
        wanted_(wanted_episodes(study, selected)),
        places_(per_episode<EpisodePlace>(study.cells, {})),
        bar_("packing", quiet) {}

  void fill() {
    for (const InputFindings& input : study_.inputs) {
      const std::uint64_t end = input.first_file + input.header.files.size();
      std::vector<EpisodeRef> refs;
      std::vector<const Wanted*> of_input;
      for (const Wanted& wanted : wanted_) {
        if (wanted.ref.file < input.first_file || wanted.ref.file >= end) continue;
        refs.push_back(wanted.ref);
        refs.back().file -= input.first_file;
        of_input.push_back(&wanted);
      }
      read_episodes(input.header, refs, [&](std::size_t number, const Result<Episode>& episode) {
        take(*of_input[number], episode);
        return !interrupted();
      });
    }
  }

  [[nodiscard]] std::size_t unreadable() const { return unreadable_; }
  [[nodiscard]] const std::string& first_complaint() const { return first_complaint_; }
  [[nodiscard]] PerEpisode<EpisodePlace> places() { return std::move(places_); }
  [[nodiscard]] std::vector<std::string> blocks() { return blocks_.finish(); }

 private:
  void take(const Wanted& wanted, const Result<Episode>& episode) {
    bar_.update(++done_, wanted_.size(), "episodes");
    if (episode) {
      places_[wanted.cell][wanted.arm][wanted.episode] = blocks_.add(*episode);
    } else if (unreadable_++ == 0) {
      first_complaint_ = episode.error().message;
    }
  }

  const StudyRead& study_;
  std::vector<Wanted> wanted_;
  PerEpisode<EpisodePlace> places_;
  PageBlocks blocks_;
  ProgressBar bar_;
  std::size_t done_ = 0;
  std::size_t unreadable_ = 0;
  std::string first_complaint_;
};

}  // namespace

void add_page_selection(CLI::App& app, std::string& which) {
  app.add_option("--episodes", which,
                 "whose texts the page holds: all, failed, sample:N (N an arm) or none")
      ->type_name("WHICH")
      ->check(CLI::Validator(
          [](const std::string& text) {
            return page_selection(text) ? std::string()
                                        : text + " is none of all, failed, sample:N, none";
          },
          ""))
      ->capture_default_str();
}

Result<void> page_is_there() {
  if (!page_template().empty()) return {};
  return fail(ErrorCode::invalid_argument,
              "this build has no report page: it was built without Node.js. Install nodejs (18 or "
              "later) and npm and build again (docs/report-page.md), or take --format markdown");
}

namespace {

Result<PageEpisodes> page_episodes(const StudyRead& study, const AuditFindings& findings,
                                   const PageSelection& selection, bool quiet) {
  BlockFiller filler(study, selected_episodes(study.cells, selection, findings.settings.seed),
                     quiet);
  filler.fill();
  if (interrupted()) return fail(ErrorCode::interrupted, "interrupted");
  if (filler.unreadable() > 0 && !quiet) {
    complain(
        std::to_string(filler.unreadable()) +
        " episodes are in the page without their texts; the first: " + filler.first_complaint());
  }
  return PageEpisodes{.cells = study.cells,
                      .selection = selection,
                      .places = filler.places(),
                      .blocks = filler.blocks(),
                      .blocks_beside = false};
}

}  // namespace

Result<std::string> report_page(const StudyRead& study, const AuditFindings& findings,
                                const PageSelection& selection, bool quiet,
                                const margins::MarginFindings* margins) {
  Result<PageEpisodes> episodes = page_episodes(study, findings, selection, quiet);
  if (!episodes) return tl::unexpected(episodes.error());
  episodes->margins = margins;
  return audit_page(findings, *episodes);
}

Result<void> write_report_folder(const std::string& folder, const StudyRead& study,
                                 const AuditFindings& findings, const PageSelection& selection,
                                 bool quiet, const margins::MarginFindings* margins) {
  namespace fs = std::filesystem;
  Result<PageEpisodes> episodes = page_episodes(study, findings, selection, quiet);
  if (!episodes) return tl::unexpected(episodes.error());
  episodes->blocks_beside = true;
  episodes->margins = margins;
  const fs::path blocks = fs::path(folder) / "blocks";
  std::error_code error;
  fs::create_directories(blocks, error);
  if (error) {
    return fail(ErrorCode::outside,
                blocks.string() + ": the folder can't be made (" + error.message() + ")");
  }
  const auto file_of = [&](std::size_t number) {
    return blocks / (std::to_string(number) + ".js");
  };
  std::size_t number = 0;
  for (const std::string& block : episodes->blocks) {
    if (Result<void> written = write_output(file_of(number).string(), block_file(number, block));
        !written) {
      return written;
    }
    ++number;
  }
  remove_blocks_from(number, folder);
  return write_output((fs::path(folder) / "index.html").string(), audit_page(findings, *episodes));
}

}  // namespace unmask::cli
