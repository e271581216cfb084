// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Atomic updates of elements whose index comes from a load with a mask, and that have none themselves:
//
//     s = tl.load(s_ptr + o, mask=o < n, other=0)
//     tl.atomic_add(count_ptr + s, 1)                 element 0 gets what the mask of the load leaves out
#pragma once

#include "app/commands/KernelText.h"
#include "profiler/data/Measurement.h"

#include <vector>

namespace tilescope::app {

/// Says so where one is among `stores`, in which the kernel writes to an output that differs, and offers the mask.
void explainUnmaskedUpdates(const KernelText &kernel, const profiler::OutputResult &output,
                            const std::vector<SourceRange> &stores,
                            compiler::Diagnostic &diagnostic);

} // namespace tilescope::app
