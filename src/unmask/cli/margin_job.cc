#include "unmask/cli/margin_job.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/cli/run_job.h"
#include "unmask/cli/terminal.h"
#include "unmask/decisions/conversation.h"
#include "unmask/decisions/decision_log.h"
#include "unmask/decisions/decisions_file.h"
#include "unmask/decisions/decisions_writer.h"
#include "unmask/decisions/endpoint_scorer.h"
#include "unmask/decisions/local_scorer.h"
#include "unmask/decisions/log_contexts.h"
#include "unmask/decisions/paired_replay.h"
#include "unmask/decisions/scorer.h"
#include "unmask/decisions/tempting_options.h"
#include "unmask/episode/scored_decision.h"
#include "unmask/ingest/log_input.h"
#include "unmask/llm/endpoint.h"
#include "unmask/llm/secret.h"
#include "unmask/local/gguf_file.h"
#include "unmask/local/language_model.h"
#include "unmask/net/http_client.h"
#include "unmask/play/prompt_texts.h"
#include "unmask/report/producer.h"
#include "unmask/run/model.h"
#include "unmask/run/run_study.h"
#include "unmask/world/data_files.h"

namespace unmask::cli {
namespace {

/// A scorer with what it needs to live.
struct OpenScorer {
  std::unique_ptr<local::LanguageModel> model;
  std::unique_ptr<net::HttpClient> http;
  std::unique_ptr<decisions::Scorer> scorer;
};

Result<OpenScorer> open_gguf(const run::EndpointPlan& plan, const MarginJob& job,
                             const std::string& reference_tokenizer) {
  OpenScorer opened;
  Result<std::unique_ptr<local::LanguageModel>> model =
      local::open_model({.file = plan.gguf_path,
                         .context_tokens = plan.context,
                         .threads = static_cast<int>(plan.threads)});
  if (!model) return fail(model.error().code, plan.name + ": " + model.error().message);
  opened.model = std::move(*model);
  decisions::LocalScorerSettings settings;
  settings.arm.name = plan.name;
  settings.arm.model = plan.model.empty() ? plan.gguf_path.stem().string() : plan.model;
  if (plan.gguf_file) {
    settings.arm.precision = local::precision_text(*plan.gguf_file);
    settings.arm.bits_per_weight = plan.gguf_file->bits_per_weight();
  }
  settings.temperatures = job.temperatures;
  settings.likeliest = job.likeliest;
  settings.reference_tokenizer = reference_tokenizer;
  opened.scorer = std::make_unique<decisions::LocalScorer>(*opened.model, std::move(settings));
  return opened;
}

Result<OpenScorer> open_endpoint(const run::EndpointPlan& plan) {
  Result<llm::Secret> key = run::endpoint_key(plan, environment_variable);
  if (!key) return tl::unexpected(key.error());
  OpenScorer opened;
  Result<std::unique_ptr<net::HttpClient>> http = net::HttpClient::open();
  if (!http) return tl::unexpected(http.error());
  opened.http = std::move(*http);
  llm::Endpoint endpoint;
  endpoint.base_url = plan.base_url;
  endpoint.model = plan.model;
  endpoint.api_key = std::move(*key);
  endpoint.max_concurrency = plan.max_concurrency;
  endpoint.timeout =
      std::chrono::milliseconds(static_cast<std::int64_t>(plan.timeout_seconds * 1000));
  endpoint.retry.retries = plan.retries;
  ScoredArm arm;
  arm.name = plan.name;
  arm.model = plan.model.empty() ? llm::shown(endpoint) : plan.model;
  Result<std::unique_ptr<decisions::EndpointScorer>> scorer =
      decisions::EndpointScorer::open(std::move(endpoint), std::move(arm), *opened.http);
  if (!scorer) return fail(scorer.error().code, plan.name + ": " + scorer.error().message);
  opened.scorer = std::move(*scorer);
  return opened;
}

/// The texts that tau2-bench's agents were told, where its data are given.
Result<play::PromptTexts> prompt_texts(const MarginJob& job, const std::string& domain) {
  if (job.tau2_data.empty()) return play::own_prompt_texts();
  const Result<world::DataFiles> files = world::DataFiles::of_domain(job.tau2_data, domain);
  if (!files) return tl::unexpected(files.error());
  return play::read_prompt_texts(*files);
}

decisions::DecisionsHeader header_of(const MarginJob& job, const decisions::DecisionLog& log,
                                     const decisions::ContextBook& book) {
  decisions::DecisionsHeader header;
  header.producer = "unmask " + this_program().version;
  header.contexts = {{job.contexts, log.header.sha256}};
  header.contexts_sha256 = book.sha256();
  header.decisions = book.decisions().size();
  header.temperatures = job.temperatures;
  header.settings = {
      {"tempting", std::to_string(job.settings.tempting)},
      {"entities", std::to_string(job.settings.entities)},
      {"form",
       decisions::is_spoken_to_in_text(log.header)
           ? "as the log's model was asked: tools and calls in text"
           : "the log's model was asked with a template for tools; here tools and calls are "
             "in text"}};
  return header;
}

void complain_of_faults(const ScoredDecisions& scored, std::size_t arm) {
  std::map<std::string, std::size_t> faults;
  for (const ScoredDecision& decision : scored.decisions) {
    const std::string& fault = decision.arms.at(arm).fault;
    if (!fault.empty() && fault != decisions::kNotScored) ++faults[fault];
  }
  for (const auto& [fault, count] : faults) {
    std::string remedy;
    if (fault == "context_overflow") {
      remedy =
          "; the contexts are longer than the model's: serve it with a longer one, or give "
          "--context-tokens";
    }
    if (fault == "not_a_number") remedy = "; its logits are no numbers: is the file damaged?";
    complain(scored.arms[arm].name + ": " + std::to_string(count) + " of " +
             std::to_string(scored.decisions.size()) + " decisions have no scores: " + fault +
             remedy);
  }
}

Result<void> score_with(decisions::Scorer& scorer, std::size_t number,
                        const decisions::ContextBook& book, decisions::DecisionsWriter& writer,
                        const MarginJob& job) {
  const std::string name = scorer.arm().name;
  const Result<std::size_t> arm = writer.add_arm(scorer.arm());
  if (!arm) return tl::unexpected(arm.error());
  if ((number == 0) != (*arm == 0)) {
    return fail(ErrorCode::invalid_argument,
                job.output + ": its reference is " + writer.scored().arms.front().name + ", not " +
                    job.arms.front().name + "; give another file with -o");
  }
  ProgressBar bar("scoring " + name, job.quiet);
  const std::size_t all = book.decisions().size();
  std::size_t done = 0;
  Result<void> scored = score_arm(book, scorer, *arm, writer, [&](std::size_t count) {
    done = count;
    bar.update(count, all, "decisions");
    return !interrupted();
  });
  if (!scored && scored.error().code == ErrorCode::interrupted) {
    return fail(ErrorCode::interrupted, name + ": " + std::to_string(done) + " of " +
                                            std::to_string(all) +
                                            " decisions are scored; the same command goes on");
  }
  if (!scored) return fail(scored.error().code, name + ": " + scored.error().message);
  return {};
}

}  // namespace

Result<run::EndpointPlan> arm_plan(const std::string& text, const run::RunStudy* study) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    return fail(ErrorCode::invalid_argument,
                "'" + text +
                    "' is not NAME=MODEL; MODEL is a .gguf file, the URL of an endpoint "
                    "(http://localhost:8000/v1#model), or an endpoint of --study");
  }
  const std::string name = text.substr(0, equals);
  const std::string model = text.substr(equals + 1);
  run::EndpointPlan plan;
  if (const run::EndpointPlan* known = study == nullptr ? nullptr : study->find_endpoint(model)) {
    plan = *known;
  } else if (model.starts_with("http://") || model.starts_with("https://")) {
    const std::size_t hash = model.find('#');
    plan.base_url = model.substr(0, hash);
    if (hash != std::string::npos) plan.model = model.substr(hash + 1);
  } else if (model.ends_with(".gguf")) {
    plan.gguf = model;
  } else {
    return fail(ErrorCode::invalid_argument,
                name + ": '" + model + "' is neither a .gguf file nor a URL" +
                    (study == nullptr ? "; endpoints are named with --study"
                                      : " nor an endpoint of " + study->path));
  }
  plan.name = name;
  return plan;
}

