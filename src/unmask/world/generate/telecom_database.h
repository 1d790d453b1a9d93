#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/world/generate/amount.h"
#include "unmask/world/generate/person.h"

namespace unmask::world::generated {

/// Data volumes in tenths of a gigabyte, so that sums are exact.
using TenthsOfGb = std::int64_t;

/// The double nearest to a volume.
[[nodiscard]] inline double gigabytes(TenthsOfGb volume) {
  return static_cast<double>(volume) / 10.0;
}

struct TelecomPlan {
  std::string_view id;
  std::string_view name;
  TenthsOfGb limit = 0;
  Cents price = 0;            ///< a month
  Cents refuel_price = 0;     ///< a gigabyte
  bool is_for_phones = true;  ///< of which customers call about
};

[[nodiscard]] std::span<const TelecomPlan> telecom_plans();

enum class LineStatus : std::uint8_t { active, suspended, pending_activation, closed };

struct TelecomLine {
  std::string id;
  std::string phone_number;
  LineStatus status = LineStatus::active;
  std::size_t plan = 0;  ///< of telecom_plans()
  std::string device_id;
  TenthsOfGb used = 0;
  bool roaming = false;
  std::string contract_end;  ///< dates are YYYY-MM-DD
  std::string plan_change;
  std::string sim_replacement;   ///< empty: never
  std::string suspension_start;  ///< empty: not suspended
};

struct TelecomDevice {
  std::string id;
  std::string_view type;
  std::string_view model;
  std::string imei;
  bool esim = false;
  std::string activation;  ///< YYYY-MM-DDTHH:MM:SS; empty: not activated
};

struct BillItem {
  std::string description;
  Cents amount = 0;
  std::string_view type;
};

struct TelecomBill {
  std::string id;
  std::string customer_id;
  int month = 1;  ///< of 2025, 1 to 3
  std::string_view status;
  std::vector<BillItem> items;
};

struct TelecomPayment {
  std::string_view method;
  std::string last_four;
  std::string expiration;  ///< MM/YYYY
};

struct TelecomCustomer {
  std::string id;
  Name name;
  std::string birthday;
  std::string email;
  std::string phone_number;  ///< of the first line, or of none
  PostalAddress address;
  std::string_view status;
  std::vector<TelecomPayment> payments;
  std::vector<std::size_t> lines;  ///< by number
  std::vector<std::size_t> bills;  ///< by number
  std::string created;             ///< YYYY-MM-DDTHH:MM:SS
  Cents goodwill = 0;
};

/// A line that a task may be about: active, for a phone, within its data limit, of an active
/// customer without a bill that is overdue or awaits payment.
struct CallersLine {
  std::size_t customer = 0;
  std::size_t line = 0;
};

/// A telephone company. The simulated day is the one that tau2-bench's telecom world lives in.
struct TelecomDatabase {
  std::vector<TelecomCustomer> customers;
  std::vector<TelecomLine> lines;
  std::vector<TelecomBill> bills;
  std::vector<TelecomDevice> devices;
  std::vector<CallersLine> callers;
};

/// `customers` >= 1; the first is always one that can call.
[[nodiscard]] TelecomDatabase make_telecom_database(std::uint32_t customers, std::uint64_t seed);

/// tau2-bench's `db.toml`.
[[nodiscard]] std::string telecom_database_toml(const TelecomDatabase& database);

/// tau2-bench's `user_db.toml`: a phone in good order.
[[nodiscard]] std::string_view telecom_phone_toml();

}  // namespace unmask::world::generated
