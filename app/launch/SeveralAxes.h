// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <string>

namespace tilescope::app {

/// An expression whose reductions take one axis each, where some take several:
///
///     max(x, axis=(1, 2))     max(max(x, axis=2), axis=1)
///
/// What is not understood stays, and `findReduction` says why.
std::string inSingleAxes(std::string text);

} // namespace tilescope::app
