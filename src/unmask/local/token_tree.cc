#include "unmask/local/token_tree.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/local/language_model.h"

namespace unmask::local {
namespace {

/// The tokens of the way from the text to each token that none follows, as indices into the tree;
/// ways with a common beginning stand together.
std::vector<std::vector<std::size_t>> branches_of(std::span<const TreeToken> tree) {
  std::vector<std::vector<std::size_t>> following(tree.size() + 1);
  for (std::size_t i = 0; i < tree.size(); ++i) {
    UNMASK_CHECK(tree[i].after <= i);
    following[tree[i].after].push_back(i);
  }
  std::vector<std::vector<std::size_t>> branches;
  std::vector<std::size_t> way;
  // Depth first; `left` are the tokens to visit, the next one last, each with its depth.
  struct Waiting {
    std::size_t index;
    std::size_t depth;
  };
  std::vector<Waiting> left;
  const auto wait = [&](std::size_t place, std::size_t depth) {
    for (auto index = following[place].rbegin(); index != following[place].rend(); ++index) {
      left.push_back({*index, depth});
    }
  };
  wait(0, 0);
  while (!left.empty()) {
    const Waiting next = left.back();
    left.pop_back();
    way.resize(next.depth);
    way.push_back(next.index);
    if (following[next.index + 1].empty()) branches.push_back(way);
    wait(next.index + 1, next.depth + 1);
  }
  return branches;
}

}  // namespace

TokenTree tree_before_each(std::span<const std::vector<Token>> sequences) {
  TokenTree tree;
  std::vector<std::vector<std::size_t>> following(1);  // by place
  for (const std::vector<Token>& sequence : sequences) {
    std::vector<std::size_t>& places = tree.places.emplace_back();
    std::size_t place = 0;
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      places.push_back(place);
      if (i + 1 == sequence.size()) break;
      const auto known = std::ranges::find_if(following[place], [&](std::size_t index) {
        return tree.tokens[index].token == sequence[i];
      });
      if (known != following[place].end()) {
        place = *known + 1;
        continue;
      }
      following[place].push_back(tree.tokens.size());
      tree.tokens.push_back({.token = sequence[i], .after = place});
      place = tree.tokens.size();
      following.emplace_back();
    }
  }
  return tree;
}

std::vector<TreePart> parts_of(std::span<const TreeToken> tree, std::size_t most_branches,
                               std::size_t most_tokens) {
  std::vector<TreePart> parts;
  std::vector<bool> seen(tree.size(), false);
  std::vector<std::optional<std::size_t>> at(tree.size());  // in the part that is being filled
  for (const std::vector<std::size_t>& branch : branches_of(tree)) {
    const auto more = static_cast<std::size_t>(
        std::ranges::count_if(branch, [&](std::size_t index) { return !at[index].has_value(); }));
    if (parts.empty() || parts.back().branches >= most_branches ||
        parts.back().tokens.size() + more > most_tokens) {
      parts.emplace_back();
      std::ranges::fill(at, std::nullopt);
    }
    TreePart& part = parts.back();
    for (std::size_t depth = 0; depth < branch.size(); ++depth) {
      const std::size_t index = branch[depth];
      if (!at[index]) {
        part.tokens.push_back({.index = index,
                               .depth = depth,
                               .first_branch = part.branches,
                               .end_branch = part.branches,
                               .is_new = !seen[index]});
        seen[index] = true;
      }
      const std::size_t in_part = at[index].value_or(part.tokens.size() - 1);
      at[index] = in_part;
      part.tokens[in_part].end_branch = part.branches + 1;
    }
    ++part.branches;
  }
  return parts;
}

ModelResult<void> evaluate_branches(LanguageModel& model, std::span<const Token> beginning,
                                    std::span<const TreeToken> tree, const VisitPlace& visit,
                                    const std::function<bool()>& goes_on) {
  UNMASK_CHECK(!beginning.empty());
  std::vector<std::vector<std::size_t>> branches = branches_of(tree);
  if (branches.empty()) branches.emplace_back();
  std::vector<bool> seen(tree.size() + 1, false);
  std::vector<Token> tokens(beginning.begin(), beginning.end());
  for (const std::vector<std::size_t>& branch : branches) {
    if (goes_on && !goes_on()) return model_failure(ModelFault::stopped, "stopped");
    tokens.resize(beginning.size());
    for (const std::size_t index : branch) tokens.push_back(tree[index].token);
    const std::size_t last = beginning.size() - 1;
    ModelResult<void> done =
        model.evaluate_each(tokens, last, [&](std::size_t i, std::span<const float> logits) {
          const std::size_t place = i == last ? 0 : branch[i - last - 1] + 1;
          if (!seen[place]) visit(place, logits);
          seen[place] = true;
        });
    if (!done) return done;
  }
  return {};
}

}  // namespace unmask::local
