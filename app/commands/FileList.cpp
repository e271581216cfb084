// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/FileList.h"

#include "app/launch/InputFile.h"

#include <algorithm>
#include <filesystem>

namespace tilescope::app {

namespace fs = std::filesystem;

static bool isInput(const fs::path &path) {
  return static_cast<bool>(entryStage(path.string(), {}));
}

static bool isSkipped(const fs::path &folder) {
  const std::string name = folder.filename().string();
  return name.starts_with('.') || name == "__pycache__";
}

static std::vector<std::string> filesBelow(const fs::path &folder) {
  std::vector<std::string> files;
  std::error_code error;
  // What may not be read is left out: the other files are still worth checking.
  fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
    std::error_code kind;
    if (it->is_directory(kind) && isSkipped(it->path()))
      it.disable_recursion_pending();
    else if (it->is_regular_file(kind) && isInput(it->path()))
      files.push_back(it->path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Result<std::vector<ListedFile>> listFiles(const std::vector<std::string> &paths) {
  std::vector<ListedFile> files;
  for (const std::string &path : paths) {
    std::error_code error;
    if (!fs::exists(path, error))
      return Error{ErrorCode::InvalidInput, "there is no file `" + path + "`", ""};
    if (fs::is_fifo(path, error))
      return Error{ErrorCode::InvalidInput, "`" + path + "` is a pipe, not a file", ""};
    if (!fs::is_directory(path, error)) {
      files.push_back({path, true});
      continue;
    }
    std::vector<std::string> found = filesBelow(path);
    if (found.empty())
      return Error{ErrorCode::InvalidInput, "the folder `" + path + "` holds no kernel files",
                   "kernel files end in .py, IR files in .ttir, .ttgir, .mlir, .ll or .ptx"};
    for (std::string &file : found)
      files.push_back({std::move(file), false});
  }
  return files;
}

} // namespace tilescope::app
