#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace unmask {

/// Who called a tool. tau2-bench's `requestor`: "assistant" is our agent.
enum class Party : std::uint8_t { agent, user };

/// Why a tool call failed: the first that fits, in this order (paper: "failure channel").
/// `infrastructure` is no failure of the model and is counted apart.
enum class Channel : std::uint8_t {
  malformed,       ///< the call can't be read
  tool_name,       ///< hallucinated tool: the name is not among those offered to the caller
  arguments,       ///< the arguments violate the tool's schema
  entity,          ///< well-formed, but names something that does not exist
  precondition,    ///< the entity exists; its state or a business rule refuses
  other,           ///< none of these
  infrastructure,  ///< time-outs, 5xx, rate limits inside a tool
};

inline constexpr std::array<Channel, 6> kModelChannels = {Channel::malformed,    Channel::tool_name,
                                                          Channel::arguments,    Channel::entity,
                                                          Channel::precondition, Channel::other};
inline constexpr std::size_t kChannelCount = 7;

/// What a diagnosis rests on, strongest first.
enum class EvidenceKind : std::uint8_t {
  stated,       ///< the log's own diagnosis, taken over
  structure,    ///< the call itself, against the offered tools
  reexecution,  ///< what happened when it was executed again
  error_text,   ///< the result's words
  none,
};

/// snake_case, as in JSON keys, CSV and flags.
[[nodiscard]] std::string_view name_of(Party party);
[[nodiscard]] std::string_view name_of(Channel channel);
[[nodiscard]] std::string_view name_of(EvidenceKind evidence);
[[nodiscard]] std::optional<Channel> channel_from_name(std::string_view name);

}  // namespace unmask
