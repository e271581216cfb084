// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Rows that are combined where a matrix is stored, which equal sizes of blocks hide:
//
//     a = tl.load(x_ptr + i)                                     [B], along the rows of what is stored
//     b = tl.load(y_ptr + j)                                     [B], along its columns
//     tl.store(o_ptr + i[:, None] * n + j[None, :], a * b)       [B]: each row of the block is a[0] * b[0], a[1] * b[1], …
//     tl.store(…, a[:, None] * b[None, :])                       what is meant
#pragma once

#include "app/commands/KernelText.h"
#include "compiler/artifacts/Diagnostic.h"
#include "profiler/data/Measurement.h"

namespace tilescope::app {

/// Says so of an output that differs from what is expected, with fixes that the caller tries.
void explainMissingAxes(const KernelText &kernel, const profiler::OutputResult &output,
                        compiler::Diagnostic &diagnostic);

} // namespace tilescope::app
