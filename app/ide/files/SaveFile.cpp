// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/files/SaveFile.h"

#include "profiler/data/FileIo.h"
#include "profiler/data/OutputFolder.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <vector>

namespace tilescope::app {

namespace fs = std::filesystem;

static constexpr int kMaxLinks = 40;

namespace {

/// A file descriptor that is closed when it goes.
class Descriptor {
public:
  explicit Descriptor(int fd) : m_fd(fd) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() {
    if (m_fd >= 0)
      close(m_fd);
  }
  explicit operator bool() const { return m_fd >= 0; }
  int get() const { return m_fd; }

private:
  int m_fd;
};

} // namespace

static Error failure(const std::string &path, const std::string &reason) {
  return {ErrorCode::InvalidInput, "cannot write `" + path + "`: " + reason, ""};
}

static Error systemFailure(const std::string &path, int number = errno) {
  return failure(path, std::strerror(number ? number : EIO));
}

static FileStamp stampOf(const struct stat &state) {
  const auto nanoseconds = [](const timespec &t) { return t.tv_sec * 1000000000ll + t.tv_nsec; };
  return {state.st_dev, state.st_ino, static_cast<uint64_t>(state.st_size),
          nanoseconds(state.st_mtim), nanoseconds(state.st_ctim)};
}

static bool forbidsWriting(const std::string &path, const struct stat &state) {
  return (state.st_mode & 0222) == 0 || faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0;
}

std::optional<FileStamp> fileStamp(const std::string &path) {
  struct stat state {};
  if (stat(path.c_str(), &state) != 0)
    return std::nullopt;
  return stampOf(state);
}

bool isWriteProtected(const std::string &path) {
  struct stat state {};
  return stat(path.c_str(), &state) == 0 && forbidsWriting(path, state);
}

/// A name that cannot be foreseen, in the folder of `target`.
static fs::path temporaryName(const fs::path &target) {
  uint64_t random = 0;
  if (getrandom(&random, sizeof random, 0) != sizeof random)
    return {};
  char digits[20];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(random));
  return target.parent_path() /
         ("." + target.filename().string().substr(0, 200) + "." + digits + ".part");
}

/// Access lists and what else hangs on a file. Labels of the system are its own business.
static bool copyAttributes(int from, int to) {
  std::vector<char> names(65536);
  const ssize_t size = flistxattr(from, names.data(), names.size());
  if (size < 0)
    return errno == ENOTSUP;
  std::vector<char> value(65536);
  for (const char *name = names.data(); name < names.data() + size; name += std::strlen(name) + 1) {
    const ssize_t length = fgetxattr(from, name, value.data(), value.size());
    const bool copied =
        length >= 0 && fsetxattr(to, name, value.data(), static_cast<size_t>(length), 0) == 0;
    if (!copied && std::strncmp(name, "security.", 9) != 0)
      return false;
  }
  return true;
}

static bool keepProperties(const fs::path &target, const struct stat &old, int fd) {
  const Descriptor source(open(target.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat now {};
  if (!source || fstat(fd, &now) != 0)
    return false;
  if ((now.st_uid != old.st_uid || now.st_gid != old.st_gid) &&
      fchown(fd, old.st_uid, old.st_gid) != 0)
    return false;
  return fchmod(fd, old.st_mode & 07777) == 0 && copyAttributes(source.get(), fd);
}

static bool syncFolderOf(const fs::path &target) {
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  const Descriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some file systems cannot; then there is nothing to wait for.
  return opened && (fsync(opened.get()) == 0 || errno == EINVAL || errno == ENOTSUP);
}

/// Reserves the space first, so that a full disk is met before the old bytes are touched.
static Result<FileStamp> writeInPlace(const std::string &path, const fs::path &target,
                                      const struct stat &old, std::string_view bytes) {
  const Descriptor file(open(target.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!file)
    return systemFailure(path);
  const auto size = static_cast<off_t>(bytes.size());
  const int reserved = size > old.st_size ? posix_fallocate(file.get(), 0, size) : 0;
  if (reserved != 0 && reserved != EOPNOTSUPP && reserved != EINVAL) {
    // What was reserved goes again; the reason is the message.
    if (ftruncate(file.get(), old.st_size) == 0)
      errno = reserved;
    return systemFailure(path);
  }
  struct stat now {};
  if (const int number = profiler::writeAll(file.get(), bytes))
    return systemFailure(path, number);
  if (ftruncate(file.get(), size) != 0 || fsync(file.get()) != 0 || fstat(file.get(), &now) != 0)
    return systemFailure(path);
  return stampOf(now);
}

/// The file at the end of links, also one that does not exist yet.
static fs::path followLinks(fs::path path) {
  for (int i = 0; i < kMaxLinks; ++i) {
    std::error_code error;
    if (!fs::is_symlink(path, error))
      return path;
    const fs::path next = fs::read_symlink(path, error);
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path;
}

Result<FileStamp> saveFile(const std::string &path, std::string_view bytes) {
  struct stat old {};
  const bool exists = stat(path.c_str(), &old) == 0;
  if (!exists && errno != ENOENT)
    return systemFailure(path);
  if (exists && S_ISDIR(old.st_mode))
    return failure(path, "it is a folder");
  if (exists && !S_ISREG(old.st_mode)) {
    if (const Status status = profiler::writeFile(path, bytes); !status)
      return status.error();
    return stampOf(old);
  }
  const fs::path target = followLinks(path);
  if (exists && forbidsWriting(target, old))
    return failure(path, "it is write-protected");
  if (exists && old.st_nlink > 1)
    return writeInPlace(path, target, old, bytes);

  const fs::path temporary = temporaryName(target);
  const Descriptor file(
      open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, exists ? 0600 : 0666));
  if (!file)
    return exists && (errno == EACCES || errno == EPERM) ? writeInPlace(path, target, old, bytes)
                                                         : systemFailure(path);
  if (exists && !keepProperties(target, old, file.get())) {
    unlink(temporary.c_str());
    return writeInPlace(path, target, old, bytes);
  }
  struct stat now {};
  int number = profiler::writeAll(file.get(), bytes);
  if (number == 0 && (fsync(file.get()) != 0 || rename(temporary.c_str(), target.c_str()) != 0 ||
                      fstat(file.get(), &now) != 0))
    number = errno;
  if (number != 0) {
    unlink(temporary.c_str());
    return systemFailure(path, number);
  }
  if (!syncFolderOf(target))
    return systemFailure(path);
  return stampOf(now);
}

} // namespace tilescope::app
