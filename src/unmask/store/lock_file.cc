#include "unmask/store/lock_file.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "unmask/base/error.h"

namespace unmask::store {

namespace {

constexpr mode_t kMode = 0644;

std::string reason(int error_number) {
  return std::error_code(error_number, std::generic_category()).message();
}

/// The first line of a lock file.
std::string holder_of(int descriptor) {
  std::array<char, 64> text{};
  const ssize_t size = ::pread(descriptor, text.data(), text.size(), 0);
  if (size <= 0) return {};
  const std::string_view line(text.data(), static_cast<std::size_t>(size));
  return std::string(line.substr(0, line.find('\n')));
}

/// Whether `path` is still the file that was opened: who releases a lock removes its file.
bool is_same_file(int descriptor, const std::filesystem::path& path) {
  struct stat opened{};
  struct stat named{};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

}  // namespace

LockFile::LockFile(std::filesystem::path path, int descriptor)
    : path_(std::move(path)), descriptor_(descriptor) {}

LockFile::LockFile(LockFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

LockFile& LockFile::operator=(LockFile&& other) noexcept {
  if (this != &other) {
    release();
    path_ = std::move(other.path_);
    descriptor_ = std::exchange(other.descriptor_, -1);
  }
  return *this;
}

LockFile::~LockFile() { release(); }

void LockFile::release() {
  if (descriptor_ < 0) return;
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);  // while it is locked, so that nobody holds it
  ::close(descriptor_);
  descriptor_ = -1;
}

Result<LockFile> LockFile::take(const std::filesystem::path& run) {
  std::filesystem::path path = run;
  path += ".lock";
  while (true) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kMode);
    if (descriptor < 0) {
      return fail(ErrorCode::outside,
                  path.string() + ": can't be created (" + reason(errno) +
                      "), so the run can't be written. Choose a file in a folder that exists and "
                      "that you may write to.");
    }
    LockFile lock({}, descriptor);  // without a path: a failure leaves the file alone
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) {
        return fail(ErrorCode::outside, path.string() + ": can't be locked (" + reason(errno) +
                                            "). Choose a file on a local disk.");
      }
      const std::string holder = holder_of(descriptor);
      return fail(ErrorCode::outside,
                  run.string() + ": is being written by another run" +
                      (holder.empty() ? std::string() : " (process " + holder + ")") +
                      ". Wait for it or stop it; two runs can't share a file.");
    }
    if (!is_same_file(descriptor, path)) continue;
    const std::string line = std::to_string(::getpid()) + '\n';
    // Only for error messages: a disk that is too full for it doesn't matter.
    (void)!::ftruncate(descriptor, 0);
    (void)!::pwrite(descriptor, line.data(), line.size(), 0);
    lock.path_ = std::move(path);
    return lock;
  }
}

}  // namespace unmask::store
