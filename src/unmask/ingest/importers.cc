#include <array>
#include <span>
#include <string>
#include <string_view>

#include "unmask/base/error.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/ingest/chat_importers.h"
#include "unmask/ingest/importer.h"
#include "unmask/ingest/table_importer.h"
#include "unmask/ingest/tau2_importers.h"

namespace unmask {

std::span<const Importer* const> importers() {
  static const std::array all = {&tau2_results_importer(),
                                 &tau2_folder_importer(),
                                 &tau2_list_importer(),
                                 &tau2_simulation_importer(),
                                 &tau2_wrapped_importer(),
                                 &tau2_task_importer(),
                                 &tau2_enhanced_log_importer(),
                                 &tau_bench_importer(),
                                 &openai_importer(),
                                 &table_importer()};
  return all;
}

Result<Episode> Importer::episode(std::string_view /*text*/, const LogHeader& /*header*/) const {
  return fail(ErrorCode::invalid_argument,
              "episodes of the format '" + std::string(format()) + "' are not read again");
}

const Importer* importer_of(std::string_view format) {
  for (const Importer* importer : importers()) {
    if (importer->format() == format) return importer;
  }
  return nullptr;
}

}  // namespace unmask
