#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/world/generate/difficulty.h"
#include "unmask/world/generate/generate.h"
#include "unmask/world/generate/task_draft.h"
#include "unmask/world/generate/telecom_database.h"
#include "unmask/world/generate/telecom_fault.h"
#include "unmask/world/generate/telecom_tasks.h"

namespace unmask::world::generated {
namespace {

const TelecomDatabase& company() {
  static const TelecomDatabase database = make_telecom_database(300, 7);
  return database;
}

TEST(TelecomDatabase, OneCustomerIsEnoughToCall) {
  const TelecomDatabase small = make_telecom_database(1, 5);
  ASSERT_EQ(small.customers.size(), 1U);
  EXPECT_FALSE(small.callers.empty());
}

TEST(TelecomDatabase, IdsAndPhoneNumbersAreUnique) {
  std::set<std::string> ids, phones;
  for (const TelecomLine& line : company().lines) {
    EXPECT_TRUE(ids.insert(line.id).second);
    EXPECT_TRUE(ids.insert(line.device_id).second);
    EXPECT_TRUE(phones.insert(line.phone_number).second);
    EXPECT_EQ(line.phone_number.substr(3, 7), "-555-01");
  }
  for (const TelecomBill& bill : company().bills) EXPECT_TRUE(ids.insert(bill.id).second);
  for (const TelecomCustomer& customer : company().customers) {
    EXPECT_TRUE(ids.insert(customer.id).second);
    EXPECT_TRUE(customer.email.ends_with("@example.com"));
    // The contact's number is that of the first line, so that it finds this customer only.
    if (customer.lines.empty()) {
      EXPECT_TRUE(phones.insert(customer.phone_number).second);
    } else {
      EXPECT_EQ(customer.phone_number, company().lines[customer.lines.front()].phone_number);
    }
  }
}

TEST(TelecomDatabase, HoldsEveryState) {
  std::set<std::string> accounts, bills;
  std::set<LineStatus> lines;
  for (const TelecomCustomer& customer : company().customers) {
    accounts.insert(std::string(customer.status));
  }
  for (const TelecomLine& line : company().lines) lines.insert(line.status);
  for (const TelecomBill& bill : company().bills) bills.insert(std::string(bill.status));
  EXPECT_EQ(accounts,
            (std::set<std::string>{"Active", "Closed", "Pending Verification", "Suspended"}));
  EXPECT_EQ(lines.size(), 4U);
  EXPECT_EQ(bills, (std::set<std::string>{"Disputed", "Draft", "Issued", "Overdue", "Paid"}));
}

TEST(TelecomDatabase, CallersHaveWhatFaultsNeed) {
  ASSERT_GT(company().callers.size(), 100U);
  for (const CallersLine& caller : company().callers) {
    const TelecomCustomer& customer = company().customers[caller.customer];
    const TelecomLine& line = company().lines[caller.line];
    EXPECT_EQ(customer.status, "Active");
    EXPECT_EQ(line.status, LineStatus::active);
    EXPECT_GT(line.contract_end, "2025-12-31");
    EXPECT_LT(line.used, telecom_plans()[line.plan].limit);
    int drafts = 0;
    for (const std::size_t bill : customer.bills) {
      EXPECT_NE(company().bills[bill].status, "Overdue");
      EXPECT_NE(company().bills[bill].status, "Awaiting Payment");
      drafts += company().bills[bill].status == "Draft" ? 1 : 0;
    }
    EXPECT_EQ(drafts, 1);  // else extra data would be charged to a bill with a random id
  }
}

TEST(TelecomFault, EachBelongsToATroubleAndSetsDontOverlap) {
  std::set<Fault> all;
  for (const Trouble trouble :
       {Trouble::no_service, Trouble::mobile_data, Trouble::picture_messages}) {
    std::set<Fault> here;
    bool has_core = false;
    for (const FaultSet& set : fault_sets(trouble)) {
      has_core = has_core || set.is_core;
      for (const Fault fault : set.faults) {
        EXPECT_TRUE(here.insert(fault).second) << name_of(fault);
        all.insert(fault);
      }
    }
    EXPECT_TRUE(has_core);
  }
  EXPECT_EQ(all.size(), 23U);
}

TEST(TelecomFault, OneRestartDoesForAllAndComesLast) {
  const FaultCase about{"C1", "L1", "B1", 80, 20, 1};
  const std::array faults = {Fault::sim_card_loose, Fault::bill_overdue, Fault::apn_broken};
  const std::vector<DraftCall> calls = repair_calls(faults, about);
  std::vector<std::string> names;
  for (const DraftCall& call : calls) names.push_back(call.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"reseat_sim_card", "send_payment_request", "make_payment",
                                      "resume_line", "reset_apn_settings", "reboot_device"}));
}

