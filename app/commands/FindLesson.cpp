// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/FindLesson.h"

#include "app/launch/ProgramFolders.h"

#include <filesystem>

namespace tilescope::app {

namespace fs = std::filesystem;

Result<std::string> findLesson(const std::string &name) {
  std::error_code ignored;
  if (fs::is_directory(name, ignored))
    return name;
  const std::string shipped = shippedLessons();
  const bool isName = !name.empty() && name.find('/') == std::string::npos && name.front() != '.';
  if (isName && !shipped.empty() && fs::exists(fs::path(shipped) / name / "lesson.toml", ignored))
    return (fs::path(shipped) / name).string();
  return Error{ErrorCode::InvalidInput, "no lesson is named `" + name + "`",
               "name the folder of a lesson" +
                   (shipped.empty() ? std::string()
                                    : ", or one of those in " + shipped + ", such as softmax")};
}

} // namespace tilescope::app
