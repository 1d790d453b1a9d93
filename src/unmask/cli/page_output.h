#pragma once

#include <string>

#include "unmask/audit/findings.h"
#include "unmask/base/error.h"
#include "unmask/margins/findings.h"
#include "unmask/report/page_selection.h"
#include "unmask/study/study_reader.h"

namespace CLI {
class App;
}

namespace unmask::cli {

/// Adds `--episodes`, which takes what page_selection reads, and `which` as its default.
void add_page_selection(CLI::App& app, std::string& which);

/// Whether this build has a report page at all. To be asked before the work. Errors:
/// invalid_argument, with how to get one.
[[nodiscard]] Result<void> page_is_there();

/// The report page of an audited study. Reads the texts of the selected episodes from the logs
/// again; those that can't be read are said on standard error unless `quiet`, and left out.
/// `margins`: of a paired replay, which the page then shows; may be null. Errors: interrupted.
[[nodiscard]] Result<std::string> report_page(const StudyRead& study, const AuditFindings& findings,
                                              const PageSelection& selection, bool quiet,
                                              const margins::MarginFindings* margins = nullptr);

/// Writes the report as a folder: `index.html`, and the selected episodes' texts in files beside
/// it. Makes the folder; blocks that an earlier report left in it are removed. Errors: as
/// report_page, and outside where something can't be written.
[[nodiscard]] Result<void> write_report_folder(const std::string& folder, const StudyRead& study,
                                               const AuditFindings& findings,
                                               const PageSelection& selection, bool quiet,
                                               const margins::MarginFindings* margins = nullptr);

}  // namespace unmask::cli
