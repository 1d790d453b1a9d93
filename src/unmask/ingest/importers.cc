#include <array>

#include "unmask/ingest/importer.h"
#include "unmask/ingest/tau2_importers.h"

namespace unmask {

std::span<const Importer* const> importers() {
  static const std::array<const Importer*, 2> all = {&tau2_results_importer(),
                                                     &tau2_folder_importer()};
  return all;
}

}  // namespace unmask
