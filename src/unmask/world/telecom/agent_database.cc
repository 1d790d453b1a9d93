#include "unmask/world/telecom/agent_database.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace unmask::world::telecom {
namespace {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

using PlaceOfText = std::unordered_map<std::string, std::size_t, TextHash, std::equal_to<>>;

template <typename Row>
std::vector<Row> rows_of(const OverlayTable<Row>& table) {
  std::vector<Row> rows;
  rows.reserve(table.size());
  for (std::size_t at = 0; at < table.size(); ++at) {
    rows.push_back(table[at]);
  }
  return rows;
}

}  // namespace

/// The outcome of both searches for every number that the database knows.
struct AgentDatabase::PhoneBook {
  PlaceOfText line_of;
  PlaceOfText customer_of;
  std::optional<std::string> missing_line;  ///< where the search for an unknown owner ends

  explicit PhoneBook(const AgentDatabase& database) {
    for (std::size_t at = 0; at < database.lines.size(); ++at) {
      line_of.try_emplace(database.lines[at].phone_number, at);
    }
    for (std::size_t at = 0; at < database.customers.size(); ++at) {
      const Customer& customer = database.customers[at];
      customer_of.try_emplace(customer.phone_number, at);
      for (const std::string& line_id : customer.line_ids) {
        const std::optional<std::size_t> line = database.lines.find(line_id);
        if (!line) {
          missing_line = line_id;
          return;
        }
        customer_of.try_emplace(database.lines[*line].phone_number, at);
      }
    }
  }
};

AgentDatabase::AgentDatabase(AgentRows rows)
    : plans(std::move(rows.plans)),
      customers(std::move(rows.customers)),
      lines(std::move(rows.lines)),
      bills(std::move(rows.bills)),
      devices(std::move(rows.devices)),
      phone_book_(std::make_shared<const PhoneBook>(*this)) {}

std::optional<std::size_t> AgentDatabase::line_with_phone(std::string_view phone_number) const {
  const auto found = phone_book_->line_of.find(phone_number);
  return found == phone_book_->line_of.end() ? std::nullopt : std::optional(found->second);
}

PhoneOwner AgentDatabase::owner_of_phone(std::string_view phone_number) const {
  const auto found = phone_book_->customer_of.find(phone_number);
  if (found == phone_book_->customer_of.end()) {
    return owner_of_no_phone();
  }
  return {.customer = found->second};
}

PhoneOwner AgentDatabase::owner_of_no_phone() const {
  return {.missing_line = phone_book_->missing_line};
}

AgentRows AgentDatabase::rows() const {
  return {.plans = rows_of(plans),
          .customers = rows_of(customers),
          .lines = rows_of(lines),
          .bills = rows_of(bills),
          .devices = rows_of(devices)};
}

}  // namespace unmask::world::telecom
