#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <llama.h>

#include "unmask/base/check.h"
#include "unmask/base/error.h"
#include "unmask/llm/chat.h"
#include "unmask/local/gguf_file.h"
#include "unmask/local/language_model.h"
#include "unmask/local/llama_log.h"
#include "unmask/local/plain_prompt.h"
#include "unmask/local/token_tree.h"

namespace unmask::local {
namespace {

/// Tokens that are evaluated at once, and of which a prompt's beginning is used again as a whole.
constexpr std::size_t kBlock = 64;

struct FreeModel {
  void operator()(llama_model* model) const { llama_model_free(model); }
};
struct FreeContext {
  void operator()(llama_context* context) const { llama_free(context); }
};
using ModelPointer = std::unique_ptr<llama_model, FreeModel>;
using ContextPointer = std::unique_ptr<llama_context, FreeContext>;

/// Sequences of a context. llama.cpp wants room for logits of each in a batch.
constexpr std::size_t kSequences = kBlock;
/// Branches of a tree that are evaluated together: each is a sequence, besides that of the text and
/// one that fills blocks up.
constexpr std::size_t kBranches = kSequences - 2;
constexpr llama_seq_id kFilling = kSequences - 1;
/// Tokens of a tree that are evaluated together; the cache has room for them besides the context.
constexpr std::size_t kTreeTokens = 512;
/// Blocks of a tree with more tokens are filled up with tokens of no use: for whole blocks
/// llama.cpp has a way to compute attention that is several times as fast, and more exact.
constexpr std::size_t kUnfilled = 16;

/// A batch of one sequence, or of a tree's.
class Batch {
 public:
  Batch()
      : batch_(llama_batch_init(static_cast<std::int32_t>(kBlock), 0,
                                static_cast<std::int32_t>(kSequences))) {}
  ~Batch() { llama_batch_free(batch_); }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  /// `tokens` at `position` and behind it; logits are wanted of those from `first_wanted` on.
  [[nodiscard]] llama_batch of(std::span<const Token> tokens, std::size_t position,
                               std::size_t first_wanted) {
    UNMASK_CHECK(tokens.size() <= kBlock);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      batch_.token[i] = tokens[i];
      batch_.pos[i] = static_cast<llama_pos>(position + i);
      batch_.n_seq_id[i] = 1;
      batch_.seq_id[i][0] = 0;
      batch_.logits[i] = position + i >= first_wanted ? 1 : 0;
    }
    batch_.n_tokens = static_cast<std::int32_t>(tokens.size());
    return batch_;
  }

  /// `tokens` of a part of `tree`, which stands at `position`; logits are wanted of all.
  [[nodiscard]] llama_batch of(std::span<const PartToken> tokens, std::span<const TreeToken> tree,
                               std::size_t position) {
    UNMASK_CHECK(tokens.size() <= kBlock);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const PartToken& each = tokens[i];
      batch_.token[i] = tree[each.index].token;
      batch_.pos[i] = static_cast<llama_pos>(position + each.depth);
      batch_.n_seq_id[i] = static_cast<std::int32_t>(each.end_branch - each.first_branch);
      for (std::size_t branch = each.first_branch; branch < each.end_branch; ++branch) {
        batch_.seq_id[i][branch - each.first_branch] = sequence_of(branch);
      }
      batch_.logits[i] = 1;
    }
    const std::size_t filled = tokens.size() > kUnfilled ? kBlock : tokens.size();
    for (std::size_t i = tokens.size(); i < filled; ++i) {
      batch_.token[i] = batch_.token[0];
      batch_.pos[i] = static_cast<llama_pos>(i - tokens.size());
      batch_.n_seq_id[i] = 1;
      batch_.seq_id[i][0] = kFilling;
      batch_.logits[i] = 0;
    }
    batch_.n_tokens = static_cast<std::int32_t>(filled);
    return batch_;
  }

