// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/AccessFacts.h"
#include "views/common/FocusState.h"

#include <vector>

namespace tilescope::views {

/// The conversion that a place means: of the smallest expression that holds it, else of its line, of
/// several `current` if it is one of them, else the dearest. -1: there is none.
int chooseConversion(const std::vector<compiler::ConversionFacts> &conversions, const Focus &focus,
                     int current);

} // namespace tilescope::views
