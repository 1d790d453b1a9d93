#include "unmask/ingest/token_choices.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace unmask {

namespace {

using json::Value;

std::optional<double> finite(const Value& value) {
  const auto number = value.number();
  return number && std::isfinite(*number) ? number : std::nullopt;
}

/// An alternative: `{token, logprob}` or `[text, id, log-probability]`.
std::optional<TokenChoice> read_choice(const Value& value) {
  if (value.is_array()) {
    TokenChoice choice;
    std::optional<double> last;
    std::size_t index = 0;
    for (const Value part : value.elements()) {
      if (index++ == 0) choice.text = part.text();
      last = finite(part);
    }
    if (!last || index < 2) return std::nullopt;
    choice.log_probability = *last;
    return choice;
  }
  const auto number = finite(value["logprob"]);
  if (!number) return std::nullopt;
  return TokenChoice{std::string(value["token"].text()), *number};
}

/// Adds two probabilities given by their logarithms.
double log_sum(double a, double b) {
  const double high = std::max(a, b);
  return high + std::log1p(std::exp(std::min(a, b) - high));
}

/// What a text that begins a name says of it.
struct Reading {
  std::string name;
  bool admissible = false;

  bool operator<(const Reading& other) const {
    return std::pair(name, admissible) < std::pair(other.name, other.admissible);
  }
};

/// Nullopt for a text that closes the name before it began.
std::optional<Reading> read_beginning(std::string_view text, std::span<const std::string> offered) {
  const std::size_t quote = text.find('"');
  if (quote != std::string_view::npos) {
    const std::string_view name = text.substr(0, quote);
    if (name.empty()) return std::nullopt;
    return Reading{std::string(name), std::ranges::find(offered, name) != offered.end()};
  }
  if (text.empty()) return std::nullopt;
  const std::string* only = nullptr;
  std::size_t fitting = 0;
  for (const std::string& name : offered) {
    if (!name.starts_with(text)) continue;
    ++fitting;
    only = &name;
  }
  if (fitting == 1) return Reading{*only, true};
  return Reading{std::string(text), fitting > 0};
}

}  // namespace

std::vector<TokenPosition> read_token_positions(const Value& list) {
  std::vector<TokenPosition> positions;
  for (const Value element : list.elements()) {
    TokenPosition& position = positions.emplace_back();
    const bool openai = element["token"].exists();
    const auto chosen = finite(element[openai ? "logprob" : "lp"]);
    if (!chosen) {
      positions.pop_back();
      break;
    }
    position.chosen = {std::string(element[openai ? "token" : "t"].text()), *chosen};
    for (const Value other : element[openai ? "top_logprobs" : "top"].elements()) {
      auto choice = read_choice(other);
      if (choice && choice->text != position.chosen.text) {
        position.others.push_back(*std::move(choice));
      }
    }
  }
  return positions;
}

std::optional<NameSpan> find_name(std::span<const TokenPosition> tokens, std::string_view name,
                                  std::size_t from) {
  std::string text;
  std::vector<std::size_t> starts;
  for (std::size_t i = from; i < tokens.size(); ++i) {
    starts.push_back(text.size());
    text += tokens[i].chosen.text;
  }
  std::size_t begin = std::string::npos;
  // As templates for tools have it, and as calls in plain text do (play/text_protocol.h).
  for (const std::string_view key : {"\"name\"", "\"tool\"", "\"function\""}) {
    for (std::size_t place = text.find(key); place != std::string::npos;
         place = text.find(key, place + key.size())) {
      const std::size_t at = text.find_first_not_of(" \t\r\n:", place + key.size());
      if (at == std::string::npos || text[at] != '"') continue;
      if (!std::string_view(text).substr(at + 1).starts_with(name)) continue;
      begin = std::min(begin, at + 1);
      break;
    }
  }
  if (begin == std::string::npos && from == 0 && !name.empty() && text.starts_with(name)) begin = 0;
  if (begin == std::string::npos || begin >= text.size()) return std::nullopt;
  const std::size_t close = std::min(text.find('"', begin), text.size() - 1);
  const auto position_of = [&](std::size_t byte) {
    return static_cast<std::size_t>(std::ranges::upper_bound(starts, byte) - starts.begin()) - 1;
  };
  const std::size_t first = position_of(begin);
  return NameSpan{from + first, begin - starts[first], from + position_of(close) + 1};
}

std::vector<Candidate> name_candidates(std::span<const TokenPosition> tokens, const NameSpan& span,
                                       std::span<const std::string> offered) {
  std::map<Reading, double> found;
  const auto add = [&](std::string_view text, double log_probability) {
    const auto reading = read_beginning(text, offered);
    if (!reading) return;
    const auto [entry, added] = found.try_emplace(*reading, log_probability);
    if (!added) entry->second = log_sum(entry->second, log_probability);
  };
  std::string name;  // as chosen, before the position looked at
  double sum = 0.0;
  for (std::size_t i = span.first; i < std::min(span.next, tokens.size()); ++i) {
    const TokenPosition& position = tokens[i];
    const std::string_view skipped =
        i == span.first ? std::string_view(position.chosen.text).substr(0, span.skip)
                        : std::string_view{};
    for (const TokenChoice& other : position.others) {
      std::string_view text = other.text;
      // What does not open the name's string as well chooses no name.
      if (!text.starts_with(skipped)) continue;
      text.remove_prefix(skipped.size());
      if (!text.empty()) add(name + std::string(text), sum + other.log_probability);
    }
    name += std::string_view(position.chosen.text).substr(skipped.size());
    sum += position.chosen.log_probability;
  }
  add(name, sum);
  std::vector<Candidate> candidates;
  for (const auto& [reading, log_probability] : found) {
    candidates.push_back({reading.name, log_probability, reading.admissible});
  }
  std::ranges::stable_sort(candidates, std::ranges::greater{}, &Candidate::log_probability);
  return candidates;
}

}  // namespace unmask
