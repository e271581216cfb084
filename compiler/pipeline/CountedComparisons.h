// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Comparisons whose truths are added up, and which hold for what stands for elements that a mask leaves out:
//
//     x = tl.load(p + i, mask=i < n, other=0)
//     tl.sum((x == 0).to(tl.int32))    counts the elements behind `n`, too
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/pipeline/CountedElements.h"

namespace tilescope::compiler {

/// Whether a load at one of these places had a mask in the run that left elements out.
bool wasFilled(const std::vector<SourceRange> &places, const Interpretation &run);

/// A warning for such a comparison of a reduction, of floats or of integers, with what it should be.
std::vector<Diagnostic> countedComparisons(tt::ReduceOp reduce, const ast::SyntaxTree &tree,
                                           const ScalarArguments &arguments,
                                           const Interpretation &run, FileTable &files);

} // namespace tilescope::compiler
