#include "unmask/simulate/models.h"

#include <string>

#include <gtest/gtest.h>

namespace unmask::simulate {
namespace {

TEST(Models, TheProjectsOwnAreThere) {
  ASSERT_NE(own_models().find_model("gemma-like-dense"), nullptr);
  EXPECT_FALSE(own_models().find_model("gemma-like-dense")->traits.invented.empty());
  ASSERT_NE(own_models().find_precision("bf16"), nullptr);
  EXPECT_EQ(own_models().find_precision("bf16")->margin_sd, 0.0);
  EXPECT_EQ(own_models().find_model("gpt"), nullptr);
}

TEST(Models, WhatIsLeftOutHasItsDefault) {
  const Result<Models> models = read_models("[[model]]\nname = \"m\"\nask_margin = 3\n", "f");
  ASSERT_TRUE(models);
  EXPECT_EQ(models->models[0].traits.ask_margin, 3.0);
  EXPECT_EQ(models->models[0].traits.recovery, ModelTraits().recovery);
}

TEST(Models, WhatIsWrongIsNamedWithItsLine) {
  const struct {
    const char* text;
    const char* words;
  } kCases[] = {
      {"[[model]]\nname = ", "line 2"},
      {"[[model]]\nname = \"m\"\nask_margn = 3\n", "`ask_margn` is not known here; known are name"},
      {"[[model]]\nname = \"m\"\nask_margin = \"3\"\n", "line 3: `ask_margin` must be a number"},
      {"[[model]]\nname = \"m\"\nrecovery = 1.5\n", "`recovery` must be a number from 0 to 1"},
      {"[[model]]\nname = \"m\"\ncontext_sd = nan\n",
       "`context_sd` must be a number of at least 0"},
      {"[[model]]\nask_margin = 3\n", "a model needs a `name`"},
      {"[[model]]\nname = \"m\"\n[[model]]\nname = \"m\"\n", "line 3: model `m` stands twice"},
      {"[[model]]\nname = 5\n", "`name` must be a text"},
      {"[[model]]\nname = \"m\"\ninvented = [\"x\"]\n", "{ name = "},
      {"[[precision]]\nname = \"p\"\nmargin_sd = -1\n", "of at least 0"},
      {"[[precision]]\nmargin_sd = 1\n", "a precision needs a `name`"},
      {"models = 3\n", "[[model]] and [[precision]]"},
  };
  for (const auto& each : kCases) {
    const Result<Models> models = read_models(each.text, "file.toml");
    ASSERT_FALSE(models) << each.text;
    EXPECT_NE(models.error().message.find(each.words), std::string::npos) << models.error().message;
    EXPECT_EQ(models.error().message.find("file.toml, line "), 0U) << models.error().message;
  }
}

}  // namespace
}  // namespace unmask::simulate
