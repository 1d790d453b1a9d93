#include "unmask/world/generate/retail_tasks.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/base/joined.h"
#include "unmask/base/rng.h"
#include "unmask/json/json_text.h"
#include "unmask/world/generate/difficulty.h"
#include "unmask/world/generate/errand.h"
#include "unmask/world/generate/person.h"
#include "unmask/world/generate/pick.h"
#include "unmask/world/generate/retail_database.h"
#include "unmask/world/generate/retail_request.h"
#include "unmask/world/generate/task_draft.h"
#include "unmask/world/generate/task_id.h"

namespace unmask::world::generated {
namespace {

constexpr std::uint64_t kMostAttempts = 4096;

/// What a conversation is to hold: kinds, one of which is drawn for each place.
using Plan = std::vector<std::vector<RequestKind>>;

const std::vector<RequestKind>& plain() {
  static const std::vector<RequestKind> kinds(kPlainRequests.begin(), kPlainRequests.end());
  return kinds;
}

const std::vector<RequestKind>& refused() {
  static const std::vector<RequestKind> kinds(kRefusedRequests.begin(), kRefusedRequests.end());
  return kinds;
}

Plan draw_plan(Rng& rng, Difficulty difficulty) {
  Plan plan;
  switch (difficulty) {
    case Difficulty::tiny:
      return {plain()};
    case Difficulty::easy:
      if (rng.bernoulli(0.07)) return {{RequestKind::hand_over}};
      return {rng.bernoulli(0.15) ? refused() : plain()};
    case Difficulty::medium:
      if (rng.bernoulli(0.07)) return {{RequestKind::hand_over}};
      plan.assign(static_cast<std::size_t>(draw_between(rng, 1, 3)), plain());
      if (rng.bernoulli(0.2)) plan.back() = refused();
      break;
    case Difficulty::hard:
      plan.assign(static_cast<std::size_t>(draw_between(rng, 2, 4)), plain());
      if (rng.bernoulli(0.5)) plan[0] = {RequestKind::several_changes};
      if (rng.bernoulli(0.35)) plan[1] = {RequestKind::return_or_exchange};
      if (rng.bernoulli(0.35)) plan.push_back(refused());
      break;
  }
  return plan;
}

/// The customer's requests; empty if this customer can't have what the plan asks for.
std::vector<RetailRequest> draw_requests(Rng& rng, Errand& errand, const Plan& plan) {
  std::vector<RetailRequest> requests;
  for (const std::vector<RequestKind>& kinds : plan) {
    std::optional<RetailRequest> request = make_request(pick(rng, kinds), errand, rng);
    if (!request) return {};
    requests.push_back(std::move(*request));
  }
  return requests;
}

constexpr std::array<std::string_view, 8> kManners = {
    "You are friendly and answer in one or two sentences.",
    "You are in a hurry and write short messages.",
    "You are polite, a little formal, and thank the agent for each step.",
    "You are relaxed and make a small joke now and then.",
    "You are careful and want to be sure that nothing is forgotten.",
    "You are tired after a long day and want this done without detours.",
    "You write in plain words and don't know the terms of online shops.",
    "You are curious and ask once what happens next."};

constexpr std::array<std::string_view, 6> kPersonas = {
    "You run a small bakery and deal with messages between two batches of bread.",
    "You are a retired ferry captain who likes things to be said in the right order.",
    "You are a student who shares a flat with four others and half of their parcels.",
    "You restore old clocks for a living and notice every detail.",
    "You work nights in a hospital laundry and are just about to go to bed.",
    "You look after three small children, who interrupt you all the time."};

/// Whether the agent finds the customer by e-mail; otherwise by name and postal code.
struct Identity {
  bool by_email = true;
};

void write_identity(TaskDraft& task, const RetailUser& user, Difficulty difficulty,
                    Identity identity) {
  task.known_info = "You are " + user.name.first + " " + user.name.last;
  if (difficulty == Difficulty::tiny) {
    task.known_info += ". Your user id is " + user.id + ".";
  } else if (identity.by_email) {
    task.known_info += ". Your e-mail address is " + user.email + ".";
  } else {
    task.known_info += ". Your postal code is " + user.address.zip + ".";
    task.unknown_info = "You don't remember which e-mail address you gave to the shop.";
  }
}

DraftCall identification(const RetailUser& user, Identity identity) {
  if (identity.by_email) {
    return {Party::agent, "find_user_id_by_email", {DraftArgument{"email", user.email}}};
  }
  return {
      Party::agent,
      "find_user_id_by_name_zip",
      {{"first_name", user.name.first}, {"last_name", user.name.last}, {"zip", user.address.zip}}};
}

std::string facts_of(const RetailUser& user, const std::vector<RetailRequest>& requests) {
  std::string text = "\"customer\":" + arguments_json({{"user_id", user.id},
                                                       {"first_name", user.name.first},
                                                       {"last_name", user.name.last},
                                                       {"email", user.email},
                                                       {"zip", user.address.zip}});
  text += ",\"requests\":";
  json::JsonText out(text);
  out.begin_array();
  for (const RetailRequest& request : requests) {
    const bool hand_over = request.kind == RequestKind::hand_over;
    out.begin_object();
    out.key("kind").string(name_of(request.kind));
    out.key("outcome").string(request.writes.empty() ? "refused"
                              : hand_over            ? "handed over"
                                                     : "granted");
    out.key("words").string(request.wish + request.condition);
    out.key("facts").raw(arguments_json(request.facts));
    out.key("calls").begin_array();
    for (const DraftCall& write : request.writes) {
      out.begin_object().key("name").string(write.name);
      out.key("arguments").raw(arguments_json(write.arguments)).end_object();
    }
    out.end_array().end_object();
  }
  out.end_array();
  return text;
}

void write_actions(TaskDraft& task, const RetailUser& user, Difficulty difficulty,
                   Identity identity, const std::vector<RetailRequest>& requests) {
  const bool hand_over = requests.front().kind == RequestKind::hand_over;
  // Where actions decide the reward, and where one call is all, reads are nobody's business.
  const bool with_reads = !hand_over && difficulty != Difficulty::tiny;
  if (with_reads) {
    task.actions.push_back(identification(user, identity));
    task.actions.push_back({Party::agent, "get_user_details", {DraftArgument{"user_id", user.id}}});
  }
  task.reward = {RewardPart::database};
  for (const RetailRequest& request : requests) {
    if (with_reads) {
      task.actions.insert(task.actions.end(), request.reads.begin(), request.reads.end());
    }
    task.actions.insert(task.actions.end(), request.writes.begin(), request.writes.end());
    task.communicate.insert(task.communicate.end(), request.communicate.begin(),
                            request.communicate.end());
  }
  if (hand_over) {
    task.actions_by_name = true;
    task.reward.push_back(RewardPart::actions);
  }
  if (!task.communicate.empty()) task.reward.push_back(RewardPart::communication);
}

constexpr std::array<std::string_view, 5> kOrdinals = {"first", "second", "third", "fourth",
                                                       "fifth"};

TaskDraft write_task(Rng& rng, const RetailUser& user, Difficulty difficulty,
                     const std::vector<RetailRequest>& requests) {
  TaskDraft task;
  const Identity identity{rng.bernoulli(0.5)};
  std::vector<std::string> kinds;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    kinds.emplace_back(name_of(requests[i].kind));
    if (requests.size() > 1)
      task.reason_for_call.append("Your ").append(kOrdinals.at(i)).append(" wish: ");
    task.reason_for_call += requests[i].wish;
    if (requests[i].condition.empty()) continue;
    if (requests.size() > 1) {
      task.task_instructions.append("About your ").append(kOrdinals.at(i)).append(" wish: ");
    }
    task.task_instructions += requests[i].condition;
  }
  task.purpose = "Customer wants: " + listed(kinds) + ".";
  task.reason_for_call.pop_back();  // the last blank
  task.task_instructions = std::string(pick(rng, kManners)) + " " + task.task_instructions;
  task.task_instructions += difficulty <= Difficulty::easy
                                ? "Say everything in your first message. "
                                : "Bring up one request after the other. ";
  task.task_instructions +=
      "When the agent sums up what it is about to do and it is what you want, say yes. Don't make "
      "up anything that is not written here.";
  if (difficulty == Difficulty::hard) task.persona = std::string(pick(rng, kPersonas));
  write_identity(task, user, difficulty, identity);
  write_actions(task, user, difficulty, identity, requests);
  task.facts = facts_of(user, requests);
  task.id = joined(kinds, "+");
  return task;
}

/// What tells tasks apart: the customer and what is to be done or refused.
std::string signature(const RetailUser& user, const std::vector<RetailRequest>& requests) {
  std::string text = user.id;
  for (const RetailRequest& request : requests) {
    text += '\n';
    text += name_of(request.kind);
    text += arguments_json(request.facts);
    for (const DraftCall& write : request.writes) text += call_text(write);
    if (request.writes.empty()) text += request.wish;
  }
  return text;
}

}  // namespace

