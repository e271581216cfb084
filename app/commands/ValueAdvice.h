// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the two numbers of a mismatch say about its cause:
//
//     -56 instead of 200 in int8         the range ends at 127, and 256 lie between them
//     0 instead of -1.5 of atomic_max    the place began with 0, which no negative number exceeds
//     0.5 instead of NaN of tl.minimum   NumPy passes NaN on, the kernel's function takes the number
//     0.5 instead of -3.2 of tl.cumsum   the sum begins anew with each block
#pragma once

#include "app/commands/KernelText.h"
#include "compiler/artifacts/Diagnostic.h"
#include "profiler/data/Measurement.h"
#include "profiler/package/LaunchPlan.h"

namespace tilescope::app {

/// Adds what the first element of an output that differs from what is expected says. `argument`: the
/// output's tensor.
void explainValues(const profiler::PlanArgument &argument, const profiler::OutputResult &output,
                   const KernelText &kernel, compiler::Diagnostic &diagnostic);

} // namespace tilescope::app
