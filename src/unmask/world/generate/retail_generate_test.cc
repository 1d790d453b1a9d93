#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/world/generate/amount.h"
#include "unmask/world/generate/difficulty.h"
#include "unmask/world/generate/generate.h"
#include "unmask/world/generate/retail_catalog.h"
#include "unmask/world/generate/retail_database.h"
#include "unmask/world/generate/retail_tasks.h"
#include "unmask/world/generate/task_draft.h"

namespace unmask::world::generated {
namespace {

const RetailDatabase& shop() {
  static const RetailDatabase database = make_retail_database({}, 7);
  return database;
}

TEST(RetailCatalog, NamesAreUniqueAndEachKindHasEnoughVersions) {
  std::set<std::string> names;
  for (const ProductKind& kind : product_kinds()) {
    EXPECT_TRUE(names.insert(std::string(kind.name)).second) << kind.name;
    std::size_t versions = 1;
    for (const ProductOption& option : kind.options) versions *= option.values.size();
    EXPECT_GE(versions, 5U) << kind.name;
    EXPECT_LT(kind.least_price_dollars, kind.most_price_dollars) << kind.name;
  }
  EXPECT_GE(names.size(), RetailSizes().products);
}

TEST(RetailDatabase, HasTheSizesAskedFor) {
  const RetailDatabase small = make_retail_database({4, 2, 1}, 1);
  EXPECT_EQ(small.products.size(), 4U);
  EXPECT_EQ(small.users.size(), 2U);
  EXPECT_EQ(small.orders.size(), 1U);
  EXPECT_EQ(shop().products.size(), 50U);
  EXPECT_EQ(shop().users.size(), 500U);
  EXPECT_EQ(shop().orders.size(), 1000U);
}

TEST(RetailDatabase, IdsAreUniqueAndProductsDisjointFromItems) {
  std::set<std::string> ids;
  for (const RetailProduct& product : shop().products) {
    EXPECT_TRUE(ids.insert(product.id).second);
    for (const RetailItem& item : product.items) EXPECT_TRUE(ids.insert(item.id).second);
  }
  for (const RetailOrder& order : shop().orders) EXPECT_TRUE(ids.insert(order.id).second);
  for (const RetailUser& user : shop().users) {
    EXPECT_TRUE(ids.insert(user.id).second);
    for (const RetailPayment& payment : user.payments) EXPECT_TRUE(ids.insert(payment.id).second);
  }
}

TEST(RetailDatabase, VersionsOfAProductDifferInOptionsAndPrice) {
  for (const RetailProduct& product : shop().products) {
    std::set<Cents> prices;
    std::size_t available = 0;
    for (std::size_t i = 0; i < product.items.size(); ++i) {
      EXPECT_TRUE(prices.insert(product.items[i].price).second);
      EXPECT_GT(product.items[i].price, 0);
      if (product.items[i].available) ++available;
      for (std::size_t j = 0; j < i; ++j) {
        EXPECT_NE(product.items[i].options, product.items[j].options);
      }
    }
    EXPECT_GE(available, 2U);
  }
}

TEST(RetailDatabase, UsersCanBeToldApart) {
  std::set<std::string> emails;
  std::set<std::tuple<std::string, std::string, std::string>> people;
  for (const RetailUser& user : shop().users) {
    EXPECT_TRUE(user.email.ends_with("@example.com"));
    EXPECT_TRUE(emails.insert(user.email).second);
    EXPECT_TRUE(people.insert({user.name.first, user.name.last, user.address.zip}).second);
    EXPECT_FALSE(user.payments.empty());
    const auto gift_cards =
        std::ranges::count(user.payments, PaymentSource::gift_card, &RetailPayment::source);
    EXPECT_LE(gift_cards, 1);
    for (const RetailPayment& payment : user.payments) EXPECT_GE(payment.balance, 0);
  }
}

TEST(RetailDatabase, UsersListTheirOrdersAndNobodyElses) {
  std::size_t listed = 0, without = 0;
  for (std::size_t i = 0; i < shop().users.size(); ++i) {
    if (shop().users[i].orders.empty()) ++without;
    for (const std::size_t order : shop().users[i].orders) {
      EXPECT_EQ(shop().orders[order].user, i);
      ++listed;
    }
  }
  EXPECT_EQ(listed, shop().orders.size());
  EXPECT_GT(without, 0U);
}

TEST(RetailDatabase, OrdersComeInEveryStateAndFitTheCatalogAndTheirPayments) {
  std::map<OrderStatus, int> statuses;
  bool twice = false, two_of_a_product = false;
  for (const RetailOrder& order : shop().orders) {
    ++statuses[order.status];
    ASSERT_LT(order.payment, shop().users[order.user].payments.size());
    ASSERT_FALSE(order.items.empty());
    Cents sum = 0;
    for (const OrderedItem& item : order.items) {
      ASSERT_LT(item.product, shop().products.size());
      ASSERT_LT(item.item, shop().products[item.product].items.size());
      sum += shop().item(item).price;
      const auto same = std::ranges::count(order.items, item);
      const auto alike = std::ranges::count(order.items, item.product, &OrderedItem::product);
      twice = twice || same > 1;
      two_of_a_product = two_of_a_product || alike > same;
    }
    if (order.status != OrderStatus::pending_item_modified) {
      EXPECT_EQ(order.paid, sum);
    }
    const bool may_be_sent =
        order.status != OrderStatus::pending && order.status != OrderStatus::pending_item_modified;
    EXPECT_TRUE(may_be_sent || order.tracking_id.empty());
    EXPECT_EQ(order.wanted.has_value(), order.status == OrderStatus::exchange_requested);
  }
  EXPECT_EQ(statuses.size(), 7U);
  EXPECT_GT(statuses[OrderStatus::pending], 300);
  EXPECT_GT(statuses[OrderStatus::delivered], 300);
  EXPECT_TRUE(twice);
  EXPECT_TRUE(two_of_a_product);
}

std::vector<TaskDraft> tasks(Difficulty difficulty, std::uint32_t count = 200) {
  Result<std::vector<TaskDraft>> made = make_retail_tasks(shop(), count, difficulty, 7, {});
  EXPECT_TRUE(made.has_value());
  return made ? *made : std::vector<TaskDraft>();
}

bool is_read(const DraftCall& call) {
  return call.name.starts_with("find_") || call.name.starts_with("get_");
}

TEST(RetailTasks, TinyOnesAreOneWriteWithEveryArgumentInTheCustomersWords) {
  for (const TaskDraft& task : tasks(Difficulty::tiny)) {
    ASSERT_EQ(task.actions.size(), 1U) << task.id;
    EXPECT_FALSE(is_read(task.actions[0]));
    const std::string words = task.reason_for_call + task.known_info;
    for (const DraftArgument& argument : task.actions[0].arguments) {
      std::vector<std::string> values;
      if (const auto* text = std::get_if<std::string>(&argument.value)) values = {*text};
      if (const auto* list = std::get_if<std::vector<std::string>>(&argument.value)) values = *list;
      if (argument.name == "country" || argument.name == "reason") continue;
      for (const std::string& value : values) {
        EXPECT_NE(words.find(value), std::string::npos) << task.id << ": " << value;
      }
    }
  }
}

TEST(RetailTasks, DifficultyRaisesTheNumberOfWrites) {
  std::map<Difficulty, std::size_t> writes;
  for (const Difficulty difficulty : kDifficulties) {
    for (const TaskDraft& task : tasks(difficulty)) {
      for (const DraftCall& action : task.actions) writes[difficulty] += is_read(action) ? 0U : 1U;
    }
  }
  EXPECT_LE(writes[Difficulty::easy], writes[Difficulty::tiny]);  // some are refused
  EXPECT_GT(writes[Difficulty::medium], writes[Difficulty::easy]);
  EXPECT_GT(writes[Difficulty::hard], 2 * writes[Difficulty::easy]);
}

TEST(RetailTasks, SomeMustBeRefusedAndSomeHandedOver) {
  int refused = 0, handed_over = 0, told = 0;
  for (const TaskDraft& task : tasks(Difficulty::medium)) {
    const auto writes =
        std::ranges::count_if(task.actions, [](const DraftCall& call) { return !is_read(call); });
    if (writes == 0) ++refused;
    if (task.actions_by_name) {
      ++handed_over;
      ASSERT_EQ(task.actions.size(), 1U);
      EXPECT_EQ(task.actions[0].name, "transfer_to_human_agents");
      EXPECT_EQ(task.reward, (std::vector{RewardPart::database, RewardPart::actions}));
    }
    EXPECT_EQ(task.communicate.empty(),
              std::ranges::find(task.reward, RewardPart::communication) == task.reward.end());
    if (!task.communicate.empty()) ++told;
  }
  EXPECT_GT(refused, 5);
  EXPECT_GT(handed_over, 5);
  EXPECT_GT(told, 5);
}

TEST(RetailTasks, OneItemAtMostIsModifiedSoThatNoSequenceDecides) {
  for (const TaskDraft& task : tasks(Difficulty::hard)) {
    for (const DraftCall& action : task.actions) {
      if (action.name != "modify_pending_order_items") continue;
      EXPECT_EQ(std::get<std::vector<std::string>>(action.arguments[1].value).size(), 1U);
    }
  }
}

TEST(Amount, IsWrittenAsPythonAndAsPeopleWriteIt) {
  EXPECT_EQ(amount_digits(0), "0.0");
  EXPECT_EQ(amount_digits(7), "0.07");
  EXPECT_EQ(amount_digits(1250), "12.5");
  EXPECT_EQ(amount_digits(4600), "46.0");
  EXPECT_EQ(amount_text(1250), "$12.50");
  EXPECT_EQ(amount_text(5), "$0.05");
}

}  // namespace
}  // namespace unmask::world::generated
