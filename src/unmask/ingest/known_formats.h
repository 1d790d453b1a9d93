#pragma once

#include <string>

#include "unmask/ingest/fingerprint.h"

namespace unmask {

/// Why a file that no importer takes is not read, and what to do: names the format where it is a
/// known one. A sentence that goes behind the file's name.
[[nodiscard]] std::string why_not_read(const Fingerprint& print);

}  // namespace unmask
