// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/AccessFacts.h"
#include "views/common/FocusState.h"

#include <vector>

namespace tilescope::views {

/// The access that a place means: of the smallest expression that holds it, else of its line; among
/// several, `current` if it is one of them, else one to global memory before one to shared memory,
/// and the one that fetches most. -1: there is none.
///
/// Example: in `tl.store(out, tl.load(x) + 1)` the load at `tl.load(x)`, the store elsewhere.
int chooseAccess(const std::vector<compiler::AccessFacts> &accesses, const Focus &focus,
                 int current);

} // namespace tilescope::views
