#include "unmask/decisions/decisions_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <ios>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/scored_decision.h"
#include "unmask/json/parser.h"
#include "unmask/json/value.h"

namespace unmask::decisions {
namespace {

using json::Value;

constexpr std::size_t kMostArms = 32;
constexpr std::size_t kMostOptions = 4096;            // of a decision
constexpr std::size_t kMostOptionsOfAll = 4'000'000;  // what a hostile file may cost in memory

/// Why a line is not used: a part of a sentence.
using Fault = std::optional<std::string>;

std::optional<double> finite(const Value& value) {
  const std::optional<double> number = value.number();
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<std::uint32_t> count(const Value& value) {
  const std::optional<std::uint64_t> number = value.unsigned_integer();
  if (!number || *number > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

/// Log-probabilities, `size` of them; nullopt for another number or what can't be one.
std::optional<std::vector<double>> read_scores(const Value& list, std::size_t size) {
  if (!list.is_array() || list.size() != size) return std::nullopt;
  std::vector<double> scores;
  for (const Value element : list.elements()) {
    const std::optional<double> score = finite(element);
    if (!score) return std::nullopt;
    scores.push_back(*score);
  }
  return scores;
}

std::vector<LikelyToken> read_likeliest(const Value& list) {
  std::vector<LikelyToken> likeliest;
  for (const Value element : list.elements()) {
    LikelyToken token;
    std::size_t part = 0;
    bool good = element.size() == 2;
    for (const Value each : element.elements()) {
      if (part++ == 0) {
        const std::optional<std::uint32_t> id = count(each);
        good &= id && *id <= static_cast<std::uint32_t>(std::numeric_limits<std::int32_t>::max());
        if (good) token.token = static_cast<std::int32_t>(*id);
      } else {
        const std::optional<double> score = finite(each);
        good &= score.has_value();
        token.log_probability = score.value_or(0.0);
      }
    }
    if (good) likeliest.push_back(token);
  }
  return likeliest;
}

class Decoding {
 public:
  Decoding(const std::string& file, Diagnostics& diagnostics)
      : file_(file), diagnostics_(diagnostics) {}

  Result<DecisionsFile> decode(std::string_view text) && {
    std::size_t at = 0;
    while (at < text.size()) {
      const std::size_t end = text.find('\n', at);
      if (end == std::string_view::npos) break;  // torn: its writer died
      ++line_;
      const std::string_view line = text.substr(at, end - at);
      if (line_ == 1) {
        if (const Result<void> read = header(line); !read) return tl::unexpected(read.error());
      } else if (!line.empty()) {
        if (const Fault fault = body(line)) report(*fault);
      }
      at = end + 1;
    }
    if (line_ == 0) return no_header();
    if (at < text.size()) {
      add("torn_line", Severity::info,
          "its last line is incomplete, as of a run that was killed; it is left out");
    }
    decoded_.whole_bytes = at;
    for (ScoredDecision& decision : decoded_.scored.decisions) {
      while (decision.arms.size() < decoded_.scored.arms.size()) {
        decision.arms.emplace_back().fault = kNotScored;
      }
    }
    return std::move(decoded_);
  }

 private:
  [[nodiscard]] tl::unexpected<Error> no_header() const {
    return fail(ErrorCode::bad_input,
                file_ + ": its first line is not the header of a file of scores (" +
                    std::string(kDecisionsSchema) + "); unmask margins -o makes one");
  }

  Result<void> header(std::string_view line) {
    const Result<json::Parsed> parsed = parser_.parse(line);
    if (!parsed) return no_header();
    const Value root = parsed->root;
    const std::string_view schema = root["schema"].text();
    if (schema != kDecisionsSchema) {
      if (!schema.starts_with("unmask.decisions/")) return no_header();
      return fail(ErrorCode::bad_input, file_ + ": is of the form " + std::string(schema) +
                                            ", which this version does not read; update unmask");
    }
    DecisionsHeader& into = decoded_.header;
    into.producer = root["producer"].text();
    into.kind = root["kind"].text();
    into.contexts_sha256 = root["contexts_sha256"].text();
    into.decisions = static_cast<std::uint64_t>(
        std::max(root["decisions"].integer().value_or(0), std::int64_t{0}));
    for (const Value source : root["contexts"].elements()) {
      into.contexts.push_back(
          {std::string(source["file"].text()), std::string(source["sha256"].text())});
    }
    for (const Value temperature : root["temperatures"].elements()) {
      if (const std::optional<double> number = finite(temperature); number && *number > 0) {
        into.temperatures.push_back(*number);
      }
    }
    for (const json::Member& member : root["settings"].members()) {
      into.settings.insert_or_assign(std::string(member.key), std::string(member.value.text()));
    }
    return {};
  }

  Fault body(std::string_view line) {
    const Result<json::Parsed> parsed = parser_.parse(line);
    if (!parsed) return "is no JSON";
    const Value root = parsed->root;
    if (root["score"].exists()) return score(root);
    if (root["decision"].exists()) return decision(root);
    if (root["arm"].exists()) return arm(root);
    return "is neither an arm nor a decision nor a score";
  }

  Fault arm(const Value& root) {
    std::vector<ScoredArm>& arms = decoded_.scored.arms;
    if (count(root["arm"]) != arms.size()) return "is an arm out of its order";
    if (arms.size() >= kMostArms) return "is one arm more than a file may hold";
    ScoredArm& into = arms.emplace_back();
    into.name = root["name"].text();
    into.model = root["model"].text();
    into.precision = root["precision"].text();
    into.bits_per_weight = finite(root["bits_per_weight"]);
    into.tokenizer = root["tokenizer"].text();
    return std::nullopt;
  }

  Fault decision(const Value& root) {
    std::vector<ScoredDecision>& decisions = decoded_.scored.decisions;
    if (count(root["decision"]) != decisions.size()) return "is a decision out of its order";
    const std::optional<DecisionKind> kind = decision_kind_from_name(root["kind"].text());
    if (!kind) return "is a decision of an unknown kind";
    ScoredDecision into;
    into.kind = *kind;
    into.task_id = root["task_id"].text();
    const std::optional<std::int64_t> trial = root["trial"].integer();
    if (trial && *trial >= 0 && *trial <= std::numeric_limits<int>::max()) {
      into.trial = static_cast<int>(*trial);
    }
    into.message = count(root["message"]).value_or(0);
    into.call = count(root["call"]).value_or(0);
    if (root["party"].text() == "user") into.party = Party::user;
    into.argument = root["argument"].text();
    if (const Value earlier = root["options_of"]; earlier.exists()) {
      const std::optional<std::uint32_t> at = count(earlier);
      if (!at || *at >= decisions.size())
        return "takes its options from a decision that is not there";
      into.options = decisions[*at].options;
    } else if (Fault fault = options(root["options"], into.options)) {
      return fault;
    }
    options_ += into.options.size();
    if (options_ > kMostOptionsOfAll) return "has one option more than a file may hold";
    if (const Value recorded = root["recorded"]; recorded.exists()) {
      into.recorded = count(recorded);
      if (!into.recorded || *into.recorded >= into.options.size()) {
        return "has recorded an option that is not there";
      }
    }
    decisions.push_back(std::move(into));
    return std::nullopt;
  }

  static Fault options(const Value& list, std::vector<DecisionOption>& into) {
    if (list.size() == 0 || list.size() > kMostOptions) return "is a decision without options";
    for (const Value element : list.elements()) {
      DecisionOption& option = into.emplace_back();
      option.text = element["text"].text();
      option.admissible = element["admissible"].boolean().value_or(false);
      option.golden = element["golden"].boolean().value_or(false);
      option.provenance = element["provenance"].text();
    }
    return std::nullopt;
  }

  Fault score(const Value& root) {
    const std::optional<std::uint32_t> at = count(root["score"]);
    const std::optional<std::uint32_t> arm = count(root["arm"]);
    if (!at || *at >= decoded_.scored.decisions.size())
      return "scores a decision that is not there";
    if (!arm || *arm >= decoded_.scored.arms.size()) return "scores for an arm that is not there";
    ScoredDecision& decision = decoded_.scored.decisions[*at];
    while (decision.arms.size() <= *arm) decision.arms.emplace_back().fault = kNotScored;
    if (decision.arms[*arm].fault != kNotScored) return "scores a decision for a second time";
    ArmScores scores;
    scores.fault = root["fault"].text();
    const std::size_t size = decision.options.size();
    if (scores.fault.empty()) {
      std::optional<std::vector<double>> read = read_scores(root["log_probability"], size);
      if (!read) return "has not one number for each option";
      scores.log_probability = std::move(*read);
    }
    if (const Value bounds = root["at_most"]; bounds.exists()) {
      if (bounds.size() != size) return "has not one bound for each option";
      for (const Value bound : bounds.elements()) {
        scores.at_most.push_back(bound.boolean().value_or(true));
      }
    }
    for (const Value element : root["tempered"].elements()) {
      const std::optional<double> temperature = finite(element["temperature"]);
      std::optional<std::vector<double>> read = read_scores(element["log_probability"], size);
      if (!temperature || *temperature <= 0 || !read) {
        return "has scores at a temperature that can't be used";
      }
      scores.tempered.push_back({*temperature, std::move(*read)});
    }
    scores.divergence = finite(root["divergence"]);
    scores.likeliest = read_likeliest(root["likeliest"]);
    decision.arms[*arm] = std::move(scores);
    ++decoded_.scores;
    return std::nullopt;
  }

  void report(const std::string& fault) {
    add("unusable_line", Severity::data_loss,
        "line " + std::to_string(line_) + " " + fault + " and is left out");
  }

  void add(const char* code, Severity severity, std::string sentence) {
    Diagnostic diagnostic;
    diagnostic.code = code;
    diagnostic.severity = severity;
    diagnostic.file = file_;
    diagnostic.sentence = std::move(sentence);
    diagnostics_.add(std::move(diagnostic));
  }

  const std::string& file_;
  Diagnostics& diagnostics_;
  json::Parser parser_;
  DecisionsFile decoded_;
  std::size_t line_ = 0;
  std::size_t options_ = 0;
};

}  // namespace

bool is_decisions_file(std::string_view beginning) {
  constexpr std::string_view kBegins = R"({"schema":"unmask.decisions/)";
  return beginning.starts_with(kBegins);
}

Result<DecisionsFile> decode_decisions(std::string_view text, const std::string& file,
                                       Diagnostics& diagnostics) {
  return Decoding(file, diagnostics).decode(text);
}

Result<DecisionsFile> read_decisions(const std::string& path, Diagnostics& diagnostics) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    const int reason = errno;
    return fail(reason == ENOENT ? ErrorCode::bad_input : ErrorCode::outside,
                path + ": can't be read: " + std::generic_category().message(reason));
  }
  const std::string text((std::istreambuf_iterator<char>(stream)),
                         std::istreambuf_iterator<char>());
  if (stream.bad()) return fail(ErrorCode::outside, path + ": can't be read to its end");
  return decode_decisions(text, path, diagnostics);
}

}  // namespace unmask::decisions
