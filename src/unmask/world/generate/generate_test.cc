#include "unmask/world/generate/generate.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/sha256.h"
#include "unmask/world/generate/indented_json.h"
#include "unmask/world/generate/own_world.h"
#include "unmask/world/world.h"

namespace unmask::world::generated {
namespace {

using Files = std::map<std::string, std::string>;

Files files_of(const WorldSettings& settings) {
  Files files;
  const Result<std::vector<GeneratedFile>> made = generate(settings);
  EXPECT_TRUE(made.has_value()) << (made ? "" : made.error().message);
  if (!made) return files;
  for (const GeneratedFile& file : *made) files[file.name] = file.bytes;
  EXPECT_EQ(files.size(), made->size());
  return files;
}

WorldSettings settings_of(GeneratedDomain domain, Difficulty difficulty = Difficulty::medium) {
  WorldSettings settings;
  settings.domain = domain;
  settings.tasks = 40;
  settings.seed = 7;
  settings.difficulty = difficulty;
  return settings;
}

constexpr std::string_view kRetail = "data/tau2/domains/retail/";
constexpr std::string_view kTelecom = "data/tau2/domains/telecom/";

std::string in(std::string_view folder, std::string_view name) {
  return std::string(folder) + std::string(name);
}

TEST(Generate, MakesTheFilesOfACheckout) {
  std::set<std::string> names;
  for (const auto& [name, bytes] : files_of(settings_of(GeneratedDomain::retail))) {
    names.insert(name);
    EXPECT_FALSE(bytes.empty()) << name;
  }
  for (const auto& [name, bytes] : files_of(settings_of(GeneratedDomain::telecom))) {
    names.insert(name);
    EXPECT_FALSE(bytes.empty()) << name;
  }
  EXPECT_EQ(
      names,
      (std::set<std::string>{
          in(kRetail, "db.json"), in(kRetail, "policy.md"), in(kRetail, "split_tasks.json"),
          in(kRetail, "tasks.json"), in(kTelecom, "db.toml"), in(kTelecom, "main_policy.md"),
          in(kTelecom, "main_policy_solo.md"), in(kTelecom, "split_tasks.json"),
          in(kTelecom, "tasks.json"), in(kTelecom, "tech_support_manual.md"),
          in(kTelecom, "tech_support_workflow.md"), in(kTelecom, "tech_support_workflow_solo.md"),
          in(kTelecom, "user_db.toml"), "data/tau2/user_simulator/simulation_guidelines.md",
          "data/tau2/user_simulator/simulation_guidelines_tools.md", "tool_descriptions.json"}));
}

TEST(Generate, SameSettingsGiveTheSameBytesAndAnotherSeedGivesOthers) {
  for (const GeneratedDomain domain : {GeneratedDomain::retail, GeneratedDomain::telecom}) {
    WorldSettings settings = settings_of(domain, Difficulty::hard);
    const Files first = files_of(settings);
    EXPECT_EQ(first, files_of(settings));
    settings.seed = 8;
    const Files other = files_of(settings);
    for (const std::string name : {"tasks.json", "split_tasks.json"}) {
      EXPECT_NE(first.at(domain_folder(domain) + name), other.at(domain_folder(domain) + name));
    }
  }
}

// A change of these is a change of every generated world: say so in CHANGELOG.md.
TEST(Generate, BytesAreThoseOfThisVersion) {
  const auto hash = [](const WorldSettings& settings) {
    std::string all;
    for (const auto& [name, bytes] : files_of(settings)) {
      if (name.ends_with("db.json") || name.ends_with("db.toml")) all += bytes;
    }
    return sha256_hex(all).substr(0, 16);
  };
  EXPECT_EQ(hash(settings_of(GeneratedDomain::retail)), "53b543ad99be8ead");
  EXPECT_EQ(hash(settings_of(GeneratedDomain::telecom)), "004223c0ef032ee4");
}

// With the manual a model may call a tool of the phone because it has read of it; with the workflow
// it has to invent the name. So the two make a comparison of what a policy tempts to.
TEST(Generate, TheManualNamesThePhonesToolsAndTheWorkflowNone) {
  const auto world = own_world("telecom", settings_of(GeneratedDomain::telecom));
  ASSERT_TRUE(world);
  const Files files = files_of(settings_of(GeneratedDomain::telecom));
  const std::string& manual = files.at(in(kTelecom, "tech_support_manual.md"));
  const std::string& workflow = files.at(in(kTelecom, "tech_support_workflow.md"));
  for (const world::Tool& tool : (*world)->setup().user->tools) {
    EXPECT_NE(manual.find("`" + tool.name + "`"), std::string::npos) << tool.name;
    EXPECT_EQ(workflow.find(tool.name), std::string::npos) << tool.name;
  }
}

TEST(Generate, AWorldWithMoreTasksBeginsWithTheSameOnes) {
  WorldSettings settings = settings_of(GeneratedDomain::retail);
  const std::string few_text = files_of(settings).at(in(kRetail, "tasks.json"));
  settings.tasks = 60;
  const std::string more_text = files_of(settings).at(in(kRetail, "tasks.json"));
  // All but the bracket that ends the list.
  EXPECT_EQ(few_text.substr(0, few_text.rfind('}')), more_text.substr(0, few_text.rfind('}')));
}

TEST(Generate, PolicyGoesByDifficultyUnlessAskedFor) {
  WorldSettings settings = settings_of(GeneratedDomain::retail, Difficulty::tiny);
  const std::string short_text = files_of(settings).at(in(kRetail, "policy.md"));
  settings.policy = PolicyLength::long_text;
  const std::string long_text = files_of(settings).at(in(kRetail, "policy.md"));
  EXPECT_LT(2 * short_text.size(), long_text.size());
  settings = settings_of(GeneratedDomain::retail, Difficulty::hard);
  EXPECT_EQ(files_of(settings).at(in(kRetail, "policy.md")), long_text);
  settings.policy = PolicyLength::short_text;
  EXPECT_EQ(files_of(settings).at(in(kRetail, "policy.md")), short_text);
}

TEST(Generate, SettingsOutOfRangeAreErrorsThatNameThem) {
  struct Case {
    WorldSettings settings;
    std::string_view says;
  };
  std::vector<Case> cases;
  WorldSettings settings = settings_of(GeneratedDomain::retail);
  settings.tasks = 0;
  cases.push_back({settings, "number of tasks"});
  settings = settings_of(GeneratedDomain::retail);
  settings.retail.products = 3;
  cases.push_back({settings, "number of products"});
  settings.retail.products = 1000;
  cases.push_back({settings, "number of products"});
  settings = settings_of(GeneratedDomain::retail);
  settings.retail.orders = 0;
  cases.push_back({settings, "number of orders"});
  settings = settings_of(GeneratedDomain::telecom);
  settings.telecom_customers = 0;
  cases.push_back({settings, "number of customers"});
  for (const Case& one : cases) {
    const Result<std::vector<GeneratedFile>> made = generate(one.settings);
    ASSERT_FALSE(made.has_value()) << one.says;
    EXPECT_EQ(made.error().code, ErrorCode::invalid_argument);
    EXPECT_NE(made.error().message.find(one.says), std::string::npos) << made.error().message;
  }
}

TEST(Generate, StopsWhenProgressSaysSo) {
  const Result<std::vector<GeneratedFile>> made =
      generate(settings_of(GeneratedDomain::telecom),
               [](std::uint32_t done, std::uint32_t /*total*/) { return done < 5; });
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().code, ErrorCode::interrupted);
}

TEST(IndentedJson, KeepsWhatFitsOnALineAndBreaksTheRest) {
  EXPECT_EQ(indented_json("{}"), "{}\n");
  EXPECT_EQ(indented_json("[]"), "[]\n");
  EXPECT_EQ(indented_json("7"), "7\n");
  EXPECT_EQ(indented_json(R"({"a":1,"b":[true,null]})"), "{\"a\": 1, \"b\": [true, null]}\n");
  EXPECT_EQ(indented_json(R"({"a":"x,y:{\"z\\"})"), "{\"a\": \"x,y:{\\\"z\\\\\"}\n");
  const std::string wide(95, 'w');
  EXPECT_EQ(indented_json(R"({"a":[1,2],"b":")" + wide + "\"}"),
            "{\n  \"a\": [1, 2],\n  \"b\": \"" + wide + "\"\n}\n");
  EXPECT_EQ(indented_json("[\"" + wide + "\",{\"c\":[]}]"),
            "[\n  \"" + wide + "\",\n  {\"c\": []}\n]\n");
}

}  // namespace
}  // namespace unmask::world::generated
