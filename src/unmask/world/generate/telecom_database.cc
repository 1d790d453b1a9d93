#include "unmask/world/generate/telecom_database.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/base/rng.h"
#include "unmask/world/generate/amount.h"
#include "unmask/world/generate/person.h"
#include "unmask/world/generate/pick.h"

namespace unmask::world::generated {
namespace {

constexpr std::array<TelecomPlan, 7> kPlans = {{
    {"P2001", "Puddle 3", 30, 1800, 450, true},
    {"P2002", "Brook 8", 80, 2950, 350, true},
    {"P2003", "River 20", 200, 4400, 250, true},
    {"P2004", "Delta 45", 450, 6200, 175, true},
    {"P2005", "Kinfolk 30", 300, 9900, 300, true},
    {"P2006", "Ocean Open", 9990, 7900, 50, false},
    {"P2007", "Beacon Things", 10, 650, 900, false},
}};

struct Model {
  std::string_view type;
  std::string_view name;
  bool esim = true;
};
constexpr std::array<Model, 7> kPhones = {{{"phone", "Lumo One", true},
                                           {"phone", "Lumo One Mini", false},
                                           {"phone", "Kestrel 5", true},
                                           {"phone", "Kestrel 5 Air", true},
                                           {"phone", "Tern Fold", true},
                                           {"phone", "Heron 12", true},
                                           {"phone", "Plover Go", false}}};
constexpr std::array<Model, 4> kThings = {{{"tablet", "Slate 11", true},
                                           {"watch", "Acorn Band", true},
                                           {"router", "Hearth Hub", false},
                                           {"other", "Meadow Tracker", false}}};

std::string two_digits(std::int64_t number) {
  return std::string(number < 10 ? "0" : "") + std::to_string(number);
}

std::string draw_date(Rng& rng, std::int64_t first_year, std::int64_t last_year) {
  return std::to_string(draw_between(rng, first_year, last_year)) + "-" +
         two_digits(draw_between(rng, 1, 12)) + "-" + two_digits(draw_between(rng, 1, 28));
}

std::string draw_moment(Rng& rng, std::int64_t first_year, std::int64_t last_year) {
  return draw_date(rng, first_year, last_year) + "T" + two_digits(draw_between(rng, 8, 19)) + ":" +
         two_digits(draw_between(rng, 0, 59)) + ":" + two_digits(draw_between(rng, 0, 59));
}

/// What sort of customer: most can call, a few show the other states.
enum class Standing : std::uint8_t { good, owing, disputing, suspended, unverified, gone };

Standing draw_standing(Rng& rng) {
  constexpr std::array<double, 6> kWeights = {0.80, 0.05, 0.03, 0.05, 0.04, 0.03};
  return static_cast<Standing>(rng.weighted(kWeights));
}

std::string_view account_status(Standing standing) {
  switch (standing) {
    case Standing::good:
    case Standing::owing:
    case Standing::disputing:
      return "Active";
    case Standing::suspended:
      return "Suspended";
    case Standing::unverified:
      return "Pending Verification";
    case Standing::gone:
      return "Closed";
  }
  return {};
}

class Maker {
 public:
  explicit Maker(TelecomDatabase& database) : database_(database) {}

  void add_customer(Rng& rng, Standing standing) {
    const std::size_t number = database_.customers.size();
    TelecomCustomer customer;
    customer.id = "C" + std::to_string(2001 + number);
    // Found by name and birthday as well, so no two share both; by name alone they may.
    do {
      customer.name = draw_name(rng);
      customer.birthday = draw_date(rng, 1944, 2006);
    } while (!people_.insert(customer.name.first + customer.name.last + customer.birthday).second);
    do {
      customer.email = letters_of(customer.name.first) + "." + letters_of(customer.name.last) +
                       draw_digits(rng, 3) + "@example.com";
    } while (!emails_.insert(customer.email).second);
    customer.address = draw_address(rng);
    customer.status = account_status(standing);
    customer.created = draw_moment(rng, 2017, 2024);
    customer.goodwill = rng.bernoulli(0.3) ? 500 * draw_between(rng, 1, 8) : 0;
    add_payments(rng, customer);
    if (standing != Standing::unverified) {
      const std::int64_t count = draw_between(rng, 1, 3);
      for (std::int64_t i = 0; i < count; ++i) add_line(rng, customer, standing, i == 0);
      add_bills(customer, standing);
    }
    customer.phone_number = customer.lines.empty() ? fresh_phone_number(rng)
                                                   : line(customer.lines.front()).phone_number;
    if (standing == Standing::good) {
      for (const std::size_t index : customer.lines) {
        if (line(index).status == LineStatus::active && kPlans[line(index).plan].is_for_phones) {
          database_.callers.push_back({number, index});
        }
      }
    }
    database_.customers.push_back(std::move(customer));
  }

 private:
  [[nodiscard]] const TelecomLine& line(std::size_t index) const { return database_.lines[index]; }

  std::string fresh_phone_number(Rng& rng) {
    while (true) {
      std::string number = draw_phone_number(rng);
      if (phone_numbers_.insert(number).second) return number;
    }
  }