Result<decisions::DecisionLog> decision_log(const std::string& path, bool quiet,
                                            Diagnostics& diagnostics) {
  const Result<std::vector<LogInput>> found = find_logs(path);
  if (!found) return tl::unexpected(found.error());
  if (found->size() != 1) {
    return fail(ErrorCode::invalid_argument, path + ": holds " + std::to_string(found->size()) +
                                                 " logs; name the one whose decisions are meant");
  }
  ProgressBar bar("reading", quiet);
  return decisions::read_decision_log(
      found->front(),
      [&bar](std::uint64_t done, std::uint64_t total) {
        bar.update(done, total, "B");
        return !interrupted();
      },
      diagnostics);
}

Result<ScoredDecisions> stored_scores(const std::string& path, Diagnostics& diagnostics) {
  Result<decisions::DecisionsFile> file = decisions::read_decisions(path, diagnostics);
  if (!file) return tl::unexpected(file.error());
  return std::move(file->scored);
}

Result<ScoredDecisions> replay_decisions(const MarginJob& job, Diagnostics& diagnostics) {
  // What is wrong with the arms shows before anything is read.
  run::RunStudy models;
  models.endpoints = job.arms;
  if (const Result<void> found = run::find_ggufs(models, environment_variable); !found) {
    return tl::unexpected(found.error());
  }
  const Result<decisions::DecisionLog> log = decision_log(job.contexts, job.quiet, diagnostics);
  if (!log) return tl::unexpected(log.error());
  decisions::TemptingOptions tempting;
  if (const Result<void> added = decisions::add_tempting(log->header, log->episodes, tempting);
      !added) {
    return tl::unexpected(added.error());
  }
  for (const std::string& path : job.names_from) {
    const Result<decisions::DecisionLog> other = decision_log(path, job.quiet, diagnostics);
    if (!other) return tl::unexpected(other.error());
    if (const Result<void> added =
            decisions::add_tempting(other->header, other->episodes, tempting);
        !added) {
      return tl::unexpected(added.error());
    }
  }
  decisions::ContextSettings settings = job.settings;
  Result<play::PromptTexts> texts = prompt_texts(job, log->header.domain);
  if (!texts) return tl::unexpected(texts.error());
  settings.texts = std::move(*texts);
  const Result<decisions::LogContexts> contexts =
      decisions::LogContexts::open(log->header, std::move(settings), std::move(tempting));
  if (!contexts) return tl::unexpected(contexts.error());
  const decisions::ContextBook book(
      log->episodes.size(),
      [&](std::size_t episode) { return contexts->contexts_of(log->episodes[episode]); }, job.most);
  if (book.decisions().empty()) {
    return fail(ErrorCode::bad_input, job.contexts + ": holds no decision of the kinds asked for");
  }
  Result<decisions::DecisionsWriter> writer = decisions::DecisionsWriter::open(
      job.output, header_of(job, *log, book), book.decisions(), diagnostics);
  if (!writer) return tl::unexpected(writer.error());
  std::string reference_tokenizer;
  for (std::size_t i = 0; i < models.endpoints.size(); ++i) {
    const run::EndpointPlan& plan = models.endpoints[i];
    const Result<OpenScorer> opened =
        plan.gguf.empty() ? open_endpoint(plan) : open_gguf(plan, job, reference_tokenizer);
    if (!opened) return tl::unexpected(opened.error());
    if (const Result<void> scored = score_with(*opened->scorer, i, book, *writer, job); !scored) {
      return tl::unexpected(scored.error());
    }
    if (i == 0) reference_tokenizer = opened->scorer->arm().tokenizer;
  }
  const ScoredDecisions& all = writer->scored();
  for (std::size_t i = 0; i < all.arms.size(); ++i) {
    complain_of_faults(all, i);
    const std::string_view why =
        i == 0 ? std::string_view() : decisions::why_no_divergence(all.arms.front(), all.arms[i]);
    if (!why.empty()) {
      complain(all.arms[i].name + ": no divergence from the reference: " + std::string(why));
    }
  }
  return all;
}

}  // namespace unmask::cli
