// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Names with numbers in IR and PTX: `%6`, `%x_5`, `%rd7`, `#blocked1`, `$L__BB0_2`, `!12`. An
// operation more in front of them changes their numbers, which is not a change:
//
//     %5 = tt.load %4          %6 = tt.load %5
//     tt.store %1, %5          tt.store %1, %6
#pragma once

#include "compiler/support/LineDiff.h"

namespace tilescope {

/// As `diffLines`, but lines are the same whose names differ in their numbers alone, as long as
/// each name of the old text stands for one name of the new one.
std::vector<DiffLine> diffRenumbered(const std::vector<std::string_view> &before,
                                     const std::vector<std::string_view> &after);

} // namespace tilescope
