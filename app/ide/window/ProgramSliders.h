// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/present/HeldSliders.h"

#include <cstdint>
#include <vector>

namespace tilescope::views {
class AccessView;
}

namespace tilescope::app {

/// Where the sliders of a view are to be, so that it shows one program of the grid: a number for each
/// dimension, x first. Empty: wherever they are.
HeldSliders::Wishes programWishes(const std::vector<int64_t> &program,
                                  const views::AccessView *access);

} // namespace tilescope::app
