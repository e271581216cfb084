// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/package/LaunchBlock.h"

#include <string_view>

namespace tilescope::profiler {

/// The problem of a launch block that cannot be read, in words for users who write launch blocks:
/// `line` is the line of TOML where reading ended, `complaint` the parser's own words.
LaunchProblem tomlProblem(const SourceRange &at, std::string_view line, std::string_view complaint);

} // namespace tilescope::profiler
