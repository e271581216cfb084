// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/GradedFiles.h"

#include "app/commands/FileList.h"
#include "app/launch/SourceKernels.h"
#include "profiler/data/FileIo.h"

#include <filesystem>

namespace tilescope::app {

namespace fs = std::filesystem;

static bool hasKernel(const std::string &path) {
  if (fs::path(path).extension() != ".py")
    return false;
  const Result<std::string> text = profiler::readTextFile(path);
  return text && !sourceKernels(*text).empty();
}

/// `softmax` for its folder, also where the path ends in a slash.
static std::string lessonName(const std::string &folder) {
  std::error_code ignored;
  return fs::weakly_canonical(folder, ignored).filename().string();
}

static std::vector<std::string> filesOfFolder(const std::vector<ListedFile> &found,
                                              const std::string &lesson) {
  std::vector<std::string> files, ofLesson;
  const std::string name = lesson.empty() ? std::string() : lessonName(lesson);
  for (const ListedFile &file : found) {
    if (!hasKernel(file.path))
      continue;
    files.push_back(file.path);
    if (fs::path(file.path).stem() == name)
      ofLesson.push_back(file.path);
  }
  return ofLesson.empty() ? files : ofLesson;
}

Result<std::vector<std::string>> gradedFiles(const std::vector<std::string> &paths,
                                             const std::string &lesson) {
  std::vector<std::string> files;
  for (const std::string &path : paths) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) {
      files.push_back(path);
      continue;
    }
    const Result<std::vector<ListedFile>> found = listFiles({path});
    if (!found)
      return found.error();
    std::vector<std::string> below = filesOfFolder(*found, lesson);
    if (below.empty())
      return Error{ErrorCode::InvalidInput, "no file in the folder `" + path + "` has a kernel",
                   "a kernel is a function below `@triton.jit` in a .py file"};
    files.insert(files.end(), below.begin(), below.end());
  }
  return files;
}

} // namespace tilescope::app
