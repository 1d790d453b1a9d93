#include "unmask/ingest/precision.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace unmask {

namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char byte) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(byte)));
  });
  return out;
}

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }
bool is_separator(char byte) {
  return byte == '-' || byte == '_' || byte == '.' || byte == ':' || byte == ' ' || byte == '@' ||
         byte == '/' || byte == '(' || byte == ')' || byte == '[' || byte == ']' || byte == '=' ||
         byte == '+';
}

/// A word of a name, with the separator in front of it.
struct Word {
  std::string text;
  char before = '\0';
};

/// Splits at separators, but keeps `q4_k_m` and `0.6b` together.
std::vector<Word> words_of(std::string_view name) {
  std::vector<Word> words;
  char before = '\0';
  std::string current;
  const auto flush = [&] {
    if (!current.empty()) words.push_back({std::move(current), before});
    current.clear();
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char byte = name[i];
    const bool decimal = byte == '.' && !current.empty() && is_digit(current.back()) &&
                         i + 1 < name.size() && is_digit(name[i + 1]);
    if (!is_separator(byte) || decimal) {
      current += byte;
    } else {
      flush();
      before = byte;
    }
  }
  flush();
  return words;
}

struct Mark {
  std::string_view word;
  std::string_view precision;
  std::string_view method;
};

/// Words that say something of precision when they stand alone; empty parts say nothing.
constexpr std::array<Mark, 42> kMarks = {{
    {"awq", "int4", "awq"},     {"gptq", "", "gptq"},
    {"int4", "int4", ""},       {"int8", "int8", ""},
    {"int3", "int3", ""},       {"int2", "int2", ""},
    {"4bit", "int4", ""},       {"8bit", "int8", ""},
    {"3bit", "int3", ""},       {"2bit", "int2", ""},
    {"6bit", "int6", ""},       {"5bit", "int5", ""},
    {"w4a16", "int4", "w4a16"}, {"w8a16", "int8", "w8a16"},
    {"w8a8", "int8", "w8a8"},   {"w4a8", "int4", "w4a8"},
    {"w4a4", "int4", "w4a4"},   {"fp8", "fp8", ""},
    {"f8", "fp8", ""},          {"e4m3", "fp8", ""},
    {"fp4", "fp4", ""},         {"nvfp4", "fp4", "nvfp4"},
    {"mxfp4", "fp4", "mxfp4"},  {"mxfp8", "fp8", "mxfp8"},
    {"nf4", "int4", "nf4"},     {"bnb", "", "bnb"},
    {"hqq", "", "hqq"},         {"aqlm", "", "aqlm"},
    {"exl2", "", "exl2"},       {"exl3", "", "exl3"},
    {"gguf", "", "gguf"},       {"autoround", "", "autoround"},
    {"quip", "", "quip"},       {"bf16", "bf16", ""},
    {"fp16", "fp16", ""},       {"f16", "fp16", ""},
    {"fp32", "fp32", ""},       {"f32", "fp32", ""},
    {"bfloat16", "bf16", ""},   {"float16", "fp16", ""},
    {"qat", "", "qat"},         {"smoothquant", "int8", "smoothquant"},
}};

/// Words that come with quantized releases and say nothing alone.
constexpr std::array<std::string_view, 9> kFillers = {
    "quantized", "quant", "dynamic", "block", "channel", "sym", "asym", "g128", "marlin"};

/// `q4`, `iq3`: GGUF's bits, from the word's start; 0 if it is none.
int gguf_bits(std::string_view word) {
  if (word.starts_with('i')) word.remove_prefix(1);
  if (word.size() != 2 || word[0] != 'q' || word[1] < '1' || word[1] > '8') return 0;
  return word[1] - '0';
}

bool is_gguf_suffix(std::string_view word) {
  constexpr std::array<std::string_view, 12> kSuffixes = {"0",  "1",   "k",  "s",  "m",  "l",
                                                          "xs", "xxs", "nl", "xl", "xm", "ks"};
  return std::find(kSuffixes.begin(), kSuffixes.end(), word) != kSuffixes.end();
}

const Mark* mark_of(std::string_view word) {
  const auto* const found = std::find_if(kMarks.begin(), kMarks.end(),
                                         [&](const Mark& mark) { return mark.word == word; });
  return found == kMarks.end() ? nullptr : found;
}

bool is_filler(std::string_view word) {
  return std::find(kFillers.begin(), kFillers.end(), word) != kFillers.end();
}

