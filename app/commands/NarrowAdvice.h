// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Small integers that a kernel computes with as they are: `(a + b) // 2` of two bytes is computed in bytes, so that
// 200 + 100 is 44. Images are full of them.
#pragma once

#include "app/commands/KernelText.h"
#include "compiler/artifacts/Diagnostic.h"
#include "profiler/package/LaunchPlan.h"

namespace tilescope::app {

/// Offers to convert what the kernel loads of arguments of one or two bytes, and says why. Whether that is the cause of
/// the difference is not known: the caller tries it.
void explainNarrow(const profiler::LaunchPlan &plan, const KernelText &kernel,
                   compiler::Diagnostic &diagnostic);

/// Says of sums that begin in one or two bytes that they wrap around, each with a fix: it is a cause only where that helps.
/// What is added may be cut to that, too: `acc += tl.dot(a, b).to(tl.int8)`.
void explainWrappedSums(const KernelText &kernel, compiler::Diagnostic &diagnostic);

} // namespace tilescope::app
