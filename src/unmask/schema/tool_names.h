#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace unmask {

/// Where a hallucinated tool name comes from; DESIGN, channel `tool_name`: the first that fits.
enum class NameProvenance : std::uint8_t {
  wrong_owner,  ///< exists, but belongs to the other party of a dual-control world
  near_miss,    ///< an offered name but for case, separators, prefixes or a small edit distance
  named_in_context,  ///< stands in the policy or an earlier message
  other_domain,      ///< a tool of another known world
  novel,             ///< none of these
};
[[nodiscard]] std::string_view name_of(NameProvenance provenance);

/// `name` without what models add around it: namespaces (`functions.`, `default_api:`,
/// `mcp__server__`), chat-template tokens (`<|channel|>...`), call parentheses and spaces.
[[nodiscard]] std::string_view bare_tool_name(std::string_view name);

/// Lower-case letters and digits only (bytes above 127 are kept): `getUserDetails`,
/// `get-user-details` and `Get_User_Details` all give `getuserdetails`.
[[nodiscard]] std::string folded_tool_name(std::string_view name);

/// Greatest edit distance at which a folded name of `length` bytes still counts as a misspelling:
/// 0 below 5, 1 below 12, else 2.
[[nodiscard]] std::size_t allowed_edits(std::size_t length);

/// An offered name that a called name was meant to be.
struct NameMatch {
  std::size_t index = 0;  ///< into the offered names
  std::size_t edits = 0;  ///< 0: equal after folding
  bool operator==(const NameMatch&) const = default;
};

/// The offered name nearest to `called`: exact, then equal after folding (bare or whole), then the
/// smallest edit distance within `allowed_edits` of the longer name; a tie takes the first offered.
[[nodiscard]] std::optional<NameMatch> nearest_tool_name(std::string_view called,
                                                         std::span<const std::string> offered);

/// Whether `called` is one of `offered`, letter by letter or equal after folding.
[[nodiscard]] bool same_tool_offered(std::string_view called, std::span<const std::string> offered);

/// What provenance is judged against.
struct NameContext {
  std::span<const std::string> own;           ///< names offered to the caller
  std::span<const std::string> other_party;   ///< names offered to the other party only
  std::span<const std::string> other_worlds;  ///< tools of other known worlds
  bool named_in_text = false;  ///< the name stands in the policy or an earlier message
};

/// Provenance of a name that is not among `context.own`.
[[nodiscard]] NameProvenance provenance_of(std::string_view called, const NameContext& context);

}  // namespace unmask
