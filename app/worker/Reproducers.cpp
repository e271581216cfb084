// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/Reproducers.h"

#include "app/worker/UserCache.h"

#include <algorithm>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace tilescope::app {

namespace fs = std::filesystem;

static constexpr size_t kMaxNameLength = 100;

/// Whether it is a folder, not a link to one, that only the user can have made.
static bool belongsToUser(const fs::path &folder) {
  struct stat facts{};
  return lstat(folder.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) && facts.st_uid == geteuid();
}

std::string openCrashFolder() {
  std::error_code error;
  const fs::path chosen = environmentVariable("TILESCOPE_CRASH_DIR");
  const fs::path folder = chosen.empty() ? userCachePath("crashes") : chosen;
  if (folder.empty())
    return {};
  fs::create_directories(folder.parent_path(), error);
  mkdir(folder.c_str(), 0700);
  return !chosen.empty() || belongsToUser(folder) ? folder.string() : std::string();
}

/// `SECONDS-PROCESS-JOB-RANDOM`, as `LastWords.cpp` names them.
static bool isReproducer(const std::string &name) {
  return std::ranges::count(name, '-') == 3 &&
         name.find_first_not_of("0123456789abcdef-") == std::string::npos;
}

void pruneReproducers(const std::string &folder, size_t numKept) {
  std::error_code error;
  std::vector<fs::path> found;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (isReproducer(it->path().filename().string()) && belongsToUser(it->path()))
      found.push_back(it->path());
  // Names begin with the time; it has as many digits for as long as it matters.
  std::ranges::sort(found);
  for (size_t i = 0; i + numKept < found.size(); ++i)
    fs::remove_all(found[i], error);
}

std::string reproducerFileName(const std::string &path) {
  std::string name = fs::path(path).filename().string();
  if (name.size() > kMaxNameLength)
    name.erase(0, name.size() - kMaxNameLength);
  for (char &c : name)
    if (const auto byte = static_cast<unsigned char>(c);
        byte >= 128 || (std::isalnum(byte) == 0 && c != '.' && c != '-' && c != '_'))
      c = '_';
  // `.`, `..`, and what hides.
  if (name.empty() || name == "pipeline.txt")
    return "kernel.py";
  if (name.front() == '.')
    name.front() = '_';
  return name;
}

} // namespace tilescope::app
