#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "unmask/replay/episode_replay.h"
#include "unmask/replay/log_replay.h"
#include "unmask/report/json_values.h"
#include "unmask/report/producer.h"
#include "unmask/report/replay_rendering.h"

namespace unmask {
namespace {

using json_report::integer;
using json_report::Json;
using json_report::number;
using json_report::text_or_null;

Json episode_json(const replay::EpisodeName& name) {
  return {{"id", text_or_null(name.id)},
          {"task", text_or_null(name.task_id)},
          {"trial", integer(name.trial)}};
}

Json call_json(const replay::CallDifference& call) {
  return {{"call", call.call},           {"message", call.message},   {"tool", call.tool},
          {"arguments", call.arguments}, {"recorded", call.recorded}, {"replayed", call.replayed}};
}

Json groups_json(const replay::LogReplay& log) {
  Json groups = Json::array();
  for (const replay::DifferenceGroup& group : log.groups) {
    groups.push_back({{"cause", name_of(group.cause)},
                      {"known", text_or_null(group.known)},
                      {"tool", group.tool},
                      {"place", text_or_null(group.place)},
                      {"calls", group.calls},
                      {"episodes", group.episodes},
                      {"first_episode", episode_json(group.first_episode)},
                      {"first", call_json(group.first)}});
  }
  return groups;
}

Json check_json(const replay::PartCheck& check) {
  return {{"part", name_of(check.part)},
          {"what", text_or_null(check.what)},
          {"recorded", check.recorded},
          {"replayed", check.replayed}};
}

Json rewards_json(const replay::LogReplay& log) {
  Json json{{"recorded", log.rewards_recorded},
            {"compared", log.rewards_compared},
            {"equal", log.rewards_equal},
            {"not_evaluated", log.not_evaluated},
            {"raised", log.raised}};
  Json parts = Json::object();
  for (std::size_t i = 0; i < replay::kPartCount; ++i) {
    const replay::PartCount& part = log.parts.at(i);
    parts[std::string(name_of(static_cast<replay::Part>(i)))] = {
        {"compared", part.compared}, {"equal", part.equal}, {"other_number", part.other_number}};
  }
  json["parts"] = std::move(parts);
  Json differences = Json::array();
  for (const replay::RewardDifference& difference : log.reward_differences) {
    Json checks = Json::array();
    for (const replay::PartCheck& check : difference.reward.checks)
      checks.push_back(check_json(check));
    differences.push_back({{"episode", episode_json(difference.episode)},
                           {"recorded", number(difference.reward.recorded)},
                           {"replayed", number(difference.reward.replayed)},
                           {"raised", text_or_null(difference.reward.raised)},
                           {"checks", std::move(checks)},
                           {"call_differences", difference.call_differences}});
  }
  json["differences"] = std::move(differences);
  return json;
}

Json log_json(const replay::LogReplay& log) {
  Json json{{"file", log.file},
            {"domain", log.domain},
            {"data", log.data_source},
            {"solo", log.solo},
            {"episodes",
             {{"recorded", log.episodes},
              {"replayed", log.replayed},
              {"equal", log.equal_episodes},
              {"judged_as_other_task", log.judged_as_other},
              {"not_replayed", log.not_replayed}}}};
  Json causes = Json::object();
  for (std::size_t i = 0; i < replay::kCauseCount; ++i)
    causes[std::string(name_of(static_cast<replay::Cause>(i)))] = log.causes.at(i);
  json["calls"] = {{"recorded", log.calls},        {"compared", log.compared},
                   {"differ", log.differing},      {"unanswered", log.unanswered},
                   {"unreadable", log.unreadable}, {"equal_as_values_only", log.other_text},
                   {"causes", std::move(causes)}};
  Json reads = Json::array();
  for (const replay::ReadCount& read : log.first_reads)
    reads.push_back({{"tool", read.tool}, {"reads", read.reads}, {"differ", read.differ}});
  json["data_version"] = {{"verdict", name_of(log.data)}, {"first_reads", std::move(reads)}};
  json["differences"] = groups_json(log);
  json["rewards"] = rewards_json(log);
  return json;
}

}  // namespace

std::string replay_json(std::span<const replay::LogReplay> logs, const Producer& producer) {
  Json json{{"schema", "unmask.replay/1"}, {"unmask", json_report::producer(producer)}};
  Json entries = Json::array();
  for (const replay::LogReplay& log : logs) entries.push_back(log_json(log));
  json["logs"] = std::move(entries);
  return json_report::document(json);
}

}  // namespace unmask
