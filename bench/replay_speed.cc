// How much faster decisions are scored when what they share is evaluated once (bench/run --replay).
//
//   replay_speed [FILE.gguf] [EPISODES] [TURNS]
//
// Scores the same decisions three ways: as unmask does; each context from its beginning, its
// options sharing it; each option of the first context from its beginning. Prints JSON: processor
// seconds a context, and how far the answers are apart. Without a file, a model that draws its
// logits is asked: only the answers are of interest then.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/decisions/decision_context.h"
#include "unmask/decisions/local_scorer.h"
#include "unmask/episode/scored_decision.h"
#include "unmask/llm/chat.h"
#include "unmask/local/fake_fixtures.h"
#include "unmask/local/language_model.h"
#include "unmask/local/token_tree.h"

namespace unmask {
namespace {

using decisions::DecisionContext;
using local::ModelResult;
using local::Token;

enum class Sharing { all, options, none };

/// A model of which nothing, or only what options of one context share, is used twice.
class Forgetful final : public local::LanguageModel {
 public:
  Forgetful(LanguageModel& model, Sharing sharing) : model_(model), sharing_(sharing) {}

  [[nodiscard]] std::size_t context_tokens() const override { return model_.context_tokens(); }
  [[nodiscard]] std::size_t vocabulary_tokens() const override {
    return model_.vocabulary_tokens();
  }
  [[nodiscard]] ModelResult<std::vector<Token>> tokens_of(std::string_view text,
                                                          bool is_prompt) const override {
    return model_.tokens_of(text, is_prompt);
  }
  [[nodiscard]] std::string text_of(Token token) const override { return model_.text_of(token); }
  [[nodiscard]] bool ends_answer(Token token) const override { return model_.ends_answer(token); }
  [[nodiscard]] ModelResult<std::string> prompt_of(
      std::span<const llm::ChatMessage> messages) const override {
    return model_.prompt_of(messages);
  }
  [[nodiscard]] std::vector<std::string> answer_ends() const override {
    return model_.answer_ends();
  }
  [[nodiscard]] ModelResult<std::span<const float>> evaluate(
      std::span<const Token> tokens) override {
    return model_.evaluate(tokens);
  }
  [[nodiscard]] ModelResult<std::span<const float>> append(Token token) override {
    return model_.append(token);
  }
  [[nodiscard]] ModelResult<void> evaluate_each(
      std::span<const Token> tokens, std::size_t first,
      const std::function<void(std::size_t, std::span<const float>)>& visit) override {
    return model_.evaluate_each(tokens, first, visit);
  }
  [[nodiscard]] ModelResult<void> evaluate_tree(std::span<const Token> beginning,
                                                std::span<const local::TreeToken> tree,
                                                const local::VisitPlace& visit,
                                                const std::function<bool()>& goes_on) override {
    if (sharing_ == Sharing::none) {
      return evaluate_branches(model_, beginning, tree, visit, goes_on);
    }
    if (sharing_ == Sharing::options) {
      const std::vector<Token> other = {beginning.back()};
      const ModelResult<std::span<const float>> forgotten = model_.evaluate(other);
      if (!forgotten) return tl::unexpected(forgotten.error());
    }
    return model_.evaluate_tree(beginning, tree, visit, goes_on);
  }
  void stop() override { model_.stop(); }

