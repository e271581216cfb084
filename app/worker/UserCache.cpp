// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/UserCache.h"

#include <cstdlib>
#include <unistd.h>

namespace tilescope::app {

namespace fs = std::filesystem;

std::string environmentVariable(const char *name) {
  const char *value = std::getenv(name);
  return value != nullptr ? value : "";
}

fs::path userCachePath(const std::string &name) {
  fs::path cache = environmentVariable("XDG_CACHE_HOME");
  if (cache.empty() && !environmentVariable("HOME").empty())
    cache = fs::path(environmentVariable("HOME")) / ".cache";
  if (!cache.empty())
    return cache / "tilescope" / name;
  std::error_code error;
  const fs::path temporary = fs::temp_directory_path(error);
  return error ? fs::path() : temporary / ("tilescope-" + name + "-" + std::to_string(geteuid()));
}

} // namespace tilescope::app
