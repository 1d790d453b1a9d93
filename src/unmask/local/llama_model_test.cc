// With llama.cpp, over models of random weights that the tests write.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/test_files.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/base/error.h"
#include "unmask/llm/chat.h"
#include "unmask/local/generate.h"
#include "unmask/local/gguf_file.h"
#include "unmask/local/gguf_fixtures.h"
#include "unmask/local/language_model.h"
#include "unmask/local/local_chat.h"
#include "unmask/local/log_softmax.h"
#include "unmask/local/token_tree.h"

namespace unmask::local {
namespace {

using ::testing::HasSubstr;

class LlamaModelTest : public ::testing::Test {
 protected:
  std::filesystem::path file(const fixtures::TinyModel& model = {}) {
    return folder_.write("tiny.gguf", fixtures::gguf_bytes(model));
  }
  std::unique_ptr<LanguageModel> open(const fixtures::TinyModel& model = {}) {
    Result<std::unique_ptr<LanguageModel>> opened = open_model({.file = file(model)});
    if (!opened) throw std::runtime_error(opened.error().message);
    return std::move(*opened);
  }

  unmask::fixtures::TemporaryFolder folder_;
};

std::vector<Token> tokens_of(const LanguageModel& model, std::string_view text) {
  return model.tokens_of(text, true).value();
}

std::vector<float> logits_of(LanguageModel& model, const std::vector<Token>& tokens) {
  const std::span<const float> logits = model.evaluate(tokens).value();
  return {logits.begin(), logits.end()};
}

std::string long_text(std::size_t length, char first) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i) {
    text += static_cast<char>('a' + (static_cast<std::size_t>(first - 'a') + i * i) % 26);
  }
  return text;
}

TEST_F(LlamaModelTest, TokenisesBytesAndControl) {
  const std::unique_ptr<LanguageModel> model = open();
  EXPECT_EQ(model->context_tokens(), 256U);
  EXPECT_EQ(model->vocabulary_tokens(), 261U);
  const std::vector<Token> plain = model->tokens_of("<|im_end|>", false).value();
  const std::vector<Token> prompt = model->tokens_of("<|im_end|>", true).value();
  EXPECT_GT(plain.size(), 8U);  // bytes: what a customer says can't end a message
  EXPECT_EQ(std::ranges::count(plain, 260), 0);
  EXPECT_EQ(std::ranges::count(prompt, 260), 1);
  std::string text;
  const std::vector<Token> tokens = model->tokens_of("h\xC3\xA9", false).value();
  for (const Token token : tokens) text += model->text_of(token);
  EXPECT_THAT(text, HasSubstr("h\xC3\xA9"));
  EXPECT_GT(model->tokens_of(std::string(100, ' '), false).value().size(), 200U);
  EXPECT_EQ(model->text_of(260), "");
  EXPECT_TRUE(model->ends_answer(2));
  EXPECT_FALSE(model->ends_answer(100));
}

TEST_F(LlamaModelTest, WritesChatsByTheTemplate) {
  llm::ChatMessage hello;
  hello.role = llm::ChatRole::user;
  hello.content = "Hi";
  const std::vector<llm::ChatMessage> messages = {hello};
  EXPECT_EQ(open()->prompt_of(messages).value(),
            "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n");
  const std::unique_ptr<LanguageModel> base = open({.chat_template = ""});
  EXPECT_EQ(base->prompt_of(messages).value(), "User: Hi\n\nAssistant:");
  EXPECT_FALSE(base->answer_ends().empty());
  const ModelResult<std::string> unknown =
      open({.chat_template = "{{ nobody knows this }}"})->prompt_of(messages);
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("chat template"));
}

