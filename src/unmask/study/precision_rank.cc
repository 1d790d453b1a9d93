#include "unmask/study/precision_rank.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>

#include "unmask/audit/audit.h"
#include "unmask/ingest/precision.h"

namespace unmask {

int precision_rank(const std::string& precision) {
  std::string word;
  for (const char c : precision)
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const PrecisionGuess guess = guess_precision(word);
  if (!guess.precision.empty()) word = guess.precision;
  if (word == "fp64") return 64;
  if (word == "fp32" || word == "f32") return 32;
  if (word == "bf16" || word == "fp16" || word == "f16") return 16;
  // `int4`, `fp8`, `q5`: the bits.
  const std::size_t digits = word.find_first_of("0123456789");
  if (digits == std::string::npos || digits == 0) return 0;
  return word[digits] - '0';
}

int precision_rank(const ArmInput& arm) {
  return std::max(precision_rank(arm.facts.name), precision_rank(arm.facts.identity.precision));
}

}  // namespace unmask
