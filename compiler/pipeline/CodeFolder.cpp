// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/CodeFolder.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace tilescope::compiler {

namespace fs = std::filesystem;

static constexpr std::string_view kMagic = "tilescope code 1\n", kSuffix = ".code";
/// The magic, the key, and the key of the bytes.
static constexpr size_t kHeadBytes = kMagic.size() + 2 * sizeof(ContentKey);

namespace {
/// An open file, closed in the end.
struct File {
  explicit File(int number) : number(number) {}
  ~File() {
    if (number >= 0)
      close(number);
  }
  File(const File &) = delete;
  File &operator=(const File &) = delete;

  int number;
};
} // namespace

/// Whether nobody but the user can have written to it.
static bool isPrivate(const struct stat &facts) {
  return facts.st_uid == geteuid() && (facts.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static bool isPrivateFolder(const std::string &path) {
  struct stat facts{};
  return lstat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) && isPrivate(facts);
}

static std::string nameOf(const ContentKey &key) {
  std::array<char, 33> text{};
  std::snprintf(text.data(), text.size(), "%016llx%016llx", static_cast<unsigned long long>(key[0]),
                static_cast<unsigned long long>(key[1]));
  return text.data() + std::string(kSuffix);
}

static std::string headOf(const ContentKey &key, std::string_view bytes) {
  const ContentKey content = KeyBuilder().add(bytes).key();
  std::string head(kMagic);
  for (const ContentKey &each : {key, content})
    head.append(reinterpret_cast<const char *>(each.data()), sizeof(each));
  return head;
}

static bool readAll(int file, std::string &bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = read(file, bytes.data() + done, bytes.size() - done);
    if (count <= 0)
      return false;
    done += static_cast<size_t>(count);
  }
  return true;
}

static bool writeAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(file, bytes.data(), bytes.size());
    if (count <= 0)
      return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

CodeFolder::CodeFolder(std::string path, uint64_t mostBytes)
    : m_path(std::move(path)), m_mostBytes(mostBytes) {}

std::optional<std::string> CodeFolder::find(const ContentKey &key) const {
  if (m_path.empty() || !isPrivateFolder(m_path))
    return std::nullopt;
  const File file(
      open((m_path + "/" + nameOf(key)).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat facts{};
  if (file.number < 0 || fstat(file.number, &facts) != 0 || !S_ISREG(facts.st_mode) ||
      !isPrivate(facts))
    return std::nullopt;
  const auto size = static_cast<uint64_t>(facts.st_size);
  if (size < kHeadBytes || size > m_mostBytes)
    return std::nullopt;
  std::string bytes(size, '\0');
  if (!readAll(file.number, bytes))
    return std::nullopt;
  std::string content = bytes.substr(kHeadBytes);
  bytes.resize(kHeadBytes);
  if (bytes != headOf(key, content))
    return std::nullopt;
  // The time of the last use; a folder that cannot be written to keeps the old one.
  futimens(file.number, nullptr);
  return content;
}

void CodeFolder::insert(const ContentKey &key, std::string_view bytes) const {
  if (m_path.empty() || kHeadBytes + bytes.size() > m_mostBytes)
    return;
  std::error_code error;
  fs::create_directories(fs::path(m_path).parent_path(), error);
  mkdir(m_path.c_str(), S_IRWXU);
  if (!isPrivateFolder(m_path))
    return;
  // Whoever reads finds the whole file or none; the mode is 0600.
  std::string temporary = m_path + "/new-XXXXXX";
  bool isWhole = false;
  {
    const File file(mkostemp(temporary.data(), O_CLOEXEC));
    if (file.number < 0)
      return;
    isWhole = writeAll(file.number, headOf(key, bytes)) && writeAll(file.number, bytes);
  }
  if (!isWhole || rename(temporary.c_str(), (m_path + "/" + nameOf(key)).c_str()) != 0)
    unlink(temporary.c_str());
  prune();
}

void CodeFolder::prune() const {
  struct Entry {
    fs::file_time_type used;
    uint64_t bytes;
    fs::path path;
  };
  std::vector<Entry> entries;
  uint64_t sum = 0;
  std::error_code error;
  for (fs::directory_iterator it(m_path, error), end; !error && it != end; it.increment(error)) {
    const fs::path &path = it->path();
    const std::string name = path.filename().string();
    std::error_code failed;
    // What another process is writing is left; what one left behind long ago is not.
    const bool isRemnant =
        name.starts_with("new-") && fs::last_write_time(path, failed) <
                                        fs::file_time_type::clock::now() - std::chrono::hours(1);
    if (!isRemnant && path.extension() != kSuffix)
      continue;
    const Entry entry{fs::last_write_time(path, failed), fs::file_size(path, failed), path};
    if (failed)
      continue;
    sum += entry.bytes;
    entries.push_back(entry);
  }
  std::ranges::sort(entries, {}, &Entry::used);
  for (const Entry &entry : entries) {
    if (sum <= m_mostBytes)
      break;
    std::error_code failed;
    fs::remove(entry.path, failed);
    sum -= entry.bytes;
  }
}

} // namespace tilescope::compiler
