#pragma once

#include "unmask/ingest/importer.h"

namespace unmask {

/// `{info, tasks, simulations}` in one file, or in the folder form `results.json` with
/// `simulations/<id>.json` (FORMATS sections 1 and 2e).
[[nodiscard]] const Importer& tau2_results_importer();
[[nodiscard]] const Importer& tau2_folder_importer();
/// A bare list of simulations, or one simulation (2a, 2d).
[[nodiscard]] const Importer& tau2_list_importer();
[[nodiscard]] const Importer& tau2_simulation_importer();
/// `{config, task_results[{trajectory}]}` (2b).
[[nodiscard]] const Importer& tau2_wrapped_importer();
/// One file a task, `{task_id, task, run_info, messages}`, alone or a folder of them (2c).
[[nodiscard]] const Importer& tau2_task_importer();
/// `{execution_events, state_snapshots}`: inspect only (2f).
[[nodiscard]] const Importer& tau2_enhanced_log_importer();

/// Whether the document has the members of a results file.
[[nodiscard]] bool has_tau2_results(const Fingerprint& print);
/// Whether the values at the prefix `at` of `print` (`[].`, or empty for the document itself) have
/// the members of a simulation.
[[nodiscard]] bool has_tau2_simulation(const Fingerprint& print, std::string_view at);

}  // namespace unmask
