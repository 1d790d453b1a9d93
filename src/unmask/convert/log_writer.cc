#include "unmask/convert/log_writer.h"

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "unmask/convert/log_survey.h"
#include "unmask/convert/writers.h"

namespace unmask {

std::string_view name_of(LogFormat format) {
  switch (format) {
    case LogFormat::tau2:
      return "tau2";
    case LogFormat::openai:
      return "openai";
    case LogFormat::table:
      return "table";
  }
  return "";
}

std::optional<LogFormat> log_format_from_name(std::string_view name) {
  for (const LogFormat format : {LogFormat::tau2, LogFormat::openai, LogFormat::table}) {
    if (name_of(format) == name) return format;
  }
  return std::nullopt;
}

std::string_view extension_of(LogFormat format) {
  return format == LogFormat::tau2 ? ".json" : ".jsonl";
}

std::unique_ptr<LogWriter> log_writer(LogFormat format, const LogSurvey& survey,
                                      const WriteOptions& options, TextSink sink) {
  switch (format) {
    case LogFormat::tau2:
      return tau2_writer(survey, std::move(sink));
    case LogFormat::openai:
      return openai_writer(survey, std::move(sink));
    case LogFormat::table:
      break;
  }
  return table_writer(survey, options, std::move(sink));
}

}  // namespace unmask
