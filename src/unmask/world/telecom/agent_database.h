#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/world/telecom/calendar.h"
#include "unmask/world/telecom/named_enum.h"
#include "unmask/world/telecom/overlay_table.h"
#include "unmask/world/value.h"

// The carrier's database as tau2-bench's telecom domain has it: what the agent's tools read and
// write. Members stand in the order in which they are dumped.

namespace unmask::world::telecom {

enum class PaymentMethodType : std::uint8_t { credit_card, debit_card, paypal };
template <>
inline constexpr std::array<std::string_view, 3> kEnumTexts<PaymentMethodType>{
    "Credit Card", "Debit Card", "PayPal"};

enum class AccountStatus : std::uint8_t { active, suspended, pending_verification, closed };
template <>
inline constexpr std::array<std::string_view, 4> kEnumTexts<AccountStatus>{
    "Active", "Suspended", "Pending Verification", "Closed"};

enum class LineStatus : std::uint8_t { active, suspended, pending_activation, closed };
template <>
inline constexpr std::array<std::string_view, 4> kEnumTexts<LineStatus>{
    "Active", "Suspended", "Pending Activation", "Closed"};

enum class BillStatus : std::uint8_t { draft, issued, awaiting_payment, paid, overdue, disputed };
template <>
inline constexpr std::array<std::string_view, 6> kEnumTexts<BillStatus>{
    "Draft", "Issued", "Awaiting Payment", "Paid", "Overdue", "Disputed"};

enum class DeviceType : std::uint8_t { phone, router, tablet, watch, other };
template <>
inline constexpr std::array<std::string_view, 5> kEnumTexts<DeviceType>{"phone", "router", "tablet",
                                                                        "watch", "other"};

struct Plan {
  std::string plan_id;
  std::string name;
  double data_limit_gb = 0.0;
  double price_per_month = 0.0;              ///< US dollars
  double data_refueling_price_per_gb = 0.0;  ///< US dollars

  [[nodiscard]] std::string_view id() const { return plan_id; }
  bool operator==(const Plan&) const = default;
};

struct Address {
  std::string street;
  std::string city;
  std::string state;
  std::string zip_code;

  bool operator==(const Address&) const = default;
};

struct PaymentMethod {
  PaymentMethodType method_type = PaymentMethodType::credit_card;
  std::string account_number_last_4;
  std::string expiration_date;

  bool operator==(const PaymentMethod&) const = default;
};

struct Customer {
  std::string customer_id;
  std::string full_name;
  std::string date_of_birth;
  std::string email;
  std::string phone_number;
  Address address;
  AccountStatus account_status = AccountStatus::pending_verification;
  std::vector<PaymentMethod> payment_methods;
  std::vector<std::string> line_ids;
  std::vector<std::string> bill_ids;
  DateTime created_at;
  std::optional<Date> last_extension_date;
  double goodwill_credit_used_this_year = 0.0;

  [[nodiscard]] std::string_view id() const { return customer_id; }
  bool operator==(const Customer&) const = default;
};

struct Line {
  std::string line_id;
  std::string phone_number;
  LineStatus status = LineStatus::pending_activation;
  std::string plan_id;
  std::optional<std::string> device_id;
  Value data_used_gb = Value(0.0);  ///< a number as loaded; an environment function stores anything
  double data_refueling_gb = 0.0;
  bool roaming_enabled = false;
  std::optional<Date> contract_end_date;
  std::optional<Date> last_plan_change_date;
  std::optional<Date> last_sim_replacement_date;
  std::optional<Date> suspension_start_date;

  [[nodiscard]] std::string_view id() const { return line_id; }
};

struct LineItem {
  std::string description;
  double amount = 0.0;  ///< US dollars; negative for a credit
  Date date;
  std::string item_type;

  bool operator==(const LineItem&) const = default;
};

struct Bill {
  std::string bill_id;
  std::string customer_id;
  Date period_start;
  Date period_end;
  Date issue_date;
  double total_due = 0.0;  ///< US dollars
  Date due_date;
  std::vector<LineItem> line_items;
  BillStatus status = BillStatus::draft;

  [[nodiscard]] std::string_view id() const { return bill_id; }
  bool operator==(const Bill&) const = default;
};

struct Device {
  std::string device_id;
  DeviceType device_type = DeviceType::phone;
  std::string model;
  std::optional<std::string> imei;
  bool is_esim_capable = false;
  bool activated = false;
  std::optional<DateTime> activation_date;
  std::optional<DateTime> last_esim_transfer_date;

