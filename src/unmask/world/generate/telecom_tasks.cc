#include "unmask/world/generate/telecom_tasks.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/base/joined.h"
#include "unmask/base/rng.h"
#include "unmask/world/generate/amount.h"
#include "unmask/world/generate/difficulty.h"
#include "unmask/world/generate/pick.h"
#include "unmask/world/generate/task_draft.h"
#include "unmask/world/generate/task_id.h"
#include "unmask/world/generate/telecom_database.h"
#include "unmask/world/generate/telecom_fault.h"

namespace unmask::world::generated {
namespace {

constexpr std::uint64_t kMostAttempts = 4096;

/// How sure of themselves callers are.
enum class Caller : std::uint8_t { plain, confident, unsure };

constexpr std::array<std::string_view, 3> kConfident = {
    "You are a 34-year-old surveyor who is on the phone all day. You find your way through "
    "settings "
    "quickly, use the right words for them, and say at once what you see. You like instructions to "
    "be short, and tell the agent when a step changed nothing.",
    "You are a 27-year-old radio presenter. You know your phone well, though not how networks work "
    "inside. You do what is asked without comment, report the result in a sentence, and are "
    "friendly throughout.",
    "You are a 45-year-old piano tuner. You are patient and exact: you repeat each step in your "
    "own "
    "words before you do it, and say afterwards what the screen shows."};

constexpr std::array<std::string_view, 3> kUnsure = {
    "You are a 71-year-old beekeeper. You use your phone for calls and for photos of your hives. "
    "Words like APN or roaming mean nothing to you, and you ask what they are. You tell only what "
    "you are asked, one thing at a time, and worry about breaking something.",
    "You are a 58-year-old puppeteer who never wanted a phone with a screen. You lose the thread "
    "when a message holds more than one instruction, and then do only the first. You need to hear "
    "that all is well before you go on.",
    "You are a 66-year-old baker, up since two in the morning. You answer beside the point, fear "
    "for your photos whenever something is to be switched off, and want each step explained in "
    "plain words before you take it."};

constexpr std::array<std::string_view, 8> kCountries = {"Portugal", "Norway", "Japan",  "Chile",
                                                        "Ireland",  "Greece", "Canada", "Vietnam"};

constexpr std::array<std::string_view, 4> kSince = {"since this morning", "since yesterday evening",
                                                    "for the past two days", "for about an hour"};

struct TelecomPlot {
  Trouble trouble = Trouble::no_service;
  std::vector<Fault> faults;  ///< ascending
  CallersLine who;
  FaultCase about;
  Caller caller = Caller::plain;
  std::string_view country;
  std::string_view since;

