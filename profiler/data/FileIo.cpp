// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/FileIo.h"

#include "profiler/data/OutputFolder.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <new>
#include <sys/stat.h>
#include <unistd.h>

namespace tilescope::profiler {

static Error fileError(const std::string &what, const std::string &path, int number) {
  return {ErrorCode::InvalidInput,
          "cannot " + what + " `" + path + "`: " + std::strerror(number ? number : EIO), ""};
}

static Error unreadable(const std::string &path, const std::string &why) {
  return {ErrorCode::InvalidInput, "cannot read `" + path + "`: " + why, ""};
}

namespace {
/// An open file that closes itself.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0)
      close(number);
  }
};
} // namespace

static const char *kindName(mode_t mode) {
  return S_ISDIR(mode)    ? "it is a folder"
         : S_ISFIFO(mode) ? "it is a pipe, not a file"
         : S_ISSOCK(mode) ? "it is a socket, not a file"
                          : "it is a device, not a file";
}

static std::string mebibytes(uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

/// Also files of `/proc`, which state no size: what counts is how much comes.
static Result<std::string> readAll(int file, const std::string &path, uint64_t expected,
                                   uint64_t largest) {
  constexpr size_t kStep = 1 << 16;
  const auto tooLarge = [&] { return unreadable(path, "it is larger than " + mebibytes(largest)); };
  if (expected > largest)
    return tooLarge();
  try {
    std::string bytes;
    for (size_t size = 0;;) {
      bytes.resize(std::max<size_t>(size + 1, expected + 1));
      const ssize_t count = read(file, bytes.data() + size, bytes.size() - size);
      if (count < 0 && errno == EINTR)
        continue;
      if (count < 0)
        return fileError("read", path, errno);
      size += size_t(count);
      if (size > largest)
        return tooLarge();
      if (count == 0) {
        bytes.resize(size);
        return bytes;
      }
      expected = std::max<uint64_t>(expected, size + kStep);
    }
  } catch (const std::bad_alloc &) {
    return unreadable(path, "its " + mebibytes(expected) + " do not fit into memory");
  }
}

Result<std::string> readFile(const std::string &path, uint64_t largestBytes) {
  // A path with a zero byte would name another file.
  if (path.find('\0') != std::string::npos)
    return fileError("read", path, EINVAL);
  // Opening a pipe would wait for its writer.
  const Descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
  if (file.number < 0)
    return fileError("read", path, errno);
  struct stat facts = {};
  if (fstat(file.number, &facts) != 0)
    return fileError("read", path, errno);
  if (!S_ISREG(facts.st_mode))
    return unreadable(path, kindName(facts.st_mode));
  return readAll(file.number, path, uint64_t(facts.st_size), largestBytes);
}

Error inFile(const std::string &path, Error error) {
  error.message = "`" + path + "`: " + error.message;
  return error;
}

Result<std::string> readTextFile(const std::string &path) {
  Result<std::string> text = readFile(path, kLargestTextBytes);
  if (!text)
    return text;
  Error error = unreadable(path, "");
  error.hint = "source and IR files are UTF-8 text";
  if (text->starts_with("\xff\xfe") || text->starts_with("\xfe\xff"))
    error.message += "it is in UTF-16, not in UTF-8";
  else if (const size_t zero = text->find('\0'); zero != std::string::npos)
    error.message += "it is not text: its byte " + std::to_string(zero) + " is zero";
  else
    return text;
  return error;
}

/// Devices, pipes and terminals take the bytes as they are.
static Status writeInto(const std::string &path, std::string_view bytes) {
  const Descriptor file{open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
  if (file.number < 0)
    return errno == ENXIO ? Error{ErrorCode::InvalidInput,
                                  "cannot write `" + path + "`: nothing reads from this pipe", ""}
                          : fileError("write", path, errno);
  // From here on a reader may take its time.
  fcntl(file.number, F_SETFL, fcntl(file.number, F_GETFL) & ~O_NONBLOCK);
  if (const int number = writeAll(file.number, bytes))
    return fileError("write", path, number);
  return {};
}

Status writeFile(const std::string &path, std::string_view bytes) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::directory)
    return fileError("write", path, EISDIR);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    return writeInto(path, bytes);
  // The file that a link leads to is replaced, not the link.
  std::filesystem::path target = path;
  if (std::filesystem::is_symlink(std::filesystem::symlink_status(path, error))) {
    target = std::filesystem::canonical(path, error);
    if (error)
      return fileError("write", path, error.value());
  }
  const std::string folder = target.has_parent_path() ? target.parent_path().string() : ".";
  const Descriptor parent{open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (parent.number < 0)
    return fileError("write", path, errno);
  if (target.filename().empty())
    return fileError("write", path, EISDIR);
  if (const int number = replaceFile(parent.number, target.filename().string(), bytes))
    return fileError("write", path, number);
  return {};
}

Status requireFolder(const std::string &path, std::string_view what) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    return {};
  const bool exists = std::filesystem::exists(std::filesystem::symlink_status(path, error));
  return Error{
      ErrorCode::InvalidInput,
      "`" + std::string(what) +
          "`: " + (exists ? "`" + path + "` is not a folder" : "there is no folder `" + path + "`"),
      ""};
}

} // namespace tilescope::profiler