/// A name taken apart into what says something of precision and the rest.
struct Reading {
  PrecisionGuess guess;
  std::string rest;
};

Reading read_name(std::string_view name) {
  Reading reading;
  const std::vector<Word> words = words_of(name);
  std::vector<std::string> methods;
  const auto add_method = [&methods](std::string_view method) {
    if (method.empty() || std::find(methods.begin(), methods.end(), method) != methods.end())
      return;
    methods.emplace_back(method);
  };
  std::vector<Word> rest;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i].text;
    if (const int bits = gguf_bits(word); bits > 0) {
      std::string scheme = word;
      while (i + 1 < words.size() && words[i + 1].before == '_' &&
             is_gguf_suffix(words[i + 1].text)) {
        scheme += '_' + words[++i].text;
      }
      if (reading.guess.precision.empty()) reading.guess.precision = "int" + std::to_string(bits);
      add_method("gguf");
      add_method(scheme);
      continue;
    }
    if (const Mark* mark = mark_of(word)) {
      // A later mark is more exact than the method's usual width (`AWQ-Int8`).
      if (!mark->precision.empty() && (reading.guess.precision.empty() || mark->method.empty())) {
        reading.guess.precision = mark->precision;
      }
      add_method(mark->method);
      continue;
    }
    rest.push_back(words[i]);
  }
  const bool quantized = !reading.guess.precision.empty() || !methods.empty();
  for (const Word& word : rest) {
    if (quantized && is_filler(word.text)) continue;
    if (!reading.rest.empty()) reading.rest += word.before == '\0' ? '-' : word.before;
    reading.rest += word.text;
  }
  for (const std::string& method : methods) {
    if (!reading.guess.method.empty()) reading.guess.method += ' ';
    reading.guess.method += method;
  }
  return reading;
}

/// What stands before the model proper: `hosted_vllm/`, `RedHatAI/`.
std::string_view without_provider(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string_view::npos || slash + 1 == name.size() ? name
                                                                     : name.substr(slash + 1);
}

bool is_size(std::string_view word) {
  if (word.size() < 2 || (word.back() != 'b' && word.back() != 'm')) return false;
  bool digits = false;
  for (const char byte : word.substr(0, word.size() - 1)) {
    if (is_digit(byte)) {
      digits = true;
    } else if (byte != '.' && byte != 'x') {
      return false;
    }
  }
  return digits && is_digit(word[0]);
}

/// `a3b`: active parameters of a mixture.
bool is_active_size(std::string_view word) {
  return word.size() > 2 && word[0] == 'a' && is_size(word.substr(1));
}

}  // namespace

PrecisionGuess guess_precision(std::string_view name) { return read_name(lower(name)).guess; }

std::string model_family(std::string_view name) {
  const std::string folded = lower(without_provider(name));
  std::string rest = read_name(folded).rest;
  return rest.empty() ? folded : rest;
}

std::string model_size(std::string_view name) {
  const std::string folded = lower(without_provider(name));
  std::string size;
  for (const Word& word : words_of(folded)) {
    if (size.empty() && is_size(word.text)) {
      size = word.text;
    } else if (!size.empty() && is_active_size(word.text)) {
      return size + '-' + word.text;
    }
  }
  return size;
}

bool names_mixture_of_experts(std::string_view name) {
  const std::string folded = lower(without_provider(name));
  const std::vector<Word> words = words_of(folded);
  return std::any_of(words.begin(), words.end(), [](const Word& word) {
    return word.text == "moe" || word.text.starts_with("mixtral") || is_active_size(word.text) ||
           (is_size(word.text) && word.text.find('x') != std::string::npos);
  });
}

std::string engine_of_model_name(std::string_view name) {
  struct Provider {
    std::string_view prefix;
    std::string_view engine;
  };
  constexpr std::array<Provider, 8> kProviders = {{{"hosted_vllm/", "vllm"},
                                                   {"vllm/", "vllm"},
                                                   {"ollama/", "ollama"},
                                                   {"ollama_chat/", "ollama"},
                                                   {"llamafile/", "llamafile"},
                                                   {"lm_studio/", "lm studio"},
                                                   {"sglang/", "sglang"},
                                                   {"nvidia_nim/", "nvidia nim"}}};
  for (const Provider& provider : kProviders) {
    if (name.starts_with(provider.prefix)) return std::string(provider.engine);
  }
  return {};
}

}  // namespace unmask
