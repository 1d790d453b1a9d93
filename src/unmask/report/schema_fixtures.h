#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace unmask::golden {

/// The documents, by index, that docs/schemas/`schema` refuses, as scripts/check_schema.py says.
[[nodiscard]] std::vector<std::size_t> refused_by_schema(std::string_view schema,
                                                         const std::vector<std::string>& documents);

}  // namespace unmask::golden
