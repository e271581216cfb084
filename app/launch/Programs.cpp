// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/Programs.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>

namespace tilescope::app {

std::string programBeside(const std::string &name) {
  std::string variable = name;
  std::transform(variable.begin(), variable.end(), variable.begin(), [](unsigned char c) {
    return c == '-' ? '_' : static_cast<char>(std::toupper(c));
  });
  if (const char *path = std::getenv(variable.c_str()); path != nullptr && *path != '\0')
    return path;
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return (self.parent_path() / name).string();
}

} // namespace tilescope::app