TEST_F(LlamaModelTest, GivesTheSameLogitsWhateverWasAskedBefore) {
  const std::unique_ptr<LanguageModel> model = open();
  const std::vector<Token> first = tokens_of(*model, long_text(150, 'a'));
  std::vector<Token> longer = first;
  for (const Token token : tokens_of(*model, long_text(40, 'k'))) longer.push_back(token);
  const std::vector<float> of_first = logits_of(*model, first);
  const std::vector<float> of_longer = logits_of(*model, longer);
  EXPECT_NE(of_first, of_longer);
  EXPECT_EQ(logits_of(*model, first), of_first);

  // After an answer, token by token; after another text; by a model just loaded.
  ASSERT_TRUE(generate(*model, first, {.most_tokens = 70}));
  EXPECT_EQ(logits_of(*model, longer), of_longer);
  ASSERT_TRUE(model->evaluate(tokens_of(*model, long_text(100, 'm'))));
  EXPECT_EQ(logits_of(*model, longer), of_longer);
  ASSERT_TRUE(score(*model, longer, 1, 1));
  EXPECT_EQ(logits_of(*model, longer), of_longer);
  EXPECT_EQ(logits_of(*open(), longer), of_longer);
}

TEST_F(LlamaModelTest, AnswersTheSameForTheSameSeed) {
  const std::unique_ptr<LanguageModel> model = open();
  const std::vector<Token> prompt = tokens_of(*model, "<|im_start|>user\nHi<|im_end|>\n");
  const auto answer = [&](double temperature, std::uint64_t seed) {
    return generate(
               *model, prompt,
               {.temperature = temperature, .seed = seed, .most_tokens = 32, .alternatives = 3})
        .value();
  };
  EXPECT_EQ(answer(0.0, 1), answer(0.0, 2));
  EXPECT_EQ(answer(1.0, 1), answer(1.0, 1));
  EXPECT_NE(answer(1.0, 1).text, answer(1.0, 2).text);
  const Answer greedy = answer(0.0, 1);
  ASSERT_FALSE(greedy.tokens.empty());
  for (const GeneratedToken& token : greedy.tokens) {
    ASSERT_EQ(token.alternatives.size(), 3U);
    EXPECT_EQ(token.chosen, token.alternatives[0]);
  }
}

TEST_F(LlamaModelTest, ScoresWhatItWouldHaveSaid) {
  const std::unique_ptr<LanguageModel> model = open();
  std::vector<Token> tokens = tokens_of(*model, long_text(90, 'a'));
  const std::size_t first = tokens.size();
  const Answer answer = generate(*model, tokens, {.most_tokens = 30, .alternatives = 1}).value();
  ASSERT_GT(answer.tokens.size(), 3U);
  for (const GeneratedToken& token : answer.tokens) tokens.push_back(token.chosen.token);
  const std::vector<ScoredToken> scored =
      score(*model, tokens, first, model->vocabulary_tokens()).value();
  ASSERT_EQ(scored.size(), answer.tokens.size());
  for (std::size_t i = 0; i < scored.size(); ++i) {
    EXPECT_NEAR(scored[i].log_probability, answer.tokens[i].chosen.log_probability, 1e-3) << i;
    ASSERT_EQ(scored[i].likeliest.size(), 261U);
    double sum = 0.0;
    for (const RankedToken& token : scored[i].likeliest) sum += std::exp(token.log_probability);
    EXPECT_NEAR(sum, 1.0, 1e-9);
  }
  EXPECT_EQ(score(*model, tokens, first, 5).value(), score(*model, tokens, first, 5).value());
}

using Places = std::map<std::size_t, std::vector<float>>;

Places places_of(LanguageModel& model, const std::vector<Token>& beginning,
                 const std::vector<TreeToken>& tree) {
  Places shown;
  const ModelResult<void> done = model.evaluate_tree(
      beginning, tree,
      [&](std::size_t place, std::span<const float> logits) {
        EXPECT_TRUE(shown.emplace(place, std::vector<float>(logits.begin(), logits.end())).second);
      },
      {});
  EXPECT_TRUE(done);
  return shown;
}

/// `branches` ways that share their beginning in threes, each `length` long.
std::vector<TreeToken> bushy_tree(std::size_t branches, std::size_t length) {
  std::vector<std::vector<Token>> sequences;
  for (std::size_t i = 0; i < branches; ++i) {
    std::vector<Token> sequence;
    for (std::size_t at = 0; at <= length; ++at) {
      sequence.push_back(static_cast<Token>(3 + (at < length / 2 ? i / 3 : i) * 7 % 250));
    }
    sequences.push_back(std::move(sequence));
  }
  return tree_before_each(sequences).tokens;
}