  static void add_payments(Rng& rng, TelecomCustomer& customer) {
    constexpr std::array<std::string_view, 3> kMethods = {"Credit Card", "Debit Card", "PayPal"};
    const std::int64_t count = draw_between(rng, 0, 2);
    for (std::int64_t i = 0; i < count; ++i) {
      TelecomPayment payment;
      payment.method = pick(rng, kMethods);
      payment.last_four = draw_digits(rng, 4);
      payment.expiration = two_digits(draw_between(rng, 1, 12)) + "/" +
                           std::to_string(draw_between(rng, 2026, 2030));
      customer.payments.push_back(std::move(payment));
    }
  }

  static LineStatus draw_status(Rng& rng, Standing standing, bool is_first) {
    if (standing == Standing::gone) return LineStatus::closed;
    if (standing == Standing::suspended) return LineStatus::suspended;
    if (is_first || rng.bernoulli(0.85)) return LineStatus::active;
    return rng.bernoulli(0.5) ? LineStatus::pending_activation : LineStatus::suspended;
  }

  std::string add_device(Rng& rng, bool is_phone, bool is_active) {
    const Model& model = is_phone ? pick(rng, kPhones) : pick(rng, kThings);
    TelecomDevice device;
    device.id = "D" + std::to_string(2001 + database_.devices.size());
    device.type = model.type;
    device.model = model.name;
    device.imei = "00" + draw_digits(rng, 13);  // 00: given to no maker
    device.esim = model.esim;
    if (is_active) device.activation = draw_moment(rng, 2021, 2024);
    database_.devices.push_back(device);
    return device.id;
  }

  void add_line(Rng& rng, TelecomCustomer& customer, Standing standing, bool is_first) {
    TelecomLine added;
    added.id = "L" + std::to_string(2001 + database_.lines.size());
    added.phone_number = fresh_phone_number(rng);
    added.status = draw_status(rng, standing, is_first);
    do {
      added.plan = draw_index(rng, kPlans.size());
    } while (is_first && !kPlans[added.plan].is_for_phones);
    const bool is_active = added.status == LineStatus::active;
    // The last two plans are for anything that has a SIM card.
    added.device_id =
        add_device(rng, kPlans[added.plan].is_for_phones || rng.bernoulli(0.5), is_active);
    if (is_active) added.used = kPlans[added.plan].limit * draw_between(rng, 5, 90) / 100;
    added.roaming = rng.bernoulli(0.5);
    added.contract_end = draw_date(rng, 2026, 2028);
    added.plan_change = draw_date(rng, 2023, 2024);
    if (rng.bernoulli(0.25)) added.sim_replacement = draw_date(rng, 2023, 2024);
    if (added.status == LineStatus::suspended) {
      added.suspension_start = "2025-02-" + two_digits(draw_between(rng, 1, 24));
    }
    customer.lines.push_back(database_.lines.size());
    database_.lines.push_back(std::move(added));
  }

  void add_bills(TelecomCustomer& customer, Standing standing) {
    std::string_view february = "Issued";
    if (standing == Standing::owing || standing == Standing::suspended) february = "Overdue";
    if (standing == Standing::disputing) february = "Disputed";
    if (standing == Standing::gone) february = "Paid";
    add_bill(customer, 1, "Paid");
    add_bill(customer, 2, february);
    // Extra data is charged to the draft of the coming month.
    if (standing != Standing::gone) add_bill(customer, 3, "Draft");
  }

  void add_bill(TelecomCustomer& customer, int month, std::string_view status) {
    TelecomBill bill;
    bill.id = "B" + std::to_string(20001 + database_.bills.size());
    bill.customer_id = customer.id;
    bill.month = month;
    bill.status = status;
    for (const std::size_t index : customer.lines) {
      if (status == "Draft") break;
      const TelecomPlan& plan = kPlans[line(index).plan];
      const std::string of_line = ", line " + line(index).phone_number;
      bill.items.push_back({std::string(plan.name) + of_line, plan.price, "Plan Charge"});
      if (line(index).status == LineStatus::suspended && month == 2) {
        bill.items.push_back({"Holding fee" + of_line, 500, "Fee"});
      }
    }
    customer.bills.push_back(database_.bills.size());
    database_.bills.push_back(std::move(bill));
  }

  TelecomDatabase& database_;
  std::set<std::string> people_, emails_, phone_numbers_;
};

}  // namespace

std::span<const TelecomPlan> telecom_plans() { return kPlans; }

TelecomDatabase make_telecom_database(std::uint32_t customers, std::uint64_t seed) {
  // Phone numbers for fiction end some time.
  UNMASK_CHECK(customers >= 1 && customers <= 20000);
  TelecomDatabase database;
  Maker maker(database);
  for (std::uint32_t i = 0; i < customers; ++i) {
    Rng rng(seed, "telecom customer", i);
    maker.add_customer(rng, i == 0 ? Standing::good : draw_standing(rng));
  }
  return database;
}

}  // namespace unmask::world::generated
