#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/audit/audit.h"
#include "unmask/audit/findings.h"
#include "unmask/margins/findings.h"
#include "unmask/report/page_rows.h"
#include "unmask/report/page_selection.h"
#include "unmask/report/page_template.h"
#include "unmask/report/producer.h"

namespace unmask {

/// What a page is made of besides the findings.
struct PageEpisodes {
  std::span<const CellInput> cells;
  PageSelection selection;
  PerEpisode<EpisodePlace> places;  ///< of `cells`
  std::vector<std::string> blocks;  ///< packed, from PageBlocks
  /// The blocks are files beside the page, `blocks/0.js` and so on, which it loads when it needs
  /// them.
  bool blocks_beside = false;
  /// Of paired replay, where there is any: the page shows it after the cells.
  const margins::MarginFindings* margins = nullptr;
};

/// The report as one HTML file that needs nothing beside it: `page`, a template that is not empty,
/// with findings, rows and episodes put in. Source: docs/report-page.md.
[[nodiscard]] std::string audit_page(const AuditFindings& findings, const PageEpisodes& episodes,
                                     std::string_view page = page_template(),
                                     const Producer& producer = this_program());

/// How a file that holds a block beside a page begins.
inline constexpr std::string_view kBlockMark = "window.unmaskBlocks[";

/// The content of the file `blocks/<number>.js` that holds a block beside a page.
[[nodiscard]] std::string block_file(std::size_t number, std::string_view block);

}  // namespace unmask