std::vector<TelecomTask> tasks(Difficulty difficulty, std::uint32_t count = 300) {
  Result<std::vector<TelecomTask>> made = make_telecom_tasks(company(), count, difficulty, 7, {});
  EXPECT_TRUE(made.has_value());
  return made ? *made : std::vector<TelecomTask>();
}

bool is_handed_over(const TaskDraft& task) {
  return task.actions.size() == 1 && task.actions[0].name == "transfer_to_human_agents";
}

TEST(TelecomTasks, TinyOnesAreOneCallOfTheAgent) {
  for (const TelecomTask& task : tasks(Difficulty::tiny)) {
    ASSERT_EQ(task.draft.actions.size(), 1U) << task.draft.id;
    EXPECT_EQ(task.draft.actions[0].party, Party::agent);
    EXPECT_TRUE(task.has_one_fault);
    for (const DraftArgument& argument : task.draft.actions[0].arguments) {
      if (is_handed_over(task.draft) || argument.name == "gb_amount") continue;
      EXPECT_NE(task.draft.known_info.find(std::get<std::string>(argument.value)),
                std::string::npos);
    }
  }
}

TEST(TelecomTasks, EveryFaultAppearsAndDifficultyRaisesTheirNumber) {
  std::map<Difficulty, std::size_t> actions;
  std::string ids;
  for (const Difficulty difficulty : kDifficulties) {
    for (const TelecomTask& task : tasks(difficulty)) {
      actions[difficulty] += task.draft.actions.size();
      ids += task.draft.id + " ";
      EXPECT_EQ(task.has_one_fault, task.draft.id.find('+') == std::string::npos);
    }
  }
  EXPECT_LT(actions[Difficulty::tiny], actions[Difficulty::easy]);
  EXPECT_LT(actions[Difficulty::easy], actions[Difficulty::medium]);
  EXPECT_LT(actions[Difficulty::medium], actions[Difficulty::hard]);
  for (int fault = 0; fault < 23; ++fault) {
    const std::string name(name_of(static_cast<Fault>(fault)));
    EXPECT_NE(ids.find(name), std::string::npos) << name;
  }
}

TEST(TelecomTasks, WhatCantBeFixedIsHandedOver) {
  int handed_over = 0, personas = 0;
  for (const TelecomTask& task : tasks(Difficulty::medium)) {
    ASSERT_FALSE(task.draft.assertions.empty());
    if (task.draft.persona) ++personas;
    EXPECT_EQ(is_handed_over(task.draft), task.draft.actions_by_name);
    if (!is_handed_over(task.draft)) continue;
    ++handed_over;
    EXPECT_EQ(task.draft.reward, (std::vector{RewardPart::assertions, RewardPart::actions}));
  }
  EXPECT_GT(handed_over, 10);
  EXPECT_GT(personas, 100);
}

TEST(TelecomTasks, TooManyForASmallCompanyIsAnError) {
  const Result<std::vector<TelecomTask>> made =
      make_telecom_tasks(make_telecom_database(1, 3), 1000, Difficulty::tiny, 3, {});
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().code, ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace unmask::world::generated
