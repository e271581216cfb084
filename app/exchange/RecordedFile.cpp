// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/exchange/RecordedFile.h"

#include "app/launch/InputFile.h"
#include "profiler/data/FileIo.h"

#include <filesystem>

namespace tilescope::app {

/// What is opened as a kernel, and a package, which the runner takes.
static bool isInput(const std::string &path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error) || path.ends_with(".tskernel") ||
         path.ends_with(".pyi") || bool(entryStage(path, {}));
}

Result<std::optional<profiler::Recording>> readRecordedFile(const std::string &path) {
  if (isInput(path))
    return std::optional<profiler::Recording>();
  const Result<std::string> bytes = profiler::readFile(path, profiler::kLargestTextBytes);
  if (!bytes)
    return bytes.error();
  std::optional<Result<profiler::Recording>> recording = profiler::readRecording(*bytes);
  if (!recording)
    return std::optional<profiler::Recording>();
  if (!*recording)
    return profiler::inFile(path, recording->error());
  profiler::Recording &read = **recording;
  // What has no title of its own is called as its file.
  if (read.data.title.empty())
    read.data.title = std::filesystem::path(path).stem().string();
  for (profiler::ReportKernel &kernel : read.data.kernels)
    if (kernel.path.empty())
      kernel.path = path;
  return std::optional(std::move(read));
}

} // namespace tilescope::app
