// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// One mistake in a kernel, and several findings of a run:
//
//     page = tl.load(TAB + b * PAGE + j)     outside of TAB, since its rows lie MAXB elements apart
//     tl.store(OUT + …)                      differs from what is expected: write `MAXB` for `PAGE`
//
// What mends an output belongs to the other finding, too, and there it comes first: a mask would only hide that.
#pragma once

#include "app/commands/MendedRun.h"

#include <functional>

namespace tilescope::app {

/// Offers what mends outputs that differ also for accesses outside, for what is undefined,
/// and for races that nothing else mends, where it mends them as well.
/// `helping`: those of a finding's fixes that do. `padded`: findings of what an `other` would only hide; of those that
/// nothing mends, that is said.
void shareFixes(const std::string &text, const LaunchRun &before, const std::vector<size_t> &padded,
                const std::function<Fixes(const compiler::Diagnostic &)> &helping, LaunchRun &run);

} // namespace tilescope::app
