#include "unmask/report/page_report.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "unmask/audit/findings.h"
#include "unmask/base/check.h"
#include "unmask/report/json_report.h"
#include "unmask/report/margin_rendering.h"
#include "unmask/report/page_pack.h"
#include "unmask/report/page_rows.h"
#include "unmask/report/page_selection.h"
#include "unmask/report/page_static.h"
#include "unmask/report/page_template.h"
#include "unmask/report/producer.h"

namespace unmask {
namespace {

// Nothing inside a script element can end it: `<` in JSON stands in strings only.
std::string without_markup(std::string_view json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

// The template's policy names one script by its hash. Blocks beside the page are scripts too: a
// page opened as a file can load nothing else.
std::string with_scripts_beside(std::string_view page) {
  constexpr std::string_view kRule = "script-src ";
  const std::size_t place = page.find(kRule);
  UNMASK_CHECK(place != std::string_view::npos);
  std::string changed(page);
  return changed.insert(place + kRule.size(), "'self' ");
}

}  // namespace

std::string audit_page(const AuditFindings& findings, const PageEpisodes& episodes,
                       std::string_view page, const Producer& producer) {
  std::string blocks;
  std::string beside;
  std::string where;
  if (episodes.blocks_beside) {
    // Before the page's script, which must know from the beginning.
    where = "<script type=\"text/plain\" id=\"blocks-beside\">" +
            std::to_string(episodes.blocks.size()) + "</script>";
    beside = with_scripts_beside(page);
    page = beside;
  } else {
    for (const std::string& block : episodes.blocks)
      blocks.append("<script type=\"text/plain\" class=\"block\">")
          .append(block)
          .append("</script>\n");
  }
  std::string margins;
  if (episodes.margins != nullptr) {
    margins = "<script type=\"application/json\" id=\"margins-data\">" +
              without_markup(margin_json(*episodes.margins, producer)) + "</script>";
  }
  struct Part {
    std::string_view mark;
    std::string text;
  };
  const std::array<Part, 4> parts = {
      Part{kPageStaticMark, page_static(findings)},
      Part{kPageFindingsMark, "<script type=\"application/json\" id=\"findings\">" +
                                  without_markup(audit_json(findings, producer)) + "</script>" +
                                  margins},
      Part{kPageRowsMark, "<script type=\"text/plain\" id=\"rows\">" +
                              packed_for_page(page_rows(episodes.cells, episodes.places,
                                                        name_of(episodes.selection))) +
                              "</script>" + where},
      Part{kPageBlocksMark, std::move(blocks)}};
  std::string document;
  for (const Part& part : parts) {
    const std::size_t place = page.find(part.mark);
    UNMASK_CHECK(place != std::string_view::npos);
    document.append(page.substr(0, place)).append(part.text);
    page.remove_prefix(place + part.mark.size());
  }
  return document.append(page);
}

std::string block_file(std::size_t number, std::string_view block) {
  // Base64 needs no escapes.
  return std::string(kBlockMark) + std::to_string(number) + "]=\"" + std::string(block) + "\";\n";
}

}  // namespace unmask
