#include "unmask/episode/channel.h"

namespace unmask {

std::string_view name_of(Party party) {
  switch (party) {
    case Party::agent:
      return "agent";
    case Party::user:
      return "user";
  }
  return "";
}

std::string_view name_of(Channel channel) {
  switch (channel) {
    case Channel::malformed:
      return "malformed";
    case Channel::tool_name:
      return "tool_name";
    case Channel::arguments:
      return "arguments";
    case Channel::entity:
      return "entity";
    case Channel::precondition:
      return "precondition";
    case Channel::other:
      return "other";
    case Channel::infrastructure:
      return "infrastructure";
  }
  return "";
}

std::string_view name_of(EvidenceKind evidence) {
  switch (evidence) {
    case EvidenceKind::stated:
      return "stated";
    case EvidenceKind::structure:
      return "structure";
    case EvidenceKind::reexecution:
      return "reexecution";
    case EvidenceKind::error_text:
      return "error_text";
    case EvidenceKind::none:
      return "none";
  }
  return "";
}

std::optional<Channel> channel_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kChannelCount; ++i) {
    const auto channel = static_cast<Channel>(i);
    if (name_of(channel) == name) return channel;
  }
  return std::nullopt;
}

}  // namespace unmask