  [[nodiscard]] static llama_seq_id sequence_of(std::size_t branch) {
    return static_cast<llama_seq_id>(branch + 1);
  }

 private:
  llama_batch batch_;
};

class LlamaModel final : public LanguageModel {
 public:
  LlamaModel(ModelPointer model, std::string chat_template)
      : model_(std::move(model)),
        vocabulary_(llama_model_get_vocab(model_.get())),
        chat_template_(std::move(chat_template)) {}

  /// False where the context can't be made: not enough memory.
  bool make_context(std::size_t tokens, int threads) {
    llama_context_params parameters = llama_context_default_params();
    // A model with a state in place of a cache has one sequence, which can't branch.
    has_branches_ = !llama_model_is_recurrent(model_.get()) && !llama_model_is_hybrid(model_.get());
    parameters.n_ctx =
        static_cast<std::uint32_t>(tokens + (has_branches_ ? kTreeTokens + kBlock : 0));
    parameters.n_seq_max = static_cast<std::uint32_t>(has_branches_ ? kSequences : 1);
    parameters.kv_unified = true;
    parameters.n_batch = static_cast<std::uint32_t>(kBlock);
    parameters.n_ubatch = static_cast<std::uint32_t>(kBlock);
    parameters.n_threads = threads;
    parameters.n_threads_batch = threads;
    parameters.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_ENABLED;
    parameters.swa_full = true;  // a prompt's beginning can be used again
    parameters.abort_callback = [](void* self) {
      return static_cast<LlamaModel*>(self)->stopped_.load();
    };
    parameters.abort_callback_data = this;
    context_.reset(llama_init_from_model(model_.get(), parameters));
    // The cache has room for more.
    context_tokens_ = tokens;
    return context_ != nullptr;
  }

  [[nodiscard]] std::size_t context_tokens() const override { return context_tokens_; }
  [[nodiscard]] std::size_t vocabulary_tokens() const override {
    return static_cast<std::size_t>(llama_vocab_n_tokens(vocabulary_));
  }