TEST_F(LlamaModelTest, EvaluatesATreeAsItsBranches) {
  const std::unique_ptr<LanguageModel> model = open();
  const std::vector<Token> beginning = tokens_of(*model, long_text(150, 'a'));
  // A few; more than a batch has tokens; more than there are sequences; a long one; none.
  struct Case {
    std::vector<TreeToken> tree;
    float tolerance;  // whole blocks, as large trees are, have attention computed otherwise
  };
  for (const auto& [tree, tolerance] :
       {Case{bushy_tree(5, 3), 1e-4F}, Case{bushy_tree(40, 6), 0.1F},
        Case{bushy_tree(150, 2), 0.1F}, Case{bushy_tree(2, 90), 0.1F}, Case{{}, 1e-4F}}) {
    Places alone;
    ASSERT_TRUE(evaluate_branches(*model, beginning, tree,
                                  [&](std::size_t place, std::span<const float> logits) {
                                    alone[place].assign(logits.begin(), logits.end());
                                  },
                                  {}));
    const Places shared = places_of(*model, beginning, tree);
    ASSERT_EQ(shared.size(), tree.size() + 1);
    for (const auto& [place, logits] : shared) {
      ASSERT_EQ(logits.size(), alone[place].size());
      for (std::size_t i = 0; i < logits.size(); ++i) {
        ASSERT_NEAR(logits[i], alone[place][i], tolerance) << place << ' ' << i;
      }
    }
  }
}

TEST_F(LlamaModelTest, GivesATreeTheSameLogitsWhateverWasAskedBefore) {
  const std::unique_ptr<LanguageModel> model = open();
  const std::vector<Token> beginning = tokens_of(*model, long_text(150, 'a'));
  const std::vector<TreeToken> tree = bushy_tree(70, 3);
  const Places first = places_of(*model, beginning, tree);
  const auto is_same = [&] { return places_of(*model, beginning, tree) == first; };
  EXPECT_TRUE(is_same());
  // After another tree; a text that goes on from this one, and one that leaves it inside of a
  // block; a longer one; an answer; a pass over all positions; by a model just loaded.
  static_cast<void>(places_of(*model, beginning, bushy_tree(5, 8)));
  EXPECT_TRUE(is_same());
  std::vector<Token> other = beginning;
  other.resize(100);
  for (const Token token : tokens_of(*model, long_text(90, 'k'))) other.push_back(token);
  static_cast<void>(places_of(*model, other, tree));
  EXPECT_TRUE(is_same());
  other = beginning;
  for (const Token token : tokens_of(*model, long_text(80, 'k'))) other.push_back(token);
  static_cast<void>(places_of(*model, other, tree));
  EXPECT_TRUE(is_same());
  ASSERT_TRUE(generate(*model, beginning, {.most_tokens = 70}));
  EXPECT_TRUE(is_same());
  ASSERT_TRUE(score(*model, beginning, 1, 1));
  EXPECT_TRUE(is_same());
  const std::unique_ptr<LanguageModel> fresh = open();
  EXPECT_EQ(places_of(*fresh, beginning, tree), first);
  // Nor does a tree change what comes behind it.
  EXPECT_EQ(logits_of(*model, other), logits_of(*fresh, other));
}

TEST_F(LlamaModelTest, ATreeMayReachTheContextsEndAndNoFarther) {
  const std::unique_ptr<LanguageModel> model = open();
  const std::vector<Token> beginning(253, 100);
  EXPECT_EQ(places_of(*model, beginning, bushy_tree(100, 3)).size(), bushy_tree(100, 3).size() + 1);
  const auto fault = [&](const std::vector<Token>& text, const std::vector<TreeToken>& tree,
                         const std::function<bool()>& goes_on) {
    return model->evaluate_tree(
                    text, tree, [](std::size_t, std::span<const float>) {}, goes_on)
        .error()
        .fault;
  };
  EXPECT_EQ(fault(beginning, bushy_tree(2, 4), {}), ModelFault::context_overflow);
  EXPECT_EQ(fault({5}, std::vector<TreeToken>{{.token = 261}}, {}), ModelFault::failed);
  // Asked between blocks; what is evaluated next is right all the same.
  for (const int blocks : {0, 1, 2, 5}) {
    int left = blocks;
    EXPECT_EQ(fault(std::vector<Token>(150, 100), bushy_tree(90, 3), [&] { return left-- > 0; }),
              ModelFault::stopped);
    EXPECT_EQ(places_of(*model, {7, 8}, bushy_tree(3, 2)),
              places_of(*open(), {7, 8}, bushy_tree(3, 2)));
  }
}