Result<std::vector<TaskDraft>> make_retail_tasks(const RetailDatabase& database,
                                                 std::uint32_t count, Difficulty difficulty,
                                                 std::uint64_t seed, const TaskProgress& progress) {
  std::vector<TaskDraft> tasks;
  std::set<std::string> known;
  for (std::uint32_t number = 0; number < count; ++number) {
    if (progress && !progress(number, count)) return fail(ErrorCode::interrupted, "interrupted");
    bool found = false;
    for (std::uint64_t attempt = 0; attempt < kMostAttempts && !found; ++attempt) {
      Rng rng(seed, "retail task", number * kMostAttempts + attempt);
      const std::size_t user = pick(rng, database.orders).user;
      Errand errand(database, user, difficulty);
      const std::vector<RetailRequest> requests =
          draw_requests(rng, errand, draw_plan(rng, difficulty));
      if (requests.empty() || !known.insert(signature(database.users[user], requests)).second) {
        continue;
      }
      tasks.push_back(write_task(rng, database.users[user], difficulty, requests));
      tasks.back().id = numbered_id(number, count, tasks.back().id);
      found = true;
    }
    if (!found) {
      return fail(ErrorCode::invalid_argument,
                  "a shop of " + std::to_string(database.orders.size()) +
                      " orders is too small for " + std::to_string(count) +
                      " different tasks: ask for fewer tasks or more orders");
    }
  }
  return tasks;
}

}  // namespace unmask::world::generated
