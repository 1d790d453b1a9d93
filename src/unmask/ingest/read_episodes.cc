#include "unmask/ingest/read_episodes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/ingest/byte_stream.h"
#include "unmask/ingest/importer.h"
#include "unmask/ingest/log_file.h"

namespace unmask {

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18U;

tl::unexpected<Error> too_short(const std::string& name, std::uint64_t offset,
                                std::uint64_t length) {
  return fail(ErrorCode::bad_input, name + ": ends before byte " + std::to_string(offset + length) +
                                        ", where an episode did when it was first read; restore "
                                        "the file, or read it anew");
}

Result<Episode> read_one(const Importer& importer, const LogHeader& header, RangeReader& reader,
                         const EpisodeRef& ref) {
  const auto text = reader.read(ref.offset, ref.length);
  if (!text) return tl::unexpected(text.error());
  auto episode = importer.episode(*text, header);
  if (!episode) {
    return fail(episode.error().code, header.files[ref.file] + ": the episode at byte " +
                                          std::to_string(ref.offset) +
                                          " can't be read again: " + episode.error().message +
                                          "; if the file changed, read it anew");
  }
  episode->ref = ref;
  return episode;
}

}  // namespace

Result<std::string> RangeReader::read(std::uint64_t offset, std::uint64_t length) {
  if (file_.compression() != Compression::none) return unpack_range(offset, length);
  const std::uint64_t size = file_.bytes_on_disk();
  if (offset > size || length > size - offset) return too_short(file_.name(), offset, length);
  std::string text(length, '\0');
  std::size_t filled = 0;
  while (filled < text.size()) {
    const auto got = file_.read_at(offset + filled, std::span<char>(text).subspan(filled));
    if (!got) return tl::unexpected(got.error());
    if (*got == 0) return too_short(file_.name(), offset, length);
    filled += *got;
  }
  return text;
}

Result<std::string> RangeReader::unpack_range(std::uint64_t offset, std::uint64_t length) {
  if (!pass_ || position_ > offset) {
    pass_ = file_.start();
    position_ = 0;
  }
  std::string text;
  buffer_.resize(kChunk);
  while (text.size() < length) {
    const std::uint64_t ahead = position_ < offset ? offset - position_ : length - text.size();
    const auto want = static_cast<std::size_t>(std::min<std::uint64_t>(ahead, buffer_.size()));
    const auto got = pass_->read(std::span<char>(buffer_).first(want));
    if (!got) return tl::unexpected(got.error());
    if (*got == 0) return too_short(file_.name(), offset, length);
    if (position_ >= offset) text.append(buffer_.data(), *got);
    position_ += *got;
  }
  return text;
}

void read_episodes(const LogHeader& header, std::span<const EpisodeRef> refs,
                   const EpisodeTaker& take) {
  const Importer* const importer = importer_of(header.format);
  std::vector<std::size_t> order(refs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t number) {
    return std::tuple(refs[number].file, refs[number].offset);
  });
  std::optional<Result<RangeReader>> reader;
  std::uint32_t open_file = 0;
  for (const std::size_t number : order) {
    const EpisodeRef& ref = refs[number];
    if (importer == nullptr || ref.file >= header.files.size()) {
      const std::string why = importer == nullptr
                                  ? "no format '" + header.format + "' is known"
                                  : "the log has no file number " + std::to_string(ref.file);
      if (!take(number, fail(ErrorCode::invalid_argument, header.file + ": " + why))) return;
      continue;
    }
    if (!reader || open_file != ref.file) {
      open_file = ref.file;
      reader = LogFile::open(header.files[ref.file]).map([](LogFile file) {
        return RangeReader(std::move(file));
      });
    }
    Result<Episode> episode = *reader ? read_one(*importer, header, **reader, ref)
                                      : Result<Episode>(tl::unexpected(reader->error()));
    if (!take(number, std::move(episode))) return;
  }
}

Result<Episode> read_episode(const LogHeader& header, const EpisodeRef& ref) {
  Result<Episode> only = fail(ErrorCode::invalid_argument, "no episode");
  read_episodes(header, std::span(&ref, 1), [&only](std::size_t /*number*/, Result<Episode> found) {
    only = std::move(found);
    return true;
  });
  return only;
}

}  // namespace unmask
