#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "unmask/base/error.h"
#include "unmask/store/run_reader.h"

namespace unmask::store {

/// Takes the output piece by piece.
using TextSink = std::function<void(std::string_view)>;

/// What an export holds.
struct Exported {
  std::size_t units = 0;
  std::size_t left_open = 0;        ///< units that have not ended; they are left out
  std::size_t malformed_calls = 0;  ///< calls whose arguments are no JSON object

  bool operator==(const Exported&) const = default;
};

/// One arm as a tau2-bench results file in the current single-JSON form, which loads in tau2-bench.
/// Units come by task in the cell's order, then by trial. Holds one unit in memory at a time.
///
/// A call whose arguments are no JSON object gets `"arguments": {}` and beside it, where tau2-bench
/// doesn't look, `"unmask_arguments"` with the text as the model wrote it; `unmask` reads that.
///
/// Errors: invalid_argument if there is no such arm; those of RunReader.
[[nodiscard]] Result<Exported> export_tau2(const RunReader& run, std::string_view cell,
                                           std::string_view arm, const TextSink& sink);

/// All arms as JSON lines, one unit a line: the simulation's members as in export_tau2, after
/// `cell` and `arm`. Units in the order in which they were first opened.
[[nodiscard]] Result<Exported> export_jsonl(const RunReader& run, const TextSink& sink);

}  // namespace unmask::store
