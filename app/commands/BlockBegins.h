// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Programs whose blocks are not as long as they lie apart:
//
//     rm = tl.program_id(0) * BM + tl.arange(0, BM)
//     rn = tl.program_id(1) * BM + tl.arange(0, BN)      BM = 16, BN = 32: blocks overlap
#pragma once

#include "app/commands/KernelText.h"
#include "compiler/artifacts/Diagnostic.h"
#include "profiler/package/LaunchPlan.h"

namespace tilescope::app {

/// Adds to the mismatch of an output where that is so, each with a fix: it is a cause only where that helps.
void explainBlockBegins(const KernelText &kernel, const profiler::LaunchPlan &plan,
                        compiler::Diagnostic &diagnostic);

} // namespace tilescope::app
