#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/ingest/context_words.h"
#include "unmask/ingest/precision.h"
#include "unmask/ingest/secrets.h"
#include "unmask/json/parser.h"

namespace unmask {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

struct NameCase {
  std::string_view name;
  std::string_view precision;
  std::string_view method;
  std::string_view family;
  std::string_view size;
  bool mixture = false;
};

TEST(Precision, IsGuessedFromModelNames) {
  for (const NameCase& example : {
           NameCase{"", "", "", "", ""},
           NameCase{"gpt-4.1-2025-04-14", "", "", "gpt-4.1-2025-04-14", ""},
           NameCase{"Qwen/Qwen3-8B", "", "", "qwen3-8b", "8b"},
           NameCase{"Qwen/Qwen3-8B-AWQ", "int4", "awq", "qwen3-8b", "8b"},
           NameCase{"Qwen/Qwen3-8B-FP8", "fp8", "", "qwen3-8b", "8b"},
           NameCase{"acme/Qwen2.5-7B-Instruct-GPTQ-Int4", "int4", "gptq", "qwen2.5-7b-instruct",
                    "7b"},
           NameCase{"acme/Qwen2.5-7B-Instruct-GPTQ-Int8", "int8", "gptq", "qwen2.5-7b-instruct",
                    "7b"},
           NameCase{"acme/gemma-3-27b-it-quantized.w4a16", "int4", "w4a16", "gemma-3-27b-it",
                    "27b"},
           NameCase{"acme/gemma-3-27b-it-FP8-dynamic", "fp8", "", "gemma-3-27b-it", "27b"},
           NameCase{"Llama-3.2-1B-Instruct-Q4_K_M.gguf", "int4", "gguf q4_k_m",
                    "llama-3.2-1b-instruct", "1b"},
           NameCase{"carnice:9b-q8_0", "int8", "gguf q8_0", "carnice:9b", "9b"},
           NameCase{"model-IQ3_XXS", "int3", "gguf iq3_xxs", "model", ""},
           NameCase{"hosted_vllm/Qwen/Qwen3-30B-A3B-Instruct-2507-bnb-4bit", "int4", "bnb",
                    "qwen3-30b-a3b-instruct-2507", "30b-a3b", true},
           NameCase{"mistralai/Mixtral-8x7B-bf16", "bf16", "", "mixtral-8x7b", "8x7b", true},
           NameCase{"openai/gpt-oss-120b-MXFP4", "fp4", "mxfp4", "gpt-oss-120b", "120b"},
           NameCase{"granite-4.0-h-tiny-moe", "", "", "granite-4.0-h-tiny-moe", "", true},
           NameCase{"SmolLM2-135M-Instruct", "", "", "smollm2-135m-instruct", "135m"},
           // Words that come with quantization stay where nothing else speaks of it.
           NameCase{"acme/dynamic-block-3b", "", "", "dynamic-block-3b", "3b"},
       }) {
    EXPECT_EQ(guess_precision(example.name).precision, example.precision) << example.name;
    EXPECT_EQ(guess_precision(example.name).method, example.method) << example.name;
    EXPECT_EQ(model_family(example.name), example.family) << example.name;
    EXPECT_EQ(model_size(example.name), example.size) << example.name;
    EXPECT_EQ(names_mixture_of_experts(example.name), example.mixture) << example.name;
  }
}

TEST(Precision, EngineComesFromTheProviderPrefix) {
  EXPECT_EQ(engine_of_model_name("hosted_vllm/Qwen/Qwen3-8B"), "vllm");
  EXPECT_EQ(engine_of_model_name("ollama_chat/qwen2.5:7b"), "ollama");
  EXPECT_EQ(engine_of_model_name("openai/gpt-4.1"), "");
}

TEST(Secrets, SettingsKeepSamplingAndDropCredentials) {
  json::Parser parser;
  const auto parsed =
      parser.parse(R"({"temperature": 0.0, "top_p": 0.9, "max_tokens": 512, "seed": 7,
    "api_key": "abcdef123456", "token": 12345678, "extra_headers": {"X-Secret": 1},
    "base_url": "https://me:pw123@host.example:8000/v1?key=zzz", "num_retries": 3,
    "rate_limit_requests_per_minute": 27, "reasoning_effort": "high", "note": "free text",
    "extra_body": {"top_k": 20, "chat_template_kwargs": {"enable_thinking": false}, "auth": 9},
    "stop": ["a"], "nothing": null})");
  ASSERT_TRUE(parsed.has_value());
  EXPECT_THAT(sampling_settings(parsed->root),
              ElementsAre(Pair("endpoint", "host.example"),
                          Pair("extra_body.chat_template_kwargs.enable_thinking", "false"),
                          Pair("extra_body.top_k", "20"), Pair("max_tokens", "512"),
                          Pair("reasoning_effort", "high"), Pair("seed", "7"),
                          Pair("temperature", "0"), Pair("top_p", "0.9")));
}

TEST(Secrets, ErrorTextsLoseTheirKeys) {
  for (const std::string_view text : {
           "Incorrect API key provided: sk-proj-AbC123456789xyz. You can find it at ...",
           "401 for Bearer eyJhbGciOiJIUzI1NiJ9.e30.x7 at once",
           "api_key=9f8e7d6c5b4a failed",
           "\"api-key\": \"9f8e7d6c5b4a\"",
           "hf_AbCdEfGh123456 is not valid",
           "GET https://user:9f8e7d6c5b4a@host.example/v1 gave 500",
           "base_url = \"https://host.example/v1?v=1&key=9f8e7d6c5b4a\"",
       }) {
    const std::string clean = without_secrets(text);
    EXPECT_THAT(clean, HasSubstr("[removed]")) << text;
    for (const std::string_view secret :
         {"AbC123456789", "eyJhbGci", "9f8e7d6c5b4a", "AbCdEfGh123456"}) {
      EXPECT_THAT(clean, Not(HasSubstr(std::string(secret)))) << text;
    }
  }
  for (const std::string_view text :
       {"", "Rate limit reached for requests", "The secret is out: try again", "password required",
        "see https://host.example/path@2 for task-1234567"}) {
    EXPECT_EQ(without_secrets(text), text);
  }
}

TEST(ContextWords, KeepsIdentifiersWithTheirFirstMessage) {
  ContextWords words;
  words.add(0, "Use open_lid, then `turn_wheel`; not openLid or open.");
  words.add(2, "again open_lid and _private_ __x__ a-b get-user-2 9_lives x_9 plain");
  words.add(3, std::string(200, 'a') + "_b");
  EXPECT_THAT(words.take(),
              ElementsAre(Pair(0U, "open_lid"), Pair(0U, "turn_wheel"), Pair(0U, "openLid"),
                          Pair(2U, "a-b"), Pair(2U, "get-user-2"), Pair(2U, "x_9")));
  EXPECT_TRUE(words.take().empty());
}

}  // namespace
}  // namespace unmask
