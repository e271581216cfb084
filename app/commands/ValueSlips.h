// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Slips in what a kernel does with numbers that it has loaded, whose result has the right shape:
//
//     a * x[:, None]      where a is square, and x[None, :] is meant
//     tl.dot(b, a)        of square blocks, where tl.dot(a, b) is meant
//     x - y               where x + y or y - x is meant
#pragma once

#include "app/commands/KernelText.h"
#include "compiler/artifacts/Diagnostic.h"

namespace tilescope::app {

/// Adds to the mismatch of an output what may be turned, each with a fix: it is so only where that helps. Of kernels that
/// compute more than a few numbers, only vectors and products of blocks.
void explainValueSlips(const KernelText &kernel, compiler::Diagnostic &diagnostic);

} // namespace tilescope::app
