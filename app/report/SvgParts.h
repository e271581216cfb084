// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/layout/picture/PictureGrid.h"

#include <cstdint>
#include <string>

namespace tilescope::app {

/// The window's color of a member of a family of so many, in the light theme, as CSS has it.
std::string familyColorText(int64_t index, int64_t count);

/// A rectangle in a picture that begins at (x, y). `look`: its other attributes, and its end.
std::string rectSvg(double x, double y, const compiler::GridRect &rect, const std::string &look);

} // namespace tilescope::app
