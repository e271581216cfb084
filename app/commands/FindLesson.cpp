// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/FindLesson.h"

#include "app/launch/ProgramFolders.h"
#include "app/lesson/LessonFile.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace tilescope::app {

namespace fs = std::filesystem;

static std::string lowered(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char letter) { return char(std::tolower(letter)); });
  return text;
}

/// The lesson of that title, in any case, or of what stands before its colon: `Puzzle 3`. Empty: there is none.
static std::string folderOfTitle(const std::string &lessons, const std::string &title) {
  std::error_code ignored;
  for (const fs::directory_entry &entry : fs::directory_iterator(lessons, ignored)) {
    const Result<std::string> known = readLessonTitle(entry.path().string());
    if (!known)
      continue;
    const std::string whole = lowered(*known);
    if (const std::string wanted = lowered(title);
        whole == wanted || whole.starts_with(wanted + ":"))
      return entry.path().string();
  }
  return {};
}

Result<std::string> findLesson(const std::string &name) {
  std::error_code ignored;
  if (fs::is_directory(name, ignored))
    return name;
  const std::string shipped = shippedLessons();
  const bool isName = !name.empty() && name.find('/') == std::string::npos && name.front() != '.';
  if (isName && !shipped.empty() && fs::exists(fs::path(shipped) / name / "lesson.toml", ignored))
    return (fs::path(shipped) / name).string();
  if (isName && !shipped.empty())
    if (std::string folder = folderOfTitle(shipped, name); !folder.empty())
      return folder;
  return Error{ErrorCode::InvalidInput, "no lesson is named `" + name + "`",
               "name the folder of a lesson" +
                   (shipped.empty() ? std::string()
                                    : ", or one of those in " + shipped + ", such as softmax")};
}

} // namespace tilescope::app
