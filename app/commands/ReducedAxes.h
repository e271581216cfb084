// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A reduction of a square block along the wrong axis, whose result has the right shape:
//
//     x = tl.load(x_ptr + r[:, None] * n + c[None, :])       [64, 64]
//     tl.store(y_ptr + r, tl.sum(x, axis=0))                  the sums of columns, where rows are meant
#pragma once

#include "app/commands/KernelText.h"
#include "compiler/artifacts/Diagnostic.h"

namespace tilescope::app {

/// Adds to the mismatch of an output which reductions may go along the wrong axis, each with a fix: it is so only where
/// that helps.
void explainReducedAxes(const KernelText &kernel, compiler::Diagnostic &diagnostic);

} // namespace tilescope::app
