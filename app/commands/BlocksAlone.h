// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Functions of the language that take a whole array in NumPy, and in a kernel the block of one program:
//
//     y = tl.sort(x)                     sorts 256 of 1000 elements, in each of 4 programs
//     y = tl.exp(x) / tl.sum(tl.exp(x))  the sum of 256
#pragma once

#include "app/commands/KernelText.h"
#include "compiler/artifacts/Diagnostic.h"
#include "profiler/data/Measurement.h"
#include "profiler/package/LaunchPlan.h"

namespace tilescope::app {

/// Says so of an output that differs, where several blocks of programs cover what is expected of a whole.
void explainBlocksAlone(const KernelText &kernel, const profiler::LaunchPlan &plan,
                        const profiler::PlanArgument &argument,
                        const profiler::OutputResult &output, compiler::Diagnostic &diagnostic);

} // namespace tilescope::app