TEST_F(LlamaModelTest, SaysThatTheContextIsFull) {
  const std::unique_ptr<LanguageModel> model = open();
  const std::vector<Token> whole(256, 100);
  std::vector<Token> beyond = whole;
  beyond.push_back(100);
  EXPECT_TRUE(model->evaluate(whole));
  EXPECT_EQ(model->append(100).error().fault, ModelFault::context_overflow);
  EXPECT_EQ(model->evaluate(beyond).error().fault, ModelFault::context_overflow);
  EXPECT_EQ(generate(*model, whole, {}).error().fault, ModelFault::context_overflow);
  EXPECT_EQ(score(*model, std::vector<Token>(300, 100), 1, 1).error().fault,
            ModelFault::context_overflow);
  // An answer that runs into the end is cut.
  const ModelResult<Answer> cut =
      generate(*model, std::vector<Token>(250, 100), {.most_tokens = 100});
  ASSERT_TRUE(cut);
  EXPECT_LE(cut->tokens.size(), 6U);
}

TEST_F(LlamaModelTest, RefusesTokensThatItDoesNotHave) {
  const std::unique_ptr<LanguageModel> model = open();
  EXPECT_EQ(model->evaluate(std::vector<Token>{5, 261}).error().fault, ModelFault::failed);
  EXPECT_EQ(model->evaluate(std::vector<Token>{-1}).error().fault, ModelFault::failed);
  EXPECT_TRUE(model->evaluate(std::vector<Token>{5, 260}));
  EXPECT_EQ(model->append(261).error().fault, ModelFault::failed);
}

TEST_F(LlamaModelTest, RefusesWeightsThatAreNoNumbers) {
  const Result<std::unique_ptr<LanguageModel>> model =
      open_model({.file = file({.output_is_nan = true})});
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::bad_input);
}