  [[nodiscard]] ModelResult<std::vector<Token>> tokens_of(std::string_view text,
                                                          bool is_prompt) const override {
    if (text.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()) / 2) {
      return model_failure(ModelFault::context_overflow, "the text is longer than any context");
    }
    const auto length = static_cast<std::int32_t>(text.size());
    std::vector<Token> tokens(text.size() + 8);
    const auto tokenise = [&] {
      // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): its length goes along
      return llama_tokenize(vocabulary_, text.data(), length, tokens.data(),
                            static_cast<std::int32_t>(tokens.size()), is_prompt, is_prompt);
    };
    std::int32_t count = tokenise();
    if (count < 0 && count > std::numeric_limits<std::int32_t>::min()) {
      // More tokens than bytes: blanks of three bytes, spelt out. It says how many.
      tokens.resize(static_cast<std::size_t>(-count));
      count = tokenise();
    }
    if (count < 0) return model_failure(ModelFault::failed, "the text can't be made tokens");
    tokens.resize(static_cast<std::size_t>(count));
    return tokens;
  }

  [[nodiscard]] std::string text_of(Token token) const override {
    std::array<char, 256> piece{};
    const std::int32_t length = llama_token_to_piece(
        vocabulary_, token, piece.data(), static_cast<std::int32_t>(piece.size()), 0, false);
    if (length >= 0) return {piece.data(), static_cast<std::size_t>(length)};
    std::string longer(static_cast<std::size_t>(-length), '\0');
    llama_token_to_piece(vocabulary_, token, longer.data(), -length, 0, false);
    return longer;
  }

  [[nodiscard]] bool ends_answer(Token token) const override {
    return llama_vocab_is_eog(vocabulary_, token);
  }

  [[nodiscard]] ModelResult<std::string> prompt_of(
      std::span<const llm::ChatMessage> messages) const override {
    if (chat_template_.empty()) return plain_prompt(messages);
    std::vector<std::string> roles;
    std::vector<std::string> contents;
    std::size_t bytes = 1024;
    for (const llm::ChatMessage& message : messages) {
      roles.emplace_back(name_of(message.role));
      contents.push_back(message.content.value_or(""));
      bytes += contents.back().size() + 64;
    }
    std::vector<llama_chat_message> chat;
    chat.reserve(messages.size());
    for (std::size_t i = 0; i < messages.size(); ++i) {
      chat.push_back({roles[i].c_str(), contents[i].c_str()});
    }
    std::string prompt(bytes, '\0');
    while (true) {
      const std::int32_t length =
          llama_chat_apply_template(chat_template_.c_str(), chat.data(), chat.size(), true,
                                    prompt.data(), static_cast<std::int32_t>(prompt.size()));
      if (length < 0) {
        return model_failure(ModelFault::failed,
                             "its chat template is none that llama.cpp's library knows; serve the "
                             "model with llama-server and give the endpoint's base_url");
      }
      const auto needed = static_cast<std::size_t>(length);
      const bool fits = needed <= prompt.size();
      prompt.resize(needed);
      if (fits) return prompt;
    }
  }

  [[nodiscard]] std::vector<std::string> answer_ends() const override {
    return chat_template_.empty() ? plain_ends() : std::vector<std::string>();
  }

  [[nodiscard]] ModelResult<std::span<const float>> evaluate(
      std::span<const Token> tokens) override {
    UNMASK_CHECK(!tokens.empty());
    if (const ModelResult<void> usable = check(tokens); !usable) {
      return tl::unexpected(usable.error());
    }
    const std::size_t kept = keep_common(tokens);
    if (const ModelResult<void> done = decode_from(tokens, kept, tokens.size() - 1, nullptr);
        !done) {
      return tl::unexpected(done.error());
    }
    return logits(-1);
  }

  [[nodiscard]] ModelResult<std::span<const float>> append(Token token) override {
    UNMASK_CHECK(!evaluated_.empty());
    if (evaluated_.size() >= context_tokens_) {
      return model_failure(ModelFault::context_overflow, "the context is full");
    }
    const std::array<Token, 1> one = {token};
    if (const ModelResult<void> usable = check(one); !usable) {
      return tl::unexpected(usable.error());
    }
    if (const ModelResult<void> done = decode(batch_.of(one, evaluated_.size(), evaluated_.size()));
        !done) {
      return tl::unexpected(done.error());
    }
    evaluated_.push_back(token);
    return logits(-1);
  }

  [[nodiscard]] ModelResult<void> evaluate_each(
      std::span<const Token> tokens, std::size_t first,
      const std::function<void(std::size_t, std::span<const float>)>& visit) override {
    if (const ModelResult<void> usable = check(tokens); !usable) return usable;
    forget();
    return decode_from(tokens, 0, first, &visit);
  }

  [[nodiscard]] ModelResult<void> evaluate_tree(std::span<const Token> beginning,
                                                std::span<const TreeToken> tree,
                                                const VisitPlace& visit,
                                                const std::function<bool()>& goes_on) override {
    if (!has_branches_) return evaluate_branches(*this, beginning, tree, visit, goes_on);
    if (const ModelResult<void> usable = check(beginning, tree); !usable) return usable;
    goes_on_ = &goes_on;
    const ModelResult<void> done = decode_tree(beginning, tree, visit);
    goes_on_ = nullptr;
    return done;
  }

  void stop() override { stopped_ = true; }

 private:
  [[nodiscard]] ModelResult<void> check(std::span<const Token> tokens) const {
    return check(tokens, tokens.size());
  }

  [[nodiscard]] ModelResult<void> check(std::span<const Token> tokens, std::size_t longest) const {
    if (longest > context_tokens_) {
      return model_failure(ModelFault::context_overflow, std::to_string(longest) +
                                                             " tokens, and the context holds " +
                                                             std::to_string(context_tokens_));
    }
    const auto known = static_cast<Token>(vocabulary_tokens());
    const bool all_known =
        std::ranges::all_of(tokens, [known](Token token) { return token >= 0 && token < known; });
    if (!all_known) {
      return model_failure(ModelFault::failed, "a token is not in the model's vocabulary");
    }
    return {};
  }

  [[nodiscard]] ModelResult<void> check(std::span<const Token> beginning,
                                        std::span<const TreeToken> tree) const {
    std::vector<std::size_t> length = {beginning.size()};  // of what each place ends
    std::vector<Token> tokens(beginning.begin(), beginning.end());
    for (const TreeToken& each : tree) {
      length.push_back(length.at(each.after) + 1);
      tokens.push_back(each.token);
    }
    return check(tokens, *std::ranges::max_element(length));
  }

  [[nodiscard]] ModelResult<void> decode_tree(std::span<const Token> beginning,
                                              std::span<const TreeToken> tree,
                                              const VisitPlace& visit) {
    const ModelResult<std::span<const float>> first = evaluate(beginning);
    if (!first) return tl::unexpected(first.error());
    visit(0, *first);
    for (const TreePart& part : parts_of(tree, kBranches, kTreeTokens)) {
      llama_memory_t memory = llama_get_memory(context_.get());
      for (std::size_t branch = 0; branch < part.branches; ++branch) {
        llama_memory_seq_cp(memory, 0, Batch::sequence_of(branch), -1, -1);
      }
      for (std::size_t at = 0; at < part.tokens.size(); at += kBlock) {
        const std::span<const PartToken> block =
            std::span(part.tokens).subspan(at, std::min(kBlock, part.tokens.size() - at));
        if (ModelResult<void> done = decode(batch_.of(block, tree, beginning.size())); !done) {
          return done;
        }
        for (std::size_t i = 0; i < block.size(); ++i) {
          if (block[i].is_new) {
            visit(block[i].index + 1, logits(static_cast<std::int32_t>(i)));
          }
        }
      }
      for (std::size_t branch = 0; branch < part.branches; ++branch) {
        llama_memory_seq_rm(memory, Batch::sequence_of(branch), -1, -1);
      }
      llama_memory_seq_rm(memory, kFilling, -1, -1);
    }
    return {};
  }

  void forget() {
    llama_memory_clear(llama_get_memory(context_.get()), true);
    evaluated_.clear();
    whole_ = 0;
  }

  /// Keeps of what was evaluated the whole blocks that `tokens` begins with too, but not all of
  /// `tokens`: the last one's logits are wanted. How many tokens were kept.
  std::size_t keep_common(std::span<const Token> tokens) {
    const auto differ = std::ranges::mismatch(evaluated_, tokens);
    const auto common = static_cast<std::size_t>(differ.in1 - evaluated_.begin());
    const std::size_t kept = std::min({common, whole_, tokens.size() - 1}) / kBlock * kBlock;
    // Recurrent models can't take back a part.
    const bool partly = kept > 0 && llama_memory_seq_rm(llama_get_memory(context_.get()), 0,
                                                        static_cast<llama_pos>(kept), -1);
    if (!partly) {
      forget();
      return 0;
    }
    evaluated_.resize(kept);
    whole_ = kept;
    return kept;
  }

  /// Evaluates the tokens behind the first `kept` in blocks. Logits are made of those from
  /// `first_wanted` on, and shown to `visit` if there is one.
  [[nodiscard]] ModelResult<void> decode_from(
      std::span<const Token> tokens, std::size_t kept, std::size_t first_wanted,
      const std::function<void(std::size_t, std::span<const float>)>* visit) {
    for (std::size_t at = kept; at < tokens.size(); at += kBlock) {
      const std::span<const Token> block = tokens.subspan(at, std::min(kBlock, tokens.size() - at));
      if (ModelResult<void> done = decode(batch_.of(block, at, first_wanted)); !done) return done;
      evaluated_.insert(evaluated_.end(), block.begin(), block.end());
      // Blocks whose logits are wanted may differ in the last bits.
      if (visit == nullptr && block.size() == kBlock) whole_ = evaluated_.size();
      if (visit == nullptr) continue;
      for (std::size_t i = 0; i < block.size(); ++i) {
        if (at + i >= first_wanted) (*visit)(at + i, logits(static_cast<std::int32_t>(i)));
      }
    }
    return {};
  }

  [[nodiscard]] ModelResult<void> decode(const llama_batch& batch) {
    if (stopped_ || (goes_on_ != nullptr && *goes_on_ && !(*goes_on_)())) {
      forget();
      return model_failure(ModelFault::stopped, "stopped");
    }
    std::int32_t status = 0;
    try {
      status = llama_decode(context_.get(), batch);
    } catch (const std::exception& error) {
      forget();
      return model_failure(ModelFault::failed, std::string("llama.cpp: ") + error.what());
    }
    if (status == 0) return {};
    forget();
    if (stopped_) return model_failure(ModelFault::stopped, "stopped");
    return model_failure(ModelFault::failed,
                         "llama.cpp can't evaluate the prompt (" + std::to_string(status) + ")");
  }

  [[nodiscard]] std::span<const float> logits(std::int32_t index) const {
    return {llama_get_logits_ith(context_.get(), index), vocabulary_tokens()};
  }

  ModelPointer model_;
  const llama_vocab* vocabulary_;
  std::string chat_template_;
  ContextPointer context_;
  std::size_t context_tokens_ = 0;
  Batch batch_;
  std::vector<Token> evaluated_;  ///< tokens that the context holds
  std::size_t whole_ = 0;         ///< of them, those that were evaluated in whole blocks
  bool has_branches_ = true;
  const std::function<bool()>* goes_on_ = nullptr;  ///< asked between blocks while it is set
  std::atomic<bool> stopped_ = false;
};

}  // namespace