 private:
  LanguageModel& model_;
  Sharing sharing_;
};

struct Tool {
  std::string_view name;
  std::string_view does;
};

constexpr std::array kTools = {
    Tool{"calculate", "gives the value of an arithmetic expression"},
    Tool{"cancel_pending_order", "cancels an order that was not sent yet and refunds it"},
    Tool{"exchange_delivered_order_items", "exchanges items of an order that has arrived"},
    Tool{"find_user_id_by_email", "looks a customer up by the address of an account"},
    Tool{"find_user_id_by_name_zip", "looks a customer up by first name, last name and zip code"},
    Tool{"get_order_details", "gives status, items and payments of an order"},
    Tool{"get_product_details", "gives the variants of a product with price and stock"},
    Tool{"get_user_details", "gives address, payment methods and orders of a customer"},
    Tool{"list_all_product_types", "gives the names of all products with their ids"},
    Tool{"modify_pending_order_address", "changes where an order that was not sent yet goes"},
    Tool{"modify_pending_order_items", "changes items of an order that was not sent yet"},
    Tool{"modify_pending_order_payment", "changes how an order that was not sent yet is paid"},
    Tool{"return_delivered_order_items", "takes items of an order that has arrived back"},
    Tool{"transfer_to_human_agents", "hands the customer over when no tool and no rule helps"},
};

/// Names that are not offered, as logs have them.
constexpr std::array<std::string_view, 4> kTempting = {"get_order", "search_orders", "update_order",
                                                       "get_user_orders"};

std::string instructions() {
  std::string text =
      "You are the agent of a shop. Find out who the customer is before anything else. One call at "
      "a time; ask before you change anything, and say what it costs. To call a tool, answer with "
      "JSON alone, such as {\"tool\": \"calculate\", \"arguments\": {\"expression\": \"2 + "
      "2\"}}.\nTools:\n";
  for (const Tool& tool : kTools) {
    text.append("- ").append(tool.name).append(": ").append(tool.does);
    text +=
        ". Arguments: an object with strings, such as order_id, item_ids, user_id; see what it "
        "says when something is missing.\n";
  }
  return text;
}

llm::ChatMessage message(llm::ChatRole role, std::string text) {
  llm::ChatMessage made;
  made.role = role;
  made.content = std::move(text);
  return made;
}

std::vector<DecisionContext> contexts_of(std::size_t episodes, std::size_t turns) {
  constexpr std::string_view kBegins = "{\"tool\": \"";
  std::vector<DecisionContext> contexts;
  for (std::size_t episode = 0; episode < episodes; ++episode) {
    const std::string order = "#W" + std::to_string(4'718'203 + episode * 7919);
    DecisionContext context;
    context.begins = kBegins;
    for (const Tool& tool : kTools) {
      context.decision.options.push_back({.text = std::string(tool.name), .admissible = true});
    }
    for (const std::string_view name : kTempting) {
      context.decision.options.push_back({.text = std::string(name)});
    }
    for (const DecisionOption& option : context.decision.options) {
      context.continuations.push_back(option.text + '"');
    }
    context.messages.push_back(message(llm::ChatRole::system, instructions()));
    context.messages.push_back(message(
        llm::ChatRole::user, "Hello, something is wrong with my order " + order +
                                 ": of the two "
                                 "lamps that I paid for one is missing, and I want it soon."));
    for (std::size_t turn = 0; turn < turns; ++turn) {
      contexts.push_back(context);
      const std::string_view name = kTools[(turn * 5 + episode) % kTools.size()].name;
      context.messages.push_back(message(llm::ChatRole::assistant, std::string(kBegins)
                                                                       .append(name)
                                                                       .append("\", \"arguments\": "
                                                                               "{\"order_id\": \"")
                                                                       .append(order)
                                                                       .append("\"}}")));
      context.messages.push_back(
          message(llm::ChatRole::user,
                  "Result: {\"status\": \"delivered\", \"items\": [{\"name\": \"Desk lamp\", "
                  "\"item_id\": \"" +
                      std::to_string(5'320'792 + turn) +
                      "\", \"price\": 135.24, \"options\": {\"color\": "
                      "\"black\", \"brightness\": \"high\"}}], \"payment\": \"gift card\"}"));
    }
  }
  return contexts;
}

struct Measured {
  double seconds = 0.0;
  std::vector<ArmScores> scores;
};

Measured measure(local::LanguageModel& model, Sharing sharing,
                 std::span<const DecisionContext> contexts) {
  Forgetful forgetful(model, sharing);
  decisions::LocalScorer scorer(forgetful, {.temperatures = {0.4}, .likeliest = 256});
  Measured measured;
  measured.scores.resize(contexts.size());
  const std::clock_t begin = std::clock();
  const Result<void> done = scorer.score(
      contexts,
      [&](std::size_t index, ArmScores scores) { measured.scores[index] = std::move(scores); }, {});
  measured.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  if (!done) {
    std::fprintf(stderr, "replay_speed: %s\n", done.error().message.c_str());
    std::exit(1);
  }
  return measured;
}

/// How far options of `b` are from those of `a` at most; infinite where one has none.
double farthest(std::span<const ArmScores> a, std::span<const ArmScores> b) {
  double most = 0.0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const std::vector<double>& left = a[i].log_probability;
    const std::vector<double>& right = b[i].log_probability;
    if (left.empty() || left.size() != right.size()) return std::numeric_limits<double>::max();
    for (std::size_t k = 0; k < left.size(); ++k) {
      most = std::max(most, std::abs(left[k] - right[k]));
    }
  }
  return most;
}

int run(std::span<const std::string> arguments) {
  const bool with_file = !arguments.empty() && arguments[0].ends_with(".gguf");
  const auto number = [&](std::size_t i, std::size_t usual) {
    i += with_file ? 1 : 0;
    return i < arguments.size() ? std::stoul(arguments[i]) : usual;
  };
  std::unique_ptr<local::LanguageModel> model;
  if (with_file) {
    Result<std::unique_ptr<local::LanguageModel>> opened =
        local::open_model({.file = arguments[0], .context_tokens = 4096});
    if (!opened) {
      std::fprintf(stderr, "replay_speed: %s\n", opened.error().message.c_str());
      return 1;
    }
    model = std::move(*opened);
  } else {
    auto drawing = std::make_unique<local::fixtures::DrawingModel>(
        std::vector<std::string>{"order", "_order", "get_", "find_user_id_by_", "tool"});
    drawing->context = 100'000;
    model = std::move(drawing);
  }
  const std::vector<DecisionContext> contexts = contexts_of(number(0, 2), number(1, 4));
  // Options one by one take minutes a context.
  const std::span<const DecisionContext> few = std::span(contexts).first(1);
  const Measured shared = measure(*model, Sharing::all, contexts);
  const Measured apart = measure(*model, Sharing::options, contexts);
  const Measured one_by_one = measure(*model, Sharing::none, few);
  const auto each = [](double seconds, std::size_t count) {
    return seconds / static_cast<double>(count);
  };
  std::printf(
      "{\"contexts\": %zu, \"options\": %zu, \"shared\": %.4f, \"context_from_scratch\": %.4f, "
      "\"option_from_scratch\": %.4f, \"difference_of_contexts\": %.6f, "
      "\"difference_of_options\": %.6f}\n",
      contexts.size(), contexts[0].continuations.size(), each(shared.seconds, contexts.size()),
      each(apart.seconds, contexts.size()), each(one_by_one.seconds, few.size()),
      farthest(shared.scores, apart.scores), farthest(shared.scores, one_by_one.scores));
  return 0;
}

}  // namespace
}  // namespace unmask

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  return unmask::run(arguments);
}
