#include "unmask/ingest/episode_sink.h"

namespace unmask {

bool EpisodeSink::wants_transcripts() const { return false; }

bool EpisodeSink::wants_task_texts() const { return wants_transcripts(); }

bool EpisodeSink::wants_read_ahead() const { return false; }

bool EpisodeSink::progress(std::uint64_t /*done*/, std::uint64_t /*total*/) { return true; }

}  // namespace unmask
