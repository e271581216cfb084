// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/formats/Recording.h"

#include <optional>
#include <string>

namespace tilescope::app {

/// What a file holds that is neither a kernel nor IR by its name: a report, a profile, or a file
/// of another tool. Nothing: none of these. The error says why the file cannot be read, and of what
/// is broken the place.
Result<std::optional<profiler::Recording>> readRecordedFile(const std::string &path);

} // namespace tilescope::app