  [[nodiscard]] std::string_view id() const { return device_id; }
  bool operator==(const Device&) const = default;
};

/// The rows of a database as a file has them.
struct AgentRows {
  std::vector<Plan> plans;
  std::vector<Customer> customers;
  std::vector<Line> lines;
  std::vector<Bill> bills;
  std::vector<Device> devices;
};

/// Who a phone number belongs to.
struct PhoneOwner {
  std::optional<std::size_t> customer;  ///< place among the customers
  /// Set if the search ran into a line that a customer lists and the database lacks, before it
  /// found an owner.
  std::optional<std::string> missing_line;
};

/// The carrier's database. Copies are cheap and independent of each other.
class AgentDatabase {
 public:
  AgentDatabase() : AgentDatabase(AgentRows{}) {}
  explicit AgentDatabase(AgentRows rows);

  OverlayTable<Plan> plans;
  /// As loaded, and never edited: all that changes of a customer is that bills are added, and
  /// copying one for that would be dear. customer_now() has them.
  OverlayTable<Customer> customers;
  OverlayTable<Line> lines;
  OverlayTable<Bill> bills;
  OverlayTable<Device> devices;

  /// What an environment's last sync found out, for its next: rows of this database keep their
  /// places, ids and phone numbers, and all else holds until a revision changes. The line is the
  /// one that its table watches.
  struct Synced {
    std::string phone_number;
    std::size_t line = 0;
    std::string plan_id;  ///< of the line; empty: not looked up
    std::size_t plan = 0;
    std::optional<std::size_t> customer;
    /// Of the watched line, when the three below were found; nullopt: they were not.
    std::optional<std::uint64_t> line_revision;
    bool line_active = false;
    bool roaming_allowed = false;
    bool usage_exceeded = false;
    /// Of the bills, when no bill of the customer's awaited payment.
    std::optional<std::uint64_t> settled_revision;
  };
  std::optional<Synced> synced;

  /// A customer's first draft bill, once it was looked for. It stays the first while it is a draft:
  /// bills are only ever added to a customer's list, and none turns into a draft.
  struct Draft {
    std::size_t customer = 0;
    std::size_t bill = 0;
  };
  std::vector<Draft> drafts;  ///< one a customer, for some customers

  /// Place of the first line with this number.
  [[nodiscard]] std::optional<std::size_t> line_with_phone(std::string_view phone_number) const;

  /// The first customer, in the table's order, whose own number or one of whose lines' numbers this
  /// is. Numbers do not change after construction.
  [[nodiscard]] PhoneOwner owner_of_phone(std::string_view phone_number) const;

  /// The same for a number that nobody can have.
  [[nodiscard]] PhoneOwner owner_of_no_phone() const;

  /// The places of the first bills that a customer lists: of those it had when it was loaded, up to
  /// one that was missing then. Bills are only ever added to the list.
  [[nodiscard]] std::span<const std::size_t> loaded_bills(std::size_t customer) const {
    return customer < bill_places_->size() ? std::span<const std::size_t>((*bill_places_)[customer])
                                           : std::span<const std::size_t>();
  }

  /// The same of its lines, of which none are added.
  [[nodiscard]] std::span<const std::size_t> loaded_lines(std::size_t customer) const {
    return customer < line_places_->size() ? std::span<const std::size_t>((*line_places_)[customer])
                                           : std::span<const std::size_t>();
  }

  /// A bill that was added to a customer's list.
  struct AddedBill {
    std::size_t customer = 0;  ///< place among the customers
    std::size_t bill = 0;      ///< place among the bills
  };
  /// Those that were added since the customers were loaded, in their order.
  [[nodiscard]] std::span<const AddedBill> added_bills() const { return added_bills_; }
  /// Adds a bill to the bills and, by its id, to a customer's list.
  void add_bill(std::size_t customer, Bill bill);
  /// Whether a customer lists a bill.
  [[nodiscard]] bool lists_bill(std::size_t customer, std::string_view bill_id) const;
  /// Whether bills were added to a customer's list.
  [[nodiscard]] bool has_added_bills(std::size_t customer) const;
  /// A customer with all its bills.
  [[nodiscard]] Customer customer_now(std::size_t at) const;

  /// All rows as they are now.
  [[nodiscard]] AgentRows rows() const;

 private:
  struct PhoneBook;
  std::shared_ptr<const PhoneBook> phone_book_;
  /// Of each customer as loaded.
  using Places = std::vector<std::vector<std::size_t>>;
  std::shared_ptr<const Places> bill_places_;
  std::shared_ptr<const Places> line_places_;
  std::vector<AddedBill> added_bills_;
};

}  // namespace unmask::world::telecom
