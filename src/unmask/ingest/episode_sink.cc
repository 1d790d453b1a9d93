#include "unmask/ingest/episode_sink.h"

namespace unmask {

bool EpisodeSink::progress(std::uint64_t /*done*/, std::uint64_t /*total*/) { return true; }

}  // namespace unmask
