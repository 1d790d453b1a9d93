#include "unmask/local/token_tree.h"

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/local/fake_fixtures.h"
#include "unmask/local/language_model.h"

namespace unmask::local {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

using Sequences = std::vector<std::vector<Token>>;

TEST(TokenTree, HasNothingWhereNothingStandsBetween) {
  EXPECT_THAT(tree_before_each({}).tokens, IsEmpty());
  // One token each, one sequence empty: all are told by what follows the text.
  const TokenTree tree = tree_before_each(Sequences{{7}, {8}, {}});
  EXPECT_THAT(tree.tokens, IsEmpty());
  EXPECT_THAT(tree.places, ElementsAre(ElementsAre(0), ElementsAre(0), IsEmpty()));
}

TEST(TokenTree, SharesWhatSequencesBeginWith) {
  // The last one begins another, the one before it is there twice.
  const TokenTree tree =
      tree_before_each(Sequences{{1, 2, 3, 9}, {5, 9}, {1, 2, 4, 9}, {1, 2, 4, 9}, {1, 2}});
  EXPECT_THAT(tree.tokens, ElementsAre(TreeToken{1, 0}, TreeToken{2, 1}, TreeToken{3, 2},
                                       TreeToken{5, 0}, TreeToken{4, 2}));
  EXPECT_THAT(tree.places,
              ElementsAre(ElementsAre(0, 1, 2, 3), ElementsAre(0, 4), ElementsAre(0, 1, 2, 5),
                          ElementsAre(0, 1, 2, 5), ElementsAre(0, 1)));
}

TEST(TokenTree, IsOnePartWhereItFits) {
  const TokenTree tree = tree_before_each(Sequences{{1, 2, 3, 9}, {5, 9}, {1, 2, 4, 9}});
  const std::vector<TreePart> parts = parts_of(tree.tokens, 8, 64);
  ASSERT_THAT(parts, SizeIs(1));
  EXPECT_EQ(parts[0].branches, 3U);
  // Branch by branch, though 5 came before 4.
  EXPECT_THAT(parts[0].tokens,
              ElementsAre(PartToken{0, 0, 0, 2}, PartToken{1, 1, 0, 2}, PartToken{2, 2, 0, 1},
                          PartToken{4, 2, 1, 2}, PartToken{3, 0, 2, 3}));
  EXPECT_THAT(parts_of({}, 8, 64), IsEmpty());
}

TEST(TokenTree, IsCutIntoWholeBranches) {
  const TokenTree tree = tree_before_each(Sequences{{1, 2, 3, 9}, {1, 2, 4, 9}, {1, 2, 6, 7, 9}});
  const auto counts = [](const std::vector<TreePart>& parts) {
    std::vector<std::pair<std::size_t, std::size_t>> all;
    all.reserve(parts.size());
    for (const TreePart& part : parts) all.emplace_back(part.branches, part.tokens.size());
    return all;
  };
  using Counts = std::vector<std::pair<std::size_t, std::size_t>>;
  EXPECT_EQ(counts(parts_of(tree.tokens, 2, 64)), (Counts{{2, 4}, {1, 4}}));
  EXPECT_EQ(counts(parts_of(tree.tokens, 64, 4)), (Counts{{2, 4}, {1, 4}}));
  EXPECT_EQ(counts(parts_of(tree.tokens, 64, 1)), (Counts{{1, 3}, {1, 3}, {1, 4}}));
  const std::vector<TreePart> parts = parts_of(tree.tokens, 1, 64);
  ASSERT_THAT(parts, SizeIs(3));
  EXPECT_EQ(parts[1].tokens[0], (PartToken{0, 0, 0, 1, false}));  // again, but not shown again
  EXPECT_EQ(parts[1].tokens[2], (PartToken{3, 2, 0, 1, true}));
}

TEST(TokenTree, BranchesAreEvaluatedFromTheBeginning) {
  fixtures::DrawingModel model;
  const std::vector<Token> beginning = {10, 11};
  const std::vector<TreeToken> tree = {{1, 0}, {2, 1}, {3, 1}};
  std::map<std::size_t, std::vector<float>> shown;
  const auto keep = [&](std::size_t place, std::span<const float> logits) {
    EXPECT_TRUE(shown.emplace(place, std::vector<float>(logits.begin(), logits.end())).second);
  };
  ASSERT_TRUE(evaluate_branches(model, beginning, tree, keep, {}));
  EXPECT_EQ(model.sequences, 2U);
  ASSERT_THAT(shown, SizeIs(4));
  const auto logits_of = [&](const std::vector<Token>& tokens) {
    const std::span<const float> logits = model.evaluate(tokens).value();
    return std::vector<float>(logits.begin(), logits.end());
  };
  EXPECT_EQ(shown[0], logits_of({10, 11}));
  EXPECT_EQ(shown[1], logits_of({10, 11, 1}));
  EXPECT_EQ(shown[2], logits_of({10, 11, 1, 2}));
  EXPECT_EQ(shown[3], logits_of({10, 11, 1, 3}));

  shown.clear();
  ASSERT_TRUE(evaluate_branches(model, beginning, {}, keep, {}));
  EXPECT_THAT(shown, SizeIs(1));
  EXPECT_EQ(evaluate_branches(model, beginning, tree, keep, [] { return false; }).error().fault,
            ModelFault::stopped);
}

}  // namespace
}  // namespace unmask::local
