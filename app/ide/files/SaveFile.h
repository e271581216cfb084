// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace tilescope::app {

/// Distinguishes states of a file: writing to it, replacing it and setting its times all
/// change the stamp, whatever the clock says. Equal stamps do not prove equal bytes.
struct FileStamp {
  uint64_t device = 0;
  uint64_t inode = 0;
  uint64_t sizeBytes = 0;
  int64_t modifiedNs = 0;
  int64_t changedNs = 0;
  bool operator==(const FileStamp &) const = default;
};

/// The stamp of what a path leads to; nothing when there is no such file.
std::optional<FileStamp> fileStamp(const std::string &path);

/// Whether the permissions of a file that exists forbid writing, also to the superuser.
bool isWriteProtected(const std::string &path);

/// Puts `bytes` in the place of what the user's file holds, or makes the file, and returns its new
/// stamp.
///
/// Mode, owner, attributes and links stay. The new bytes are on the disk before they take the old
/// ones' place, so that a full disk or a power failure leaves the old file whole. Where that cannot
/// be, because the file has several names or the folder takes no new file, its space is reserved
/// and it is written in place. Pipes and devices are written to, never replaced.
Result<FileStamp> saveFile(const std::string &path, std::string_view bytes);

} // namespace tilescope::app
