// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ProgramFolders.h"

#include <filesystem>

namespace tilescope::app {

std::string folderBeside(const std::string &name, const std::string &inTree,
                         const std::string &file) {
  std::error_code error;
  const std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const std::string &place : {name, "../" + name, "../share/tilescope/" + name,
                                   "../../" + inTree, "../../../" + inTree}) {
    const std::filesystem::path folder = (program / place).lexically_normal();
    if (std::filesystem::exists(folder / file, error))
      return folder.string();
  }
  return {};
}

} // namespace tilescope::app
