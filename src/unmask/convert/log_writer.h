#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "unmask/convert/log_survey.h"
#include "unmask/diagnose/diagnose.h"
#include "unmask/episode/episode.h"

namespace unmask {

/// Formats that logs can be written in.
enum class LogFormat : std::uint8_t {
  tau2,    ///< a tau2-bench results file
  openai,  ///< OpenAI chat messages, an episode a line
  table,   ///< unmask.table/1, an episode a line
};
[[nodiscard]] std::string_view name_of(LogFormat format);
[[nodiscard]] std::optional<LogFormat> log_format_from_name(std::string_view name);
/// `.json` or `.jsonl`.
[[nodiscard]] std::string_view extension_of(LogFormat format);

/// Takes a log's text piece by piece.
using TextSink = std::function<void(std::string_view)>;
/// What a conversion loses, a sentence each, with the number of episodes that it concerns.
using Losses = std::map<std::string, std::uint64_t>;

struct WriteOptions {
  bool texts = false;  ///< a table keeps arguments and results of calls (the other formats must)
};

/// Writes one log, an episode at a time. Nothing that a LogHeader does not hold gets into the
/// output: credentials that an importer dropped stay dropped.
class LogWriter {
 public:
  virtual ~LogWriter() = default;
  /// What stands in front of the episodes.
  virtual void begin() = 0;
  /// The next episode. `diagnoses`, one a call or none at all, are kept where the format can.
  virtual void episode(const Episode& episode, std::span<const CallDiagnosis> diagnoses) = 0;
  virtual void end() = 0;
  [[nodiscard]] virtual const Losses& losses() const = 0;
};

/// A writer of `format`. `survey` and `sink` are borrowed. Whether an episode without a transcript
/// is written with its calls' own texts alone: yes, and that is among the losses.
[[nodiscard]] std::unique_ptr<LogWriter> log_writer(LogFormat format, const LogSurvey& survey,
                                                    const WriteOptions& options, TextSink sink);

}  // namespace unmask
