// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/layout/picture/PictureColors.h"

#include <cstdint>

namespace tilescope::compiler::access {

/// The color of elements that so many programs touch, of at most `most`: the further from the
/// background, the more, so that it is told without its hue.
Oklch countColor(uint32_t count, uint32_t most, bool isDark);

} // namespace tilescope::compiler::access
