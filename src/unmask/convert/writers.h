#pragma once

#include <memory>

#include "unmask/convert/log_writer.h"

namespace unmask {

[[nodiscard]] std::unique_ptr<LogWriter> tau2_writer(const LogSurvey& survey, TextSink sink);
[[nodiscard]] std::unique_ptr<LogWriter> openai_writer(const LogSurvey& survey, TextSink sink);
[[nodiscard]] std::unique_ptr<LogWriter> table_writer(const LogSurvey& survey,
                                                      const WriteOptions& options, TextSink sink);

}  // namespace unmask
