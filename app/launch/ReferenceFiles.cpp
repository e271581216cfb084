// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ReferenceFiles.h"

#include "app/launch/ExpectedResult.h"
#include "profiler/data/FileIo.h"
#include "profiler/data/ProfileDocument.h"

#include <filesystem>

namespace tilescope::app {

/// The contents of larger files are not compared: a window asks, and must not wait.
static constexpr uint64_t kMostDigestedBytes = uint64_t(16) << 20;

/// Size and time alone.
static ReferenceFile seen(const std::string &name, const std::string &path) {
  ReferenceFile file{name, path};
  std::error_code bySize, byTime;
  const uint64_t numBytes = std::filesystem::file_size(path, bySize);
  const auto time = std::filesystem::last_write_time(path, byTime);
  if (bySize || byTime)
    return file;
  file.isThere = true;
  file.numBytes = numBytes;
  file.modifiedNs =
      std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
  return file;
}

static std::string digestOf(const ReferenceFile &file) {
  if (!file.isThere || file.numBytes > kMostDigestedBytes)
    return {};
  const Result<std::string> bytes = profiler::readFile(file.path, kMostDigestedBytes);
  return bytes ? profiler::textDigest(*bytes) : std::string();
}

std::vector<ReferenceFile> referenceFiles(const profiler::LaunchPlan &plan,
                                          const std::string &sourcePath, bool hasDigests) {
  std::vector<ReferenceFile> files;
  for (const profiler::PlanArgument &argument : plan.args) {
    const std::string path = referenceFile(argument, sourcePath);
    if (path.empty())
      continue;
    files.push_back(seen(argument.tensor()->expected, path));
    if (hasDigests)
      files.back().digest = digestOf(files.back());
  }
  return files;
}

bool isUnchanged(const ReferenceFile &then) {
  const ReferenceFile now = seen(then.name, then.path);
  if (now.isThere != then.isThere || now.numBytes != then.numBytes)
    return false;
  return now.modifiedNs == then.modifiedNs ||
         (!then.digest.empty() && digestOf(now) == then.digest);
}

} // namespace tilescope::app
