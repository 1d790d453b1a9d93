#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace unmask::text {

/// Free text for Markdown: characters with a meaning there (and HTML's) are escaped, line breaks
/// become spaces, deceptive characters become visible.
[[nodiscard]] std::string markdown_escaped(std::string_view text);
/// A name in code style: `int4`.
[[nodiscard]] std::string markdown_code(std::string_view text);

/// A pipe table (GitHub's Markdown), columns padded so that the source reads well too. `aligned`
/// has a letter a column: l or r. Cells must be escaped already.
[[nodiscard]] std::string markdown_table(const std::vector<std::string>& header,
                                         std::string_view aligned,
                                         const std::vector<std::vector<std::string>>& rows);

}  // namespace unmask::text
