// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which addresses in a kernel's text may be why its results are wrong:
//
//     a = tl.load(x_ptr)                      one element in place of a block
//     tl.load(x_ptr + row * BLOCK + cols)     rows lie as far apart as the matrix has columns
//     tl.load(b_ptr + cols * K + rows)        of [K, N] elements: the place in its transpose
//     for k in range(0, K, BK):               each turn loads the same
//         a = tl.load(a_ptrs)
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "profiler/data/Measurement.h"
#include "profiler/package/LaunchPlan.h"

#include <string_view>

namespace tilescope::app {

/// Completes the diagnostic of an output that was written and differs: labels and fixes for the
/// addresses of the kernel in `text` that can hardly be meant.
void explainAddresses(std::string_view text, const profiler::LaunchPlan &plan,
                      const profiler::OutputResult &output, compiler::Diagnostic &diagnostic);

} // namespace tilescope::app
