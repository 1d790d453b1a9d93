#pragma once

#include <string_view>

namespace unmask {

/// The report page as built from web/, with marks where findings go (docs/report-page.md); empty in
/// a build without it.
[[nodiscard]] std::string_view page_template();

/// Marks of the template; each stands in it once.
inline constexpr std::string_view kPageStaticMark = "<!--unmask:static-->";
inline constexpr std::string_view kPageFindingsMark = "<!--unmask:findings-->";
inline constexpr std::string_view kPageRowsMark = "<!--unmask:rows-->";
inline constexpr std::string_view kPageBlocksMark = "<!--unmask:blocks-->";

/// By what a page is known as one of unmask; near its beginning.
inline constexpr std::string_view kPageMark = "<meta name=\"generator\" content=\"unmask report\"";

}  // namespace unmask
