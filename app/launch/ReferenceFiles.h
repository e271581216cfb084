// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/package/LaunchPlan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilescope::app {

/// A file with what an output should be, and what it held at some time.
struct ReferenceFile {
  /// As the launch block has it.
  std::string name;
  std::string path;
  /// Absent: there was no such file.
  bool isThere = false;
  uint64_t numBytes = 0;
  /// Of the file's clock.
  int64_t modifiedNs = 0;
  /// `profiler::textDigest` of the contents; empty for a large file, which goes by size and time.
  std::string digest = {};
};

/// The `.npy` files that `expected` of a plan names, as they are now. `sourcePath`: the kernel's file,
/// from whose folder they are named. Without digests, nothing of them is read.
std::vector<ReferenceFile> referenceFiles(const profiler::LaunchPlan &plan,
                                          const std::string &sourcePath, bool hasDigests = true);

/// Whether the file holds now what it held then. Reads it only if its size is the same and its time
/// is another.
bool isUnchanged(const ReferenceFile &then);

} // namespace tilescope::app
