// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/FocusState.h"

namespace tilescope::views {

/// Whether the place that the user points at is the expression, or lies in it.
bool isAt(const SourceRange &range, const Focus &focus);
/// Whether it lies in a line of the expression.
bool isOnLine(const SourceRange &range, const Focus &focus);
/// How much text a range covers, to choose the smaller one.
int64_t extentOf(const SourceRange &range);

} // namespace tilescope::views
