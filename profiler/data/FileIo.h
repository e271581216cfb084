// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <cstdint>
#include <string>
#include <string_view>

/// The one way in which files are read, and the one in which results are written.
namespace tilescope::profiler {

/// Larger files are refused before they are read.
inline constexpr uint64_t kLargestFileBytes = uint64_t(16) << 30;
inline constexpr uint64_t kLargestTextBytes = uint64_t(64) << 20;

/// The bytes of a regular file (links are followed). Folders, pipes and devices are refused without
/// waiting for them.
Result<std::string> readFile(const std::string &path, uint64_t largestBytes = kLargestFileBytes);

/// The same for text: a file in UTF-16 or with zero bytes is refused. Other bytes that are not
/// UTF-8 are left to the reader, which can say where they are.
Result<std::string> readTextFile(const std::string &path);

/// What is wrong with the contents of a file: the message begins with the file's name.
Error inFile(const std::string &path, Error error);

/// Replaces the file at once, so that a failure leaves the old one; its mode stays. A `path` that
/// does not name a regular file, such as `/dev/stdout` or a pipe, is written to directly.
Status writeFile(const std::string &path, std::string_view bytes);

/// An error unless `path` is a folder; `what` names the option: `--inputs`.
Status requireFolder(const std::string &path, std::string_view what);

} // namespace tilescope::profiler
