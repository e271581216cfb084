// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <string>

namespace tilescope::app {

/// The folder of a lesson that is named by its folder, or, of those that come with the program, by its
/// name or its title: `softmax`, `Puzzle 3`.
Result<std::string> findLesson(const std::string &name);

} // namespace tilescope::app
