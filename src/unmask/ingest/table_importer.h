#pragma once

#include "unmask/ingest/importer.h"

namespace unmask {

/// `unmask.table/1`: one episode a line, for anyone's own format (docs/formats/table.md).
[[nodiscard]] const Importer& table_importer();

}  // namespace unmask
