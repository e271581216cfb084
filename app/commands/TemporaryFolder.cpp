// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/TemporaryFolder.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tilescope::app {

namespace fs = std::filesystem;

static constexpr std::string_view kPrefix = "tilescope-run-";

/// The folder, open and locked; -1 when another process holds it or it is not this user's.
static int lockFolder(const std::string &path) {
  const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0)
    return -1;
  struct stat facts = {};
  if (fstat(folder, &facts) == 0 && facts.st_uid == geteuid() &&
      flock(folder, LOCK_EX | LOCK_NB) == 0)
    return folder;
  close(folder);
  return -1;
}

/// Those whose process is gone: no process holds their lock. Young ones may be about to get theirs.
static void removeAbandoned(const fs::path &parent) {
  std::error_code error;
  const auto young = fs::file_time_type::clock::now() - std::chrono::minutes(10);
  for (fs::directory_iterator it(parent, fs::directory_options::skip_permission_denied, error);
       !error && it != fs::directory_iterator(); it.increment(error)) {
    std::error_code unknown;
    if (!it->path().filename().string().starts_with(kPrefix) ||
        it->last_write_time(unknown) > young || unknown)
      continue;
    const int lock = lockFolder(it->path().string());
    if (lock < 0)
      continue;
    fs::remove_all(it->path(), unknown);
    close(lock);
  }
}

Result<TemporaryFolder> TemporaryFolder::make() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  const char *named = std::getenv("TMPDIR");
  const Error failure{ErrorCode::Environment,
                      "there is no folder for temporary files: `" +
                          (error && named != nullptr ? std::string(named) : parent.string()) +
                          "`: ",
                      "set TMPDIR to a folder that can be written"};
  const auto fail = [&](const std::string &why) {
    return Error{failure.code, failure.message + why, failure.hint};
  };
  if (error)
    return fail(error.message());
  removeAbandoned(parent);
  std::string path = (parent / (std::string(kPrefix) + "XXXXXX")).string();
  if (mkdtemp(path.data()) == nullptr)
    return fail(std::strerror(errno));
  return TemporaryFolder(path, lockFolder(path));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  if (!m_path.empty())
    fs::remove_all(m_path, error);
  if (m_lock >= 0)
    close(m_lock);
}

} // namespace tilescope::app