  [[nodiscard]] bool fixable() const { return std::ranges::all_of(faults, is_fixable); }
  [[nodiscard]] bool abroad() const { return std::ranges::any_of(faults, is_abroad); }
  [[nodiscard]] bool has(Fault fault) const {
    return std::ranges::find(faults, fault) != faults.end();
  }
};

struct Counts {
  std::int64_t least = 1;
  std::int64_t most = 1;
  double unfixable = 0.0;  ///< share of tasks
};

Counts counts_of(Difficulty difficulty) {
  switch (difficulty) {
    case Difficulty::tiny:
      return {1, 1, 0.25};
    case Difficulty::easy:
      return {1, 1, 0.1};
    case Difficulty::medium:
      return {2, 4, 0.12};
    case Difficulty::hard:
      return {4, 7, 0.15};
  }
  return {};
}

std::vector<Fault> options(const FaultSet& set, bool fixable) {
  std::vector<Fault> fitting;
  for (const Fault fault : set.faults) {
    if (is_fixable(fault) == fixable) fitting.push_back(fault);
  }
  return fitting;
}

/// Faults from different sets, at least one of a core set; with `unfixable` exactly one that can't
/// be removed.
std::vector<Fault> draw_faults(Rng& rng, Trouble trouble, std::int64_t count, bool unfixable) {
  const std::span<const FaultSet> sets = fault_sets(trouble);
  std::vector<std::size_t> order(sets.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  rng.shuffle(std::span(order));
  std::vector<Fault> faults;
  bool needs_unfixable = unfixable;
  bool has_core = false;
  for (const std::size_t index : order) {
    if (static_cast<std::int64_t>(faults.size()) == count) break;
    std::vector<Fault> fitting;
    if (needs_unfixable) fitting = options(sets[index], false);
    if (fitting.empty()) {
      // The last place is kept for what is still missing.
      if (needs_unfixable && static_cast<std::int64_t>(faults.size()) + 1 == count) continue;
      fitting = options(sets[index], true);
      if (fitting.empty()) continue;
    } else {
      needs_unfixable = false;
    }
    faults.push_back(pick(rng, fitting));
    has_core = has_core || sets[index].is_core;
  }
  if (needs_unfixable || !has_core) return {};
  std::ranges::sort(faults);
  return faults;
}

/// Faults that one call of the agent settles, or that only a human can.
std::vector<Fault> draw_tiny_fault(Rng& rng, Trouble& trouble, bool unfixable) {
  constexpr std::array kFixable = {Fault::abroad_line_roaming_off, Fault::data_used_up};
  constexpr std::array kUnfixable = {Fault::sim_pin_locked, Fault::sim_puk_locked,
                                     Fault::refuel_limit_reached};
  const Fault fault = unfixable ? pick(rng, kUnfixable) : pick(rng, kFixable);
  const bool locked = fault == Fault::sim_pin_locked || fault == Fault::sim_puk_locked;
  trouble = locked ? Trouble::no_service : Trouble::mobile_data;
  return {fault};
}

TelecomPlot draw_plot(Rng& rng, const TelecomDatabase& database, Difficulty difficulty) {
  constexpr std::array<double, kTroubles> kShares = {0.25, 0.4, 0.35};
  TelecomPlot plot;
  plot.trouble = static_cast<Trouble>(rng.weighted(kShares));
  const Counts counts = counts_of(difficulty);
  const bool unfixable = rng.bernoulli(counts.unfixable);
  if (difficulty == Difficulty::tiny) {
    plot.faults = draw_tiny_fault(rng, plot.trouble, unfixable);
  } else {
    plot.faults =
        draw_faults(rng, plot.trouble, draw_between(rng, counts.least, counts.most), unfixable);
  }
  plot.who = pick(rng, database.callers);
  const TelecomLine& line = database.lines[plot.who.line];
  plot.about.customer_id = database.customers[plot.who.customer].id;
  plot.about.line_id = line.id;
  plot.about.bill_id = "B" + std::to_string(900000 + rng.below(100000));
  plot.about.limit = telecom_plans()[line.plan].limit;
  plot.about.refuel = 5 * draw_between(rng, 2, 10);
  plot.about.overrun = draw_between(rng, 1, plot.about.refuel - 1);
  if (difficulty >= Difficulty::medium) plot.caller = static_cast<Caller>(rng.below(3));
  plot.country = pick(rng, kCountries);
  plot.since = pick(rng, kSince);
  return plot;
}

std::string gb_text(TenthsOfGb volume) {
  return std::to_string(volume / 10) + "." + std::to_string(volume % 10) + " GB";
}

std::string complaint(const TelecomPlot& plot) {
  const std::string since = std::string(plot.since) + ".";
  switch (plot.trouble) {
    case Trouble::no_service:
      return "Your phone has had no signal " + since + " You can neither call nor be called.";
    case Trouble::mobile_data:
      return "The mobile internet on your phone has been useless " + since +
             " Pages load very slowly or not at all. You want it to be fast again.";
    case Trouble::picture_messages:
      return "You have not been able to send a picture with your messaging app " + since +
             " Text that you typed stays where it is, too. You want picture messages to work "
             "again.";
  }
  return {};
}

std::string tiny_complaint(const TelecomPlot& plot) {
  const std::string line = "line " + plot.about.line_id;
  if (plot.has(Fault::abroad_line_roaming_off)) {
    return "You are in " + std::string(plot.country) +
           ". Roaming is switched on in your phone, but mobile data don't work, because your line "
           "is not enabled for roaming. You want roaming to be enabled for " +
           line + ".";
  }
  if (plot.has(Fault::data_used_up)) {
    return "Your mobile data are used up. You want to buy " + gb_text(plot.about.refuel) +
           " of extra data for " + line + ".";
  }
  if (plot.has(Fault::refuel_limit_reached)) {
    return "Your mobile data are used up although you have already bought " +
           gb_text(kRefuelLimit) +
           " of extra data this month, which is the most that is allowed. "
           "You want even more for " +
           line + ".";
  }
  return std::string("Your phone says that the SIM card is locked and asks for a ") +
         (plot.has(Fault::sim_pin_locked) ? "PIN" : "PUK") + ", which you don't know.";
}

/// How the customer knows that the trouble is over.
struct SolvedSign {
  std::string_view tool;
  std::string_view contains;  ///< in the tool's result; empty: it doesn't contain `lacks`
  std::string_view lacks;
  std::string_view words;
};

SolvedSign solved_sign(Trouble trouble) {
  switch (trouble) {
    case Trouble::no_service:
      return {"check_status_bar", "", "No Signal", "the status bar shows a signal"};
    case Trouble::mobile_data:
      return {"run_speed_test", "Excellent", "", "a speed test calls the connection excellent"};
    case Trouble::picture_messages:
      return {"can_send_mms", "can send", "", "the phone says that picture messages can be sent"};
  }
  return {};
}

std::string instructions(const TelecomPlot& plot, Difficulty difficulty) {
  std::string text;
  if (difficulty == Difficulty::tiny) {
    text = "Say all of it, with the ids, in your first message. ";
  } else {
    text =
        "Do what the agent asks on your phone, one step at a time, with the tool for it. If a step "
        "changes nothing, say so. ";
  }
  text +=
      "Whatever you say about your phone must come from a tool's result that you got just "
      "before; look again after each change. ";
  text += "For you it is settled when " + std::string(solved_sign(plot.trouble).words) + ". ";
  if (plot.trouble != Trouble::no_service) {
    text += "If the agent offers extra data, you buy " + gb_text(plot.about.refuel) +
            " and neither more nor less; you don't want another plan. ";
  }
  if (plot.trouble == Trouble::no_service) {
    text += "If the agent asks you to pay a bill, you agree and pay it. ";
  }
  text += "If the agent passes you on to a human, you accept that.";
  return text;
}

std::string ticket(const TelecomPlot& plot, const TelecomCustomer& customer,
                   const TelecomLine& line) {
  std::string text = "Customer " + customer.name.first + " " + customer.name.last + ", phone " +
                     line.phone_number + ", now " +
                     (plot.abroad() ? "abroad in " + std::string(plot.country) : "at home") + ". ";
  switch (plot.trouble) {
    case Trouble::no_service:
      text += "The phone has no signal. The customer will pay any overdue bill. ";
      break;
    case Trouble::mobile_data:
      text += "Mobile internet is slow or dead. ";
      break;
    case Trouble::picture_messages:
      text += "Picture messages can't be sent. ";
      break;
  }
  if (plot.trouble != Trouble::no_service) {
    text += "The customer would buy " + gb_text(plot.about.refuel) +
            " of extra data, no more and no less, and keeps the plan. ";
  }
  text += "Settled when " + std::string(solved_sign(plot.trouble).words) + ".";
  return text;
}

std::string facts_of(const TelecomPlot& plot, const TelecomCustomer& customer,
                     const TelecomLine& line) {
  std::vector<std::string> faults;
  for (const Fault fault : plot.faults) faults.emplace_back(name_of(fault));
  const SolvedSign sign = solved_sign(plot.trouble);
  return "\"customer\":" +
         arguments_json({{"customer_id", customer.id},
                         {"full_name", customer.name.first + " " + customer.name.last},
                         {"date_of_birth", customer.birthday},
                         {"phone_number", line.phone_number},
                         {"line_id", line.id}}) +
         ",\"trouble\":" +
         arguments_json({{"kind", std::string(name_of(plot.trouble))},
                         {"faults", faults},
                         {"fixable", plot.fixable()},
                         {"abroad", plot.abroad()}}) +
         ",\"accepts\":" +
         arguments_json({{"extra_data_gb", gigabytes(plot.about.refuel)},
                         {"paying_bills", true},
                         {"another_plan", false}}) +
         ",\"settled_when\":" +
         arguments_json({{"tool", std::string(sign.tool)},
                         {"contains", std::string(sign.contains)},
                         {"lacks", std::string(sign.lacks)}});
}

TaskDraft write_task(Rng& rng, const TelecomDatabase& database, const TelecomPlot& plot,
                     Difficulty difficulty) {
  const TelecomCustomer& customer = database.customers[plot.who.customer];
  const TelecomLine& line = database.lines[plot.who.line];
  const std::string name = customer.name.first + " " + customer.name.last;
  TaskDraft task;
  std::vector<std::string_view> names;
  for (const Fault fault : plot.faults) names.push_back(name_of(fault));
  task.id = std::string(name_of(plot.trouble)) + ":" + joined(names, "+");
  task.purpose = "Trouble with " + std::string(name_of(plot.trouble)) + ", caused by " +
                 joined(names, ", ") + ".";
  if (plot.caller == Caller::confident) task.persona = std::string(pick(rng, kConfident));
  if (plot.caller == Caller::unsure) task.persona = std::string(pick(rng, kUnsure));
  const bool tiny = difficulty == Difficulty::tiny;
  task.reason_for_call = tiny ? tiny_complaint(plot) : complaint(plot);
  task.known_info = "You are " + name + ", and your phone number is " + line.phone_number + ".";
  if (tiny) {
    task.known_info +=
        " Your customer id is " + customer.id + ", the id of your line " + line.id + ".";
  }
  task.known_info += plot.abroad() ? " You are abroad, in " + std::string(plot.country) + "."
                                   : std::string(" You are at home.");
  task.task_instructions = instructions(plot, difficulty);
  task.ticket = ticket(plot, customer, line);
  task.initial.push_back(
      {Party::user, "set_user_info", {{"name", name}, {"phone_number", line.phone_number}}});
  for (DraftCall& call : fault_calls(plot.faults, plot.about)) {
    task.initial.push_back(std::move(call));
  }
  task.assertions = outcome_assertions(plot.trouble, plot.faults, plot.about);
  task.reward = {RewardPart::assertions};
  if (plot.fixable()) {
    task.actions = repair_calls(plot.faults, plot.about);
  } else {
    task.actions.push_back({Party::agent,
                            "transfer_to_human_agents",
                            {DraftArgument{"summary", std::string("beyond what I may do")}}});
    task.actions_by_name = true;
    task.reward.push_back(RewardPart::actions);
  }
  task.facts = facts_of(plot, customer, line);
  return task;
}

/// What tells tasks apart. Amounts count only where they make a difference.
std::string signature(const TelecomPlot& plot) {
  std::string text = plot.about.line_id + " " + std::to_string(static_cast<int>(plot.trouble)) +
                     " " + std::to_string(static_cast<int>(plot.caller));
  for (const Fault fault : plot.faults) text.append(" ").append(name_of(fault));
  if (plot.has(Fault::data_used_up)) text += " " + std::to_string(plot.about.refuel);
  return text;
}

}  // namespace

Result<std::vector<TelecomTask>> make_telecom_tasks(const TelecomDatabase& database,
                                                    std::uint32_t count, Difficulty difficulty,
                                                    std::uint64_t seed,
                                                    const TaskProgress& progress) {
  std::vector<TelecomTask> tasks;
  std::set<std::string> known;
  for (std::uint32_t number = 0; number < count; ++number) {
    if (progress && !progress(number, count)) return fail(ErrorCode::interrupted, "interrupted");
    bool found = false;
    for (std::uint64_t attempt = 0; attempt < kMostAttempts && !found; ++attempt) {
      Rng rng(seed, "telecom task", number * kMostAttempts + attempt);
      const TelecomPlot plot = draw_plot(rng, database, difficulty);
      if (plot.faults.empty() || !known.insert(signature(plot)).second) continue;
      TelecomTask task{write_task(rng, database, plot, difficulty), plot.faults.size() == 1};
      task.draft.id = numbered_id(number, count, task.draft.id);
      tasks.push_back(std::move(task));
      found = true;
    }
    if (!found) {
      return fail(ErrorCode::invalid_argument,
                  "a company of " + std::to_string(database.customers.size()) +
                      " customers is too small for " + std::to_string(count) +
                      " different tasks: ask for fewer tasks or more customers");
    }
  }
  return tasks;
}

}  // namespace unmask::world::generated
