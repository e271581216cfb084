// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Two arrays of which each is loaded where the other is meant:
//
//     g = tl.load(up_ptr + i)
//     u = tl.load(gate_ptr + i)
//     tl.store(out_ptr + i, g * tl.sigmoid(g) * u)
#pragma once

#include "app/commands/KernelText.h"
#include "compiler/artifacts/Diagnostic.h"
#include "profiler/package/LaunchPlan.h"

namespace tilescope::app {

/// Adds to the mismatch of an output that the only two arrays which are loaded, and are alike, may be exchanged, with a fix:
/// it is so only where that helps.
void explainExchangedArrays(const KernelText &kernel, const profiler::LaunchPlan &plan,
                            compiler::Diagnostic &diagnostic);

/// The same of an array that the kernel never mentions while it loads twice from the same places of one that is alike:
///
///     x = tl.load(x_ptr + i)
///     y = tl.load(x_ptr + i)
void explainUnreadArrays(const KernelText &kernel, const profiler::LaunchPlan &plan,
                         compiler::Diagnostic &diagnostic);

} // namespace tilescope::app
