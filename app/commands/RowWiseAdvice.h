// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A number for each row that is combined along the columns, which equal sizes of a block hide:
//
//     l = tl.sum(p, axis=1)      [BM]
//     acc = acc / l              [BM, D] by [BM]: column j is divided by the sum of row j where BM is D
//     acc = acc / l[:, None]     what is meant
#pragma once

#include "app/commands/KernelText.h"
#include "compiler/artifacts/Diagnostic.h"
#include "profiler/data/Measurement.h"

namespace tilescope::app {

/// Says so of an output that differs from what is expected, with fixes that the caller tries.
void explainRowWise(const KernelText &kernel, const profiler::OutputResult &output,
                    compiler::Diagnostic &diagnostic);

/// Says that `rows` has an element for each row, and what is wrong about that, with `[:, None]` as the fix.
void makeColumn(const KernelText &kernel, const compiler::ast::Expr &rows, const std::string &wrong,
                compiler::Diagnostic &diagnostic);

} // namespace tilescope::app
