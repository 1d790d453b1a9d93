#include "unmask/world/telecom/agent_database.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/world/telecom/overlay_table.h"
#include "unmask/world/telecom/record.h"
#include "unmask/world/telecom/records.h"
#include "unmask/world/text_index.h"

namespace unmask::world::telecom {
namespace {

template <typename Row>
OverlayTable<Row> table_of(std::vector<Row> rows) {
  std::vector<RowTexts> texts;
  texts.reserve(rows.size());
  for (const Row& row : rows) {
    texts.push_back({dump_of<KeyOrder::declared>(row), dump_of<KeyOrder::sorted>(row)});
  }
  return OverlayTable<Row>(std::move(rows), std::move(texts));
}

template <typename Row>
std::vector<Row> rows_of(const OverlayTable<Row>& table) {
  std::vector<Row> rows;
  rows.reserve(table.size());
  for (std::size_t at = 0; at < table.size(); ++at) {
    rows.push_back(table[at]);
  }
  return rows;
}

/// Of the rows with these ids, up to the first that is missing.
template <typename Row>
std::vector<std::size_t> places_of(const OverlayTable<Row>& table,
                                   const std::vector<std::string>& ids) {
  std::vector<std::size_t> places;
  for (const std::string& id : ids) {
    const std::optional<std::size_t> at = table.find(id);
    if (!at) {
      break;
    }
    places.push_back(*at);
  }
  return places;
}

}  // namespace

/// The outcome of both searches for every number that the database knows.
struct AgentDatabase::PhoneBook {
  TextIndex line_of;
  TextIndex customer_of;
  std::optional<std::string> missing_line;  ///< where the search for an unknown owner ends

  explicit PhoneBook(const AgentDatabase& database) {
    for (std::size_t at = 0; at < database.lines.size(); ++at) {
      line_of.emplace(database.lines[at].phone_number, at);
    }
    for (std::size_t at = 0; at < database.customers.size(); ++at) {
      const Customer& customer = database.customers[at];
      customer_of.emplace(customer.phone_number, at);
      for (const std::string& line_id : customer.line_ids) {
        const std::optional<std::size_t> line = database.lines.find(line_id);
        if (!line) {
          missing_line = line_id;
          return;
        }
        customer_of.emplace(database.lines[*line].phone_number, at);
      }
    }
  }
};

AgentDatabase::AgentDatabase(AgentRows rows)
    : plans(table_of(std::move(rows.plans))),
      customers(table_of(std::move(rows.customers))),
      lines(table_of(std::move(rows.lines))),
      bills(table_of(std::move(rows.bills))),
      devices(table_of(std::move(rows.devices))),
      phone_book_(std::make_shared<const PhoneBook>(*this)) {
  auto bill_places = std::make_shared<Places>();
  auto line_places = std::make_shared<Places>();
  for (std::size_t at = 0; at < customers.size(); ++at) {
    bill_places->push_back(places_of(bills, customers[at].bill_ids));
    line_places->push_back(places_of(lines, customers[at].line_ids));
  }
  bill_places_ = std::move(bill_places);
  line_places_ = std::move(line_places);
}

std::optional<std::size_t> AgentDatabase::line_with_phone(std::string_view phone_number) const {
  return phone_book_->line_of.find(phone_number);
}

PhoneOwner AgentDatabase::owner_of_phone(std::string_view phone_number) const {
  const std::optional<std::size_t> found = phone_book_->customer_of.find(phone_number);
  return found ? PhoneOwner{.customer = found} : owner_of_no_phone();
}

PhoneOwner AgentDatabase::owner_of_no_phone() const {
  return {.missing_line = phone_book_->missing_line};
}

void AgentDatabase::add_bill(std::size_t customer, Bill bill) {
  // Of two rows with the same id the first counts.
  const std::size_t place = bills.find(bill.bill_id).value_or(bills.size());
  bills.append(std::move(bill));
  added_bills_.push_back({customer, place});
}

bool AgentDatabase::lists_bill(std::size_t customer, std::string_view bill_id) const {
  const std::vector<std::string>& own = customers[customer].bill_ids;
  return std::ranges::find(own, bill_id) != own.end() ||
         std::ranges::any_of(added_bills_, [&](const AddedBill& added) {
           return added.customer == customer && bills[added.bill].bill_id == bill_id;
         });
}

bool AgentDatabase::has_added_bills(std::size_t customer) const {
  return std::ranges::find(added_bills_, customer, &AddedBill::customer) != added_bills_.end();
}

Customer AgentDatabase::customer_now(std::size_t at) const {
  Customer customer = customers[at];
  for (const AddedBill& added : added_bills_) {
    if (added.customer == at) {
      customer.bill_ids.push_back(bills[added.bill].bill_id);
    }
  }
  return customer;
}

AgentRows AgentDatabase::rows() const {
  std::vector<Customer> customers_now;
  customers_now.reserve(customers.size());
  for (std::size_t at = 0; at < customers.size(); ++at) {
    customers_now.push_back(customer_now(at));
  }
  return {.plans = rows_of(plans),
          .customers = std::move(customers_now),
          .lines = rows_of(lines),
          .bills = rows_of(bills),
          .devices = rows_of(devices)};
}

}  // namespace unmask::world::telecom
