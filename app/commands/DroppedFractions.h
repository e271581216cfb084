// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Quotients of which `//` drops the fraction, where `/` is expected:
//
//     c = (f - 32) * 5 // 9       -13 instead of -13.33333
#pragma once

#include "app/commands/KernelText.h"
#include "compiler/artifacts/Diagnostic.h"
#include "profiler/data/Measurement.h"
#include "profiler/package/LaunchPlan.h"

namespace tilescope::app {

/// Says so of an output that differs, with `/` as a fix that the caller tries.
void explainDroppedFractions(const KernelText &kernel, const profiler::PlanArgument &argument,
                             const profiler::OutputResult &output,
                             compiler::Diagnostic &diagnostic);

} // namespace tilescope::app
