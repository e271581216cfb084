// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Launch blocks that one wrong character has spoiled:
//
//     n = “1024”        n = ""1024"        n = '''1024"        grid = [4        n: 1024
//
// The parser's own complaint is often lines below, where it gave up.
#pragma once

#include "profiler/package/LaunchBlock.h"

#include <optional>
#include <string_view>
#include <vector>

namespace tilescope::profiler {

/// The slip in the lines of a block that cannot be read, at its place, with what belongs there. `row`: the
/// line of TOML where reading ended; `begins`: where each line begins in the file. Nothing where none
/// of the usual slips is seen.
std::optional<LaunchProblem> tomlSlip(const std::vector<std::string_view> &lines,
                                      const std::vector<Position> &begins, size_t row);

} // namespace tilescope::profiler
