// Makes large logs and walks them with the fastest peer; bench/run times `unmask audit` on the same
// files and holds both answers together.
//
//   ingest_speed make FROM OUT BYTES   writes a results file of at least BYTES: the episodes of the
//                                      real log FROM again and again, under new ids and trials
//   ingest_speed walk N FILE...        simdjson On-Demand over the bytes of FILE..., in memory, on
//                                      one core: names of calls and error flags; best of N

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <simdjson.h>

#include "unmask/ingest/log_file.h"
#include "unmask/json/scanner.h"

namespace {

using unmask::json::Place;
using unmask::json::Take;

/// A range of a text.
struct Range {
  std::size_t from = 0;
  std::size_t length = 0;
};

/// Finds the episodes of a results file.
class EpisodeRanges final : public unmask::json::PieceSink {
 public:
  Take begin(const Place& place, char /*first*/, std::uint64_t /*offset*/) override {
    if (place.depth() == 0) return Take::inside;
    if (place.path[0].key != "simulations") return Take::skip;
    return place.depth() == 1 ? Take::inside : Take::whole;
  }
  bool piece(const Place& /*place*/, std::string_view text, std::uint64_t offset) override {
    ranges.push_back({offset, text.size()});
    return true;
  }

  std::vector<Range> ranges;
};

/// Finds the id and the trial of an episode.
class IdAndTrial final : public unmask::json::PieceSink {
 public:
  Take begin(const Place& place, char /*first*/, std::uint64_t /*offset*/) override {
    if (place.depth() == 0) return Take::inside;
    const std::string& key = place.path[0].key;
    return key == "id" || key == "trial" ? Take::whole : Take::skip;
  }
  bool piece(const Place& place, std::string_view text, std::uint64_t offset) override {
    (place.path[0].key == "id" ? id : trial) = {offset, text.size()};
    return true;
  }

  Range id;
  Range trial;
};

std::string read_all(const std::string& path) {
  std::string text;
  const auto file = unmask::LogFile::open(path);
  if (!file) return text;
  auto pass = file->start();
  std::vector<char> buffer(std::size_t{1} << 20U);
  for (auto got = pass.read(buffer); got && *got > 0; got = pass.read(buffer)) {
    text.append(buffer.data(), *got);
  }
  return text;
}

int usage() {
  std::cerr << "usage: ingest_speed make FROM OUT BYTES | walk N FILE...\n";
  return 2;
}

/// An episode in three parts around its id and trial, whichever comes first.
struct Parts {
  std::string_view text;
  IdAndTrial places;
};

void write_episode(std::ostream& out, const Parts& parts, std::uint64_t number,
                   std::uint64_t trial) {
  const bool id_first = parts.places.id.from < parts.places.trial.from;
  const Range& first = id_first ? parts.places.id : parts.places.trial;
  const Range& second = id_first ? parts.places.trial : parts.places.id;
  const std::string id = "\"episode-" + std::to_string(number) + '"';
  const std::string trial_text = std::to_string(trial);
  const std::size_t behind_first = first.from + first.length;
  out << parts.text.substr(0, first.from) << (id_first ? id : trial_text)
      << parts.text.substr(behind_first, second.from - behind_first) << (id_first ? trial_text : id)
      << parts.text.substr(second.from + second.length);
}

int make(const std::string& from, const std::string& to, std::uint64_t bytes) {
  const std::string text = read_all(from);
  EpisodeRanges episodes;
  unmask::json::Scanner scanner(episodes);
  scanner.feed(text);
  if (scanner.finish().end != unmask::json::ScanEnd::complete || episodes.ranges.empty()) {
    std::cerr << from << ": no results file\n";
    return 1;
  }
  std::vector<Parts> parts;
  for (const Range& range : episodes.ranges) {
    parts.push_back({std::string_view(text).substr(range.from, range.length), {}});
    unmask::json::Scanner members(parts.back().places);
    members.feed(parts.back().text);
    if (members.finish().end != unmask::json::ScanEnd::complete ||
        parts.back().places.id.length == 0 || parts.back().places.trial.length == 0) {
      std::cerr << from << ": an episode without id or trial\n";
      return 1;
    }
  }
  std::ofstream out(to, std::ios::binary);
  out << std::string_view(text).substr(0, episodes.ranges.front().from);
  std::uint64_t number = 0;
  // The log has one trial of each task, so a round is the next trial.
  while (number == 0 || static_cast<std::uint64_t>(out.tellp()) < bytes) {
    if (number > 0) out << ",\n";
    write_episode(out, parts[number % parts.size()], number, number / parts.size());
    ++number;
  }
  const Range& last = episodes.ranges.back();
  out << std::string_view(text).substr(last.from + last.length);
  out.close();
  return out ? 0 : 1;
}

/// What both sides must agree on.
struct Answer {
  std::uint64_t calls = 0;
  std::uint64_t failed = 0;
  std::uint64_t name_bytes = 0;  ///< so that no compiler leaves the names unread
};

namespace ondemand = simdjson::ondemand;

void walk_message(ondemand::object message, Answer& answer) {
  const std::string_view role = message["role"];
  if (role == "tool") {
    bool failed = false;
    if (message["error"].get(failed) == simdjson::SUCCESS && failed) ++answer.failed;
    return;
  }
  ondemand::array calls;
  if (message["tool_calls"].get(calls) != simdjson::SUCCESS) return;
  for (ondemand::object call : calls) {
    const std::string_view name = call["name"];
    ++answer.calls;
    answer.name_bytes += name.size();
  }
}

void walk_file(ondemand::parser& parser, const simdjson::padded_string& text, Answer& answer) {
  ondemand::document document = parser.iterate(text);
  for (ondemand::object simulation : document["simulations"]) {
    for (ondemand::object message : simulation["messages"]) walk_message(message, answer);
  }
}

int walk(std::uint64_t rounds, std::span<char* const> paths) {
  std::vector<simdjson::padded_string> texts;
  std::uint64_t bytes = 0;
  for (const char* path : paths) {
    texts.emplace_back(simdjson::padded_string::load(path));
    bytes += texts.back().size();
  }
  ondemand::parser parser;
  double best = std::numeric_limits<double>::infinity();
  Answer answer;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    answer = {};
    const auto began = std::chrono::steady_clock::now();
    for (const simdjson::padded_string& text : texts) walk_file(parser, text, answer);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    best = std::min(best, took.count());
  }
  std::cout << R"({"seconds": )" << best << R"(, "bytes": )" << bytes << R"(, "calls": )"
            << answer.calls << R"(, "failed": )" << answer.failed << R"(, "name_bytes": )"
            << answer.name_bytes << R"(, "kernel": ")"
            << simdjson::get_active_implementation()->name() << "\"}\n";
  return 0;
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc{} || result.ptr != end) return std::nullopt;
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  const std::span<char*> words(argv, static_cast<std::size_t>(argc));
  try {
    if (words.size() == 5 && std::string_view(words[1]) == "make") {
      const auto bytes = number(words[4]);
      return bytes ? make(words[2], words[3], *bytes) : usage();
    }
    if (words.size() >= 4 && std::string_view(words[1]) == "walk") {
      const auto rounds = number(words[2]);
      return rounds && *rounds > 0 ? walk(*rounds, words.subspan(3)) : usage();
    }
  } catch (const std::exception& error) {
    std::cerr << "ingest_speed: " << error.what() << '\n';
    return 1;
  }
  return usage();
}
