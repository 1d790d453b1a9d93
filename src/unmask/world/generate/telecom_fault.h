#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/world/generate/task_draft.h"
#include "unmask/world/generate/telecom_database.h"

namespace unmask::world::generated {

/// What a customer of the telephone company calls about.
enum class Trouble : std::uint8_t { no_service, mobile_data, picture_messages };

inline constexpr std::size_t kTroubles = 3;

[[nodiscard]] std::string_view name_of(Trouble trouble);

/// A cause. In the order in which causes are made and removed: what needs the phone to restart
/// comes last, so that one restart does for all.
enum class Fault : std::uint8_t {
  airplane_mode_on,
  sim_card_loose,
  sim_pin_locked,  ///< nobody can remove it
  sim_puk_locked,  ///< nobody can remove it
  abroad_phone_roaming_off,
  abroad_line_roaming_off,
  abroad_all_roaming_off,
  data_switched_off,
  data_saver_on,
  only_2g,
  only_3g,
  only_4g,
  slow_vpn,
  data_used_up,
  refuel_limit_reached,  ///< nobody may remove it
  wifi_calling_on,
  no_sms_permission,
  no_storage_permission,
  no_messaging_permissions,
  bill_overdue,
  contract_over,  ///< nobody may remove it
  apn_broken,
  picture_server_missing,
};

[[nodiscard]] std::string_view name_of(Fault fault);
[[nodiscard]] bool is_fixable(Fault fault);
[[nodiscard]] bool is_abroad(Fault fault);

/// Faults of which a task has one at most.
struct FaultSet {
  std::span<const Fault> faults;
  bool is_core = true;  ///< without one of a core set the trouble would be another one
};

/// The sets that can cause a trouble.
[[nodiscard]] std::span<const FaultSet> fault_sets(Trouble trouble);

/// Whom and what a task is about.
struct FaultCase {
  std::string customer_id;
  std::string line_id;
  std::string bill_id;     ///< that an overdue bill will get; no bill of the database has it
  TenthsOfGb limit = 0;    ///< of the line's plan
  TenthsOfGb refuel = 20;  ///< that the customer would buy
  TenthsOfGb overrun = 1;  ///< by which data are overused; less than `refuel`
};

/// Most extra data of a line a month, by our policies.
inline constexpr TenthsOfGb kRefuelLimit = 50;

/// Calls that bring the faults about, in order. `faults` ascending.
[[nodiscard]] std::vector<DraftCall> fault_calls(std::span<const Fault> faults,
                                                 const FaultCase& about);

/// Calls that remove them; executed in order, none can be left out. All `faults` fixable.
[[nodiscard]] std::vector<DraftCall> repair_calls(std::span<const Fault> faults,
                                                  const FaultCase& about);

/// What must hold at the end: the trouble is over, or, where it can't be, it is still there.
[[nodiscard]] std::vector<DraftCall> outcome_assertions(Trouble trouble,
                                                        std::span<const Fault> faults,
                                                        const FaultCase& about);

}  // namespace unmask::world::generated
