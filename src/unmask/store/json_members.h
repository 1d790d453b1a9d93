#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace unmask::store {

/// Appends `"key":json`, behind a comma unless the object begins here.
void append_member(std::string& out, std::string_view key, std::string_view json);
/// Members that are all null.
void append_nulls(std::string& out, std::initializer_list<std::string_view> keys);

/// `text` as a JSON string.
[[nodiscard]] std::string json_string(std::string_view text);
/// The same; null for an empty one.
[[nodiscard]] std::string string_or_null(std::string_view text);
/// null for what is absent, or no number that JSON has.
[[nodiscard]] std::string real_or_null(const std::optional<double>& value);

}  // namespace unmask::store
