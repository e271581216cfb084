// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/package/LaunchBlock.h"

#include <optional>
#include <string_view>

namespace tilescope::profiler {

/// The problem of a launch block that cannot be read, in words for users who write launch blocks:
/// `line` is the line of TOML where reading ended, `complaint` the parser's own words. `lineBegin`:
/// where the line begins in the file; without it there is no replacement.
LaunchProblem tomlProblem(const SourceRange &at, std::string_view line, std::string_view complaint,
                          std::optional<Position> lineBegin = std::nullopt);

} // namespace tilescope::profiler
