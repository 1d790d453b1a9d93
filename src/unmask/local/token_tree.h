#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "unmask/local/language_model.h"

namespace unmask::local {

/// Sequences of tokens as a tree in which equal beginnings are one.
struct TokenTree {
  std::vector<TreeToken> tokens;
  /// Of each sequence the place that each of its tokens follows.
  std::vector<std::vector<std::size_t>> places;

  bool operator==(const TokenTree&) const = default;
};

/// The tree of what stands before the tokens of `sequences`: all tokens but the last of each.
[[nodiscard]] TokenTree tree_before_each(std::span<const std::vector<Token>> sequences);

/// A token of a part of a tree, with the branches that it belongs to: `first` to `end` - 1.
struct PartToken {
  std::size_t index = 0;  ///< in the tree
  std::size_t depth = 0;  ///< tokens between it and the text
  std::size_t first_branch = 0;
  std::size_t end_branch = 0;
  bool is_new = true;  ///< false: an earlier part has it, too

  bool operator==(const PartToken&) const = default;
};

/// What of a tree is evaluated together; a branch is the way from the text to a token that none
/// follows.
struct TreePart {
  std::vector<PartToken> tokens;  ///< parents before what follows them, branch by branch
  std::size_t branches = 0;

  bool operator==(const TreePart&) const = default;
};

/// Cuts a tree into parts of whole branches, at most `most_branches` each (at least 1) and at most
/// `most_tokens`, unless a single branch is longer. Precondition: each token follows one before it.
[[nodiscard]] std::vector<TreePart> parts_of(std::span<const TreeToken> tree,
                                             std::size_t most_branches, std::size_t most_tokens);

/// LanguageModel::evaluate_tree() without sharing anything: each branch from the text's beginning.
[[nodiscard]] ModelResult<void> evaluate_branches(LanguageModel& model,
                                                  std::span<const Token> beginning,
                                                  std::span<const TreeToken> tree,
                                                  const VisitPlace& visit,
                                                  const std::function<bool()>& goes_on);

}  // namespace unmask::local
