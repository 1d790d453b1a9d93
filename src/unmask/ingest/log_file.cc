#include "unmask/ingest/log_file.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unmask/ingest/missing_path.h"

namespace unmask {

namespace {

std::string reason(int error_number) { return std::generic_category().message(error_number); }

tl::unexpected<Error> cannot_open(const std::string& name, int error_number) {
  if (error_number == ENOENT || error_number == ENOTDIR) {
    return fail(ErrorCode::bad_input, name + ": no such file" + missing_path_hint(name));
  }
  std::string message = name + ": can't be opened: " + reason(error_number);
  if (error_number == EACCES) message += "; ask for read permission (chmod +r)";
  return fail(ErrorCode::outside, std::move(message));
}

}  // namespace

/// An open file, closed with its last user.
class LogFile::Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { ::close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

/// Reads at its own position, so that passes don't disturb each other.
class LogFile::Stream final : public ByteStream {
 public:
  Stream(std::shared_ptr<Descriptor> descriptor, std::string name, std::uint64_t position = 0)
      : descriptor_(std::move(descriptor)),
        name_(std::move(name)),
        position_(static_cast<off_t>(position)) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    for (;;) {
      const ssize_t got = ::pread(descriptor_->number(), buffer.data(), buffer.size(), position_);
      if (got >= 0) {
        position_ += got;
        return static_cast<std::size_t>(got);
      }
      if (errno != EINTR) {
        return fail(ErrorCode::outside, name_ + ": can't be read: " + reason(errno));
      }
    }
  }

 private:
  std::shared_ptr<Descriptor> descriptor_;
  std::string name_;
  off_t position_;
};

namespace {

/// Copies everything that `from` still has to a temporary file without a name; its descriptor.
Result<int> spool(int from, const std::string& name) {
  std::FILE* const temporary = std::tmpfile();
  if (temporary == nullptr) {
    return fail(ErrorCode::outside, name + ": no temporary file can be made: " + reason(errno) +
                                        "; save the input to a file and give its path");
  }
  const int to = ::fcntl(::fileno(temporary), F_DUPFD_CLOEXEC, 0);
  std::fclose(temporary);
  if (to < 0) return fail(ErrorCode::outside, name + ": " + reason(errno));
  std::vector<char> buffer(std::size_t{1} << 18U);
  for (;;) {
    const ssize_t got = ::read(from, buffer.data(), buffer.size());
    if (got == 0) return to;
    if (got < 0) {
      if (errno == EINTR) continue;
      const int error_number = errno;
      ::close(to);
      return fail(ErrorCode::outside, name + ": can't be read: " + reason(error_number));
    }
    for (ssize_t written = 0; written < got;) {
      const ssize_t put =
          ::write(to, buffer.data() + written, static_cast<std::size_t>(got - written));
      if (put < 0 && errno != EINTR) {
        const int error_number = errno;
        ::close(to);
        return fail(ErrorCode::outside,
                    name + ": can't be copied to a temporary file: " + reason(error_number));
      }
      if (put > 0) written += put;
    }
  }
}

}  // namespace

Result<LogFile> LogFile::open(const std::string& path) {
  LogFile file;
  const bool standard_input = path == kStandardInput;
  file.name_ = standard_input ? "standard input" : path;
  const int number = standard_input ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                    : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (number < 0) return cannot_open(file.name_, errno);
  file.descriptor_ = std::make_shared<Descriptor>(number);
  struct stat status{};
  if (::fstat(number, &status) != 0) return cannot_open(file.name_, errno);
  if (S_ISDIR(status.st_mode)) {
    return fail(ErrorCode::bad_input, file.name_ + ": is a folder, not a file");
  }
  if (!S_ISREG(status.st_mode)) {
    const auto spooled = spool(number, file.name_);
    if (!spooled) return tl::unexpected(spooled.error());
    file.descriptor_ = std::make_shared<Descriptor>(*spooled);
    if (::fstat(*spooled, &status) != 0) return cannot_open(file.name_, errno);
  }
  file.bytes_ = static_cast<std::uint64_t>(status.st_size);
  std::array<char, 4> magic{};
  Stream first(file.descriptor_, file.name_);
  const auto got = first.read(magic);
  if (!got) return tl::unexpected(got.error());
  file.compression_ = compression_of(std::string_view(magic.data(), *got));
  return file;
}

Result<std::size_t> LogFile::read_at(std::uint64_t offset, std::span<char> buffer) const {
  return Stream(descriptor_, name_, offset).read(buffer);
}

LogFile::Pass LogFile::start() const {
  Pass pass;
  pass.packed_ = std::make_unique<DigestStream>(std::make_unique<Stream>(descriptor_, name_));
  pass.unpacked_ = unpack(*pass.packed_, compression_, name_);
  return pass;
}

Result<std::string> LogFile::Pass::sha256() {
  std::vector<char> buffer(std::size_t{1} << 18U);
  for (;;) {
    const auto got = packed_->read(buffer);
    if (!got) return tl::unexpected(got.error());
    if (*got == 0) return packed_->sha256();
  }
}

Result<std::string> LogFile::first_bytes(std::size_t limit) const {
  Pass pass = start();
  std::string bytes(limit, '\0');
  std::size_t filled = 0;
  while (filled < limit) {
    const auto got = pass.read(std::span<char>(bytes).subspan(filled));
    if (!got) {
      if (got.error().code != ErrorCode::bad_input || filled == 0) {
        return tl::unexpected(got.error());
      }
      break;
    }
    if (*got == 0) break;
    filled += *got;
  }
  bytes.resize(filled);
  return bytes;
}

}  // namespace unmask