TEST_F(LlamaModelTest, RefusesLogitsThatOverflow) {
  const std::unique_ptr<LanguageModel> model = open({.last_norm = 3e38F});
  const ModelResult<Answer> answer = generate(*model, tokens_of(*model, "Hi"), {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().fault, ModelFault::not_a_number);
}

TEST_F(LlamaModelTest, RefusesDamagedFilesAndAFarContext) {
  const std::string whole = fixtures::gguf_bytes({});
  struct Case {
    std::string bytes;
    std::string_view says;
  };
  std::string no_layers = whole;  // a value that no model can have
  no_layers.replace(no_layers.find("llama.block_count"), 17, "llama.block_xxxxx");
  std::string no_tensor = whole;
  no_tensor.replace(no_tensor.find("blk.1.ffn_up"), 12, "blk.1.ffn_xx");
  for (const Case& each : {Case{"", "no GGUF"}, Case{whole.substr(0, 30'000), "cut short"},
                           Case{no_layers, "can't load it"}, Case{no_tensor, "can't load it"}}) {
    const Result<std::unique_ptr<LanguageModel>> model =
        open_model({.file = folder_.write("damaged.gguf", each.bytes)});
    ASSERT_FALSE(model) << each.says;
    EXPECT_EQ(model.error().code, ErrorCode::bad_input);
    EXPECT_THAT(model.error().message, HasSubstr(each.says));
    EXPECT_THAT(model.error().message, HasSubstr("damaged.gguf"));
  }
  const Result<std::unique_ptr<LanguageModel>> far =
      open_model({.file = file(), .context_tokens = 257});
  ASSERT_FALSE(far);
  EXPECT_EQ(far.error().code, ErrorCode::invalid_argument);
}

TEST_F(LlamaModelTest, StopsFromAnotherThread) {
  const std::unique_ptr<LanguageModel> model = open();
  model->stop();
  EXPECT_EQ(model->evaluate(std::vector<Token>{5}).error().fault, ModelFault::stopped);
}

TEST_F(LlamaModelTest, AnswersChats) {
  const LocalChatSettings settings{.name = "tiny", .most_tokens = 8};
  llm::ChatRequest request;
  request.messages.emplace_back();
  request.messages.back().content = "Hi";
  const std::unique_ptr<LanguageModel> model = open();
  const llm::ChatResult reply = answer_chat(*model, request, settings, {});
  ASSERT_TRUE(reply);
  EXPECT_EQ(answer_chat(*model, request, settings, {})->content, reply->content);
  EXPECT_GT(reply->usage.prompt_tokens.value_or(0), 8U);
  request.messages.back().content = std::string(400, 'x');
  EXPECT_EQ(answer_chat(*model, request, settings, {}).error().fault,
            llm::ChatFault::context_overflow);
}

// The precision is what the tensors say: rows of 64 do not fit the blocks of 256 that q3_k has.
TEST_F(LlamaModelTest, QuantizesAndReadsWhatCameOut) {
  struct Case {
    std::string_view type;
    std::string_view main;
    double least_bits;
    double most_bits;
  };
  const std::filesystem::path from = file();
  const std::filesystem::path to = folder_.path() / "quantized.gguf";
  double q3_bits = 0.0;
  for (const Case& each :
       {Case{"f16", "f16", 16.0, 16.3}, Case{"q8_0", "q8_0", 8.5, 8.9},
        Case{"q4_0", "q4_0", 4.5, 6.5}, Case{"q3_k_s", "q4_0", 4.5, 6.5},
        Case{"q2_k", "q4_0", 4.5, 6.5}, Case{"sim3", "simulated 3-bit", 16.0, 16.3}}) {
    const Result<void> done = quantize(from, to, each.type, 1);
    ASSERT_TRUE(done) << done.error().message;
    const GgufFile file = read_gguf(to).value();
    EXPECT_EQ(main_type(file), each.main) << each.type << ": " << precision_text(file);
    EXPECT_GE(file.bits_per_weight(), each.least_bits) << each.type;
    EXPECT_LE(file.bits_per_weight(), each.most_bits) << each.type;
    if (each.type == "q3_k_s") q3_bits = file.bits_per_weight();
    if (each.type == "q2_k") {
      EXPECT_EQ(file.bits_per_weight(), q3_bits);
    }
    const Result<std::unique_ptr<LanguageModel>> model = open_model({.file = to});
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_TRUE(generate(**model, tokens_of(**model, "Hi"), {.most_tokens = 4}));
  }
}

// Coarser grids are farther from the weights, and each has its own logits.
TEST_F(LlamaModelTest, RoundsToCoarserGrids) {
  const std::filesystem::path from = file();
  const auto logits = [&](const std::string& type) {
    const std::filesystem::path to = folder_.path() / (type + ".gguf");
    const Result<void> done = quantize(from, to, type, 1);
    EXPECT_TRUE(done) << done.error().message;
    const std::unique_ptr<LanguageModel> model = open_model({.file = to}).value();
    return logits_of(*model, tokens_of(*model, "Hi"));
  };
  const std::vector<float> whole = logits("f16");
  double before = 0.0;
  for (const std::string type : {"sim4", "sim3", "sim2"}) {
    const std::vector<float> rounded = logits(type);
    double squares = 0.0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      squares += std::pow(static_cast<double>(rounded[i]) - static_cast<double>(whole[i]), 2.0);
    }
    EXPECT_GT(squares, before) << type;
    before = squares;
    EXPECT_EQ(main_type(read_gguf(folder_.path() / (type + ".gguf")).value()),
              "simulated " + type.substr(3) + "-bit");
  }
}

TEST_F(LlamaModelTest, RefusesWhatCantBeQuantized) {
  const std::filesystem::path from = file();
  EXPECT_THAT(quantize(from, folder_.path() / "to.gguf", "q17", 1).error().message,
              HasSubstr("q4_0"));
  EXPECT_EQ(quantize(from, from, "q8_0", 1).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(
      quantize(folder_.path() / "none.gguf", folder_.path() / "to.gguf", "q8_0", 1).error().code,
      ErrorCode::outside);
  EXPECT_FALSE(quantize(from, folder_.path() / "no" / "folder" / "to.gguf", "q8_0", 1));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "to.gguf"));
}

}  // namespace
}  // namespace unmask::local
