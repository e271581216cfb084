// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Places in the arrays of the launch block, whose shapes say how far apart their elements lie:
//
//     # rgb = { dtype = "fp32", shape = ["h", "w", 3] }
//     rgb[y, x, 0]                          rgb + (y * w + x) * 3 + 0
#pragma once

#include "compiler/frontend/Frame.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler::frontend {

/// The extents of an array in the launch block of the function's file, as code: behind the first one, which no
/// place depends on, numbers and parameters of the function. Empty where the block does not show them, names
/// others, or spreads the elements out.
std::vector<std::string> launchShape(const Frame &frame, std::string_view array);

/// The place of the element with these indices, one for each axis, counted from the array's beginning; with fewer
/// indices than axes, of the first element behind them. Each index stands as a sum takes it, the first one as a
/// product does.
std::string placeIn(const std::vector<std::string> &shape, const std::vector<std::string> &indices);

} // namespace tilescope::compiler::frontend
