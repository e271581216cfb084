// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/OutputFolder.h"

#include "profiler/data/Text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

namespace tilescope::profiler {

bool isFileName(std::string_view name) {
  // File systems take 255 bytes; an ending may follow.
  constexpr size_t kLongest = 240;
  const auto isBad = [](char c) { return c == '/' || uint8_t(c) < 0x20 || c == 0x7f; };
  return !name.empty() && name.size() <= kLongest && name[0] != '.' && name[0] != '-' &&
         std::ranges::none_of(name, isBad) && !firstInvalidUtf8(name);
}

Status checkFileName(std::string_view what, std::string_view name) {
  if (isFileName(name))
    return {};
  std::string shown(name.substr(0, 80));
  return Error{ErrorCode::InvalidInput,
               "the " + std::string(what) + " name `" + printableLine(shown) +
                   (shown.size() < name.size() ? "…" : "") + "` cannot be the name of a file",
               "names have no `/` and no control characters, and begin with neither `.` nor `-`"};
}

static Error folderError(const std::string &what, const std::string &path, int number) {
  return {ErrorCode::Environment, "cannot " + what + " `" + path + "`: " + std::strerror(number),
          ""};
}

Result<OutputFolder> OutputFolder::open(const std::string &path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    return folderError("open the folder", path, errno);
  return OutputFolder(path, descriptor);
}

Result<OutputFolder> OutputFolder::make(const std::string &path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error)
    return folderError("make the folder", path, error.value());
  return open(path);
}

OutputFolder::~OutputFolder() {
  if (m_descriptor >= 0)
    close(m_descriptor);
}

Status OutputFolder::write(const std::string &name, std::string_view bytes) const {
  if (Status status = checkFileName("file", name); !status)
    return status;
  struct stat facts = {};
  if (fstatat(m_descriptor, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
      !S_ISREG(facts.st_mode))
    return Error{ErrorCode::InvalidInput,
                 "cannot write `" + pathOf(name) + "`: there is a " +
                     (S_ISLNK(facts.st_mode)   ? "symbolic link"
                      : S_ISDIR(facts.st_mode) ? "folder"
                                               : "pipe or device") +
                     " with this name",
                 ""};
  if (const int number = replaceFile(m_descriptor, name, bytes))
    return folderError("write", pathOf(name), number);
  return {};
}

Result<OutputFolder> OutputFolder::folder(const std::string &name) const {
  if (Status status = checkFileName("folder", name); !status)
    return status.error();
  if (mkdirat(m_descriptor, name.c_str(), 0777) != 0 && errno != EEXIST)
    return folderError("make the folder", pathOf(name), errno);
  const int descriptor =
      openat(m_descriptor, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0)
    return folderError("open the folder", pathOf(name), errno);
  return OutputFolder(pathOf(name), descriptor);
}

int writeAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return errno;
    bytes.remove_prefix(size_t(written));
  }
  return 0;
}

/// A name that cannot be foreseen and prepared.
static std::string temporaryName() {
  std::random_device random;
  std::array<char, 40> name = {};
  std::snprintf(name.data(), name.size(), ".tilescope-%08x%08x", random(), random());
  return name.data();
}

int replaceFile(int folder, const std::string &name, std::string_view bytes) {
  const std::string temporary = temporaryName();
  const int file =
      openat(folder, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0)
    return errno;
  int number = writeAll(file, bytes);
  struct stat facts = {};
  if (number == 0 && fstatat(folder, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0)
    fchmod(file, facts.st_mode & 07777);
  if (close(file) != 0 && number == 0)
    number = errno;
  if (number == 0 && renameat(folder, temporary.c_str(), folder, name.c_str()) != 0)
    number = errno;
  if (number != 0)
    unlinkat(folder, temporary.c_str(), 0);
  return number;
}

} // namespace tilescope::profiler