bool has_llama() { return true; }

Result<std::unique_ptr<LanguageModel>> open_model(const ModelSettings& settings) {
  const std::string path = settings.file.string();
  const Result<GgufFile> file = read_gguf(settings.file);
  if (!file) return tl::unexpected(file.error());
  if (file->weights() == 0 || file->vocabulary_tokens == 0) {
    return fail(ErrorCode::bad_input,
                path + ": holds no model: no " + (file->weights() == 0 ? "weights" : "vocabulary"));
  }
  const auto trained = static_cast<std::size_t>(file->context_tokens);
  if (settings.context_tokens > trained && trained > 0) {
    return fail(ErrorCode::invalid_argument,
                path + ": its context is " + std::to_string(trained) + " tokens; ask for no more");
  }
  const std::size_t context = context_of(*file, settings.context_tokens);
  llama_log::begin();
  try {
    llama_model_params parameters = llama_model_default_params();
    parameters.check_tensors = true;
    ModelPointer model(llama_model_load_from_file(path.c_str(), parameters));
    if (model == nullptr) {
      return fail(ErrorCode::bad_input, path + ": llama.cpp can't load it" + llama_log::reason());
    }
    if (!llama_model_has_decoder(model.get()) || llama_model_has_encoder(model.get())) {
      return fail(ErrorCode::bad_input, path +
                                            ": no model that writes on from a text; give a "
                                            "decoder's file, such as llama's or qwen's");
    }
    auto opened = std::make_unique<LlamaModel>(std::move(model), file->chat_template);
    if (!opened->make_context(context, settings.threads)) {
      return fail(ErrorCode::outside, path + ": no room for a context of " +
                                          std::to_string(context) + " tokens; ask for fewer" +
                                          llama_log::reason());
    }
    return opened;
  } catch (const std::exception& error) {
    return fail(ErrorCode::bad_input, path + ": llama.cpp can't load it: " + error.what());
  }
}

}  // namespace unmask::local
